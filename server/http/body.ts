import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { ApiError } from '../domain/errors.ts';

/** What a body may take of the server. */
export interface BodyLimits {
  /** Bytes on the wire, and after decompression. */
  maxBytes: number;
  /** The longest pause between two pieces, in milliseconds. */
  stallMs: number;
  /** The longest time for the whole body, in milliseconds. */
  totalMs: number;
}

const MEGABYTE = 2 ** 20;
export const BODY_LIMITS: BodyLimits = { maxBytes: 50 * MEGABYTE, stallMs: 15_000, totalMs: 300_000 };
/** The limit of every body but a batch of messages: none other is longer than some hundred bytes. */
export const OTHER_MAX_BYTES = 2 ** 20;

const MALFORMED = 'malformed';
const malformed = new WeakSet<IncomingMessage>();

/** Says that the rest of a request's body is not HTTP, to whoever reads it now or later. */
export function reportMalformed(request: IncomingMessage): void {
  malformed.add(request);
  request.emit(MALFORMED);
}

/** The body is longer than is allowed; the message says how long it may be. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The sender went away in the middle of the request: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

/**
 * Reads the whole body of a request, whatever its content type.
 * @throws BodyTooLargeError; ApiError INVALID_JSON when it stalls, never ends, is malformed or compressed in an
 * unknown way; ClientGoneError.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limits.maxBytes) throw tooLong(limits);
  const bytes = await collect(request, limits);
  const coding = request.headers['content-encoding'] ?? 'identity';
  return coding === 'identity' || bytes.length === 0 ? bytes : decompress(bytes, coding, limits);
}

/** Whether a request announces a body. */
export function announcesBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && Number(length) > 0);
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const stall = setTimeout(() => finish(invalid('the body stopped in the middle')), limits.stallMs);
    const total = setTimeout(() => finish(invalid('the body took too long')), limits.totalMs);

    function finish(outcome: Buffer | Error): void {
      clearTimeout(stall);
      clearTimeout(total);
      request
        .off('data', onData)
        .off('end', onEnd)
        .off('close', onClose)
        .off('error', onClose)
        .off(MALFORMED, onMalformed);
      request.pause();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }
    function onData(piece: Buffer): void {
      length += piece.length;
      if (length > limits.maxBytes) {
        finish(tooLong(limits));
        return;
      }
      pieces.push(piece);
      stall.refresh();
    }
    const onEnd = () => finish(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length));
    const onClose = () => finish(new ClientGoneError('The client closed the connection.'));
    const onMalformed = () => finish(invalid('the body is not valid HTTP'));

    if (malformed.has(request)) {
      onMalformed();
      return;
    }
    request
      .on('data', onData)
      .on('end', onEnd)
      .on('close', onClose)
      .on('error', onClose)
      .on(MALFORMED, onMalformed);
  });
}

const DECOMPRESSORS: Readonly<
  Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function decompress(bytes: Buffer, coding: string, limits: BodyLimits): Promise<Buffer> {
  const name = coding.toLowerCase();
  const decompressor = Object.hasOwn(DECOMPRESSORS, name) ? DECOMPRESSORS[name] : undefined;
  if (decompressor === undefined) {
    throw invalid(
      'the content encoding is not supported; send the body as it is, or with gzip, deflate or br',
    );
  }
  try {
    return await decompressor(bytes, { maxOutputLength: limits.maxBytes });
  } catch (error) {
    throw error instanceof RangeError ? tooLong(limits) : invalid('the body cannot be decompressed');
  }
}

function tooLong(limits: BodyLimits): BodyTooLargeError {
  return new BodyTooLargeError(`the body may have ${limits.maxBytes / MEGABYTE} MB at most`);
}

function invalid(description: string): ApiError {
  return new ApiError('INVALID_JSON', description);
}
