import type { Contract } from '../contract/contract.ts';
import type { StreamReply } from '../contract/handlers.ts';
import { ApiError } from '../domain/errors.ts';
import type { Logger } from '../operations/logger.ts';
import type { Metrics } from '../operations/metrics.ts';
import { type Headers, type LingerLimits, sendPieces, sendWhole } from './answer.ts';
import { challengeFor } from './authentication.ts';
import { ClientGoneError } from './body.ts';
import type { Exchange } from './exchange.ts';

/** What a handler answered with, as far as the sender can tell before it has looked. */
export type AnyReply = { status: number; body: unknown } | StreamReply<number>;

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
const CHARSET = '; charset=utf-8';
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const INTERNAL_SERVER_ERROR = 500;

/**
 * The only one who answers on the API. Every answer, errors included, is held against the contract before its first byte leaves:
 * status, headers, content type and body. One that breaks it is logged and leaves as a 500.
 */
export class Sender {
  readonly #contract: Contract;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #linger: LingerLimits;

  constructor(contract: Contract, logger: Logger, metrics: Metrics, linger: LingerLimits) {
    this.#contract = contract;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#linger = linger;
  }

  /** Sends the reply of a handler. */
  async send(exchange: Exchange, reply: AnyReply): Promise<void> {
    if ('stream' in reply) await this.#sendStream(exchange, reply);
    else this.#sendBody(exchange, reply.status, {}, this.#stamped(exchange, reply));
  }

  /** Sends what was thrown: an ApiError as the contract has it, everything else as a 500 that tells the caller nothing but its id. Never throws. */
  sendError(exchange: Exchange, error: unknown): void {
    try {
      this.#sendThrown(exchange, error);
    } catch (unsendable) {
      this.#lastResort(exchange, unsendable);
    }
  }

