// Do not edit: made from openapi/ by "npm run generate".
import { clientOperations } from './client-operations.ts';
import type { OperationId } from './operations.ts';
import { textOf } from './client-csv.ts';
import { SendspecError } from './client-error.ts';
import type { Reply } from './client-request.ts';

/** Any operation's result, for the code that serves all of them. */
export type AnyResult = { status: number; response: Response; data: unknown; meta?: unknown };

/**
 * What a method gives for a reply.
 *
 * @throws {SendspecError} when the service refused, and when something else than the service answered.
 */
export function successOf(
  operationId: OperationId,
  { data, error, response }: Reply,
  signal?: AbortSignal,
): AnyResult {
  if (!response.ok) throw new SendspecError(operationId, response, error);
  const { status } = response;
  const { result } = clientOperations[operationId];
  if (result === 'file') return { status, response, data: fileOf(operationId, data, response, signal) };
  const body = parse(data);
  if (!isObject(body)) throw new SendspecError(operationId, response, data);
  if (result === 'plain') return { status, response, data: body };
  if (!('data' in body && isObject(body.meta))) throw new SendspecError(operationId, response, body);
  return { status, response, data: body.data, meta: body.meta };
}

function fileOf(
  operationId: OperationId,
  data: unknown,
  response: Response,
  signal: AbortSignal | undefined,
): AsyncIterable<string> {
  const stream = data as ReadableStream<Uint8Array> | null | undefined;
  if (response.headers.get('content-type')?.startsWith('text/csv')) return textOf(stream, signal);
  void stream?.cancel();
  throw new SendspecError(operationId, response, undefined);
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