  #sendThrown(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientGoneError) {
      this.#forget(exchange);
      return;
    }
    if (!(error instanceof ApiError)) {
      this.#logger.error({ ...this.#facts(exchange), err: error }, 'a request failed');
      this.#sendFailure(exchange);
      return;
    }
    const { status, code, errors } = error;
    const body = { data: { code, errors }, meta: { rq_time: elapsed(exchange) } };
    this.#sendBody(exchange, status, errorHeaders(exchange, status), body);
  }

  /** Answers where no endpoint is; to HEAD without a body, since a HEAD has none (RFC 9110, section 9.3.2). */
  sendUnknownEndpoint(exchange: Exchange): void {
    if (exchange.request.method === 'HEAD') {
      this.sendEmpty(exchange, NOT_FOUND, {});
      return;
    }
    this.sendError(exchange, new ApiError('ENDPOINT_NOT_FOUND', 'there is no such endpoint'));
  }

  /** Sends headers only. */
  sendEmpty(exchange: Exchange, status: number, headers: Headers): void {
    const { request, response } = exchange;
    sendWhole(request, response, status, { ...exchange.headers, ...headers }, '', this.#linger);
    this.#done(exchange, status);
  }

  #sendBody(exchange: Exchange, status: number, ownHeaders: Headers, body: unknown): void {
    const headers = { ...exchange.headers, ...ownHeaders };
    const fault = this.#faultIn(exchange, status, headers, JSON_TYPE, body);
    if (fault !== undefined) {
      this.#sendFailure(exchange, fault);
      return;
    }
    this.#write(exchange, status, headers, JSON.stringify(body));
  }

  /** The first piece is fetched before anything is sent, so that what fails at once is still answered with a 500. */
  async #sendStream(exchange: Exchange, reply: StreamReply<number>): Promise<void> {
    const headers = { ...exchange.headers, ...reply.headers };
    const fault = this.#faultIn(exchange, reply.status, headers, CSV_TYPE, undefined);
    if (fault !== undefined) {
      this.#sendFailure(exchange, fault);
      return;
    }
    const pieces = reply.stream[Symbol.asyncIterator]();
    const first = await pieces.next();
    try {
      const { request, response } = exchange;
      const typed = { ...headers, 'Content-Type': CSV_TYPE + CHARSET };
      await sendPieces(request, response, reply.status, typed, startingWith(first, pieces));
    } catch (error) {
      if (exchange.request.socket.destroyed && isPrematureClose(error)) {
        this.#forget(exchange);
        return;
      }
      this.#logger.error({ ...this.#facts(exchange), err: error }, 'a response broke off in the middle');
    }
    this.#done(exchange, reply.status);
  }

  /** Answers with a 500; `fault` says how the intended response would have broken the contract. */
  #sendFailure(exchange: Exchange, fault?: string): void {
    if (fault !== undefined) {
      this.#logger.error({ ...this.#facts(exchange), fault }, 'a response would have broken the contract');
      this.#metrics.responseCheckFailed(exchange.operationName);
    }
    const code = 'INTERNAL_SERVER_ERROR';
    const description = `the service failed, please try again; it knows this request as ${exchange.id}`;
    const body = { data: { code, errors: [{ code, description }] }, meta: { rq_time: elapsed(exchange) } };
    this.#write(exchange, INTERNAL_SERVER_ERROR, exchange.headers, JSON.stringify(body));
  }

  #write(exchange: Exchange, status: number, headers: Headers, payload: string): void {
    const { request, response } = exchange;
    const typed = { ...headers, 'Content-Type': JSON_TYPE + CHARSET };
    sendWhole(request, response, status, typed, payload, this.#linger);
    this.#done(exchange, status);
  }

  /** When even an error cannot be sent (a header that Node refuses): the barest 500, or the end of a connection that has heard something already. */
  #lastResort(exchange: Exchange, error: unknown): void {
    this.#logger.error({ ...this.#facts(exchange), err: error }, 'an answer could not be sent');
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    exchange.headers = {};
    this.#sendFailure(exchange);
  }

  #faultIn(
    exchange: Exchange,
    status: number,
    headers: Headers,
    contentType: string,
    body: unknown,
  ): string | undefined {
    const check = exchange.operation?.response ?? this.#contract.outside;
    return check.faultIn({ status, headers, contentType, body });
  }

  /** The body with `meta.rq_time`, where the operation's successes have it. */
  #stamped(exchange: Exchange, { body }: { body: unknown }): unknown {
    if (!exchange.operation?.stampsTime || typeof body !== 'object' || body === null) return body;
    const meta = 'meta' in body && typeof body.meta === 'object' ? body.meta : undefined;
    return { ...body, meta: { ...meta, rq_time: elapsed(exchange) } };
  }

  #done(exchange: Exchange, status: number): void {
    this.#metrics.requestFinished(exchange.operationName, status, exchange.seconds);
    if (this.#logger.isLevelEnabled('debug')) {
      this.#logger.debug({ ...this.#facts(exchange), status, seconds: exchange.seconds }, 'answered');
    }
  }

  #forget(exchange: Exchange): void {
    this.#logger.debug(this.#facts(exchange), 'the client left');
    exchange.response.destroy();
  }

  #facts(exchange: Exchange): Record<string, unknown> {
    const { method } = exchange.request;
    return { requestId: exchange.id, operation: exchange.operationName, method };
  }
}

function errorHeaders(exchange: Exchange, status: number): Headers {
  if (status === UNAUTHORIZED)
    return { 'WWW-Authenticate': challengeFor(exchange.operation?.security ?? 'none') };
  const reset = exchange.headers['RateLimit-Reset'];
  return status === TOO_MANY_REQUESTS && reset !== undefined ? { 'Retry-After': reset } : {};
}

function elapsed(exchange: Exchange): string {
  return `${exchange.seconds.toFixed(4)}s`;
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    // A client that leaves must not leave a query behind.
    await rest.return?.();
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
