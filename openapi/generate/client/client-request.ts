// Template: generated/client-request.ts is made from this file.
import createFetchClient from 'openapi-fetch';
import { clientOperations } from '../../../generated/client-operations.ts';
import type { OperationId } from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';
import { retryAfterOf } from './client-error.ts';
import type { ClientOptions } from './client-types.ts';

type Message = components['schemas']['SendEmailMessage'];

/** Any operation's input, for the code that serves all of them. */
export interface AnyInput {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

/** What came back: text, or a stream where the operation answers with a file; `error` for a status from 400. */
export type Reply = { data?: unknown; error?: unknown; response: Response };
export type Send = (
  operationId: OperationId,
  input: AnyInput,
  authorization: string | undefined,
) => Promise<Reply>;

const DEFAULT_TIMEOUT_MS = 120_000;

/** One request, one reply. */
export function createSend({ baseUrl, fetch, timeoutMs = DEFAULT_TIMEOUT_MS }: ClientOptions): Send {
  const core = createFetchClient<Record<string, never>>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // The service never redirects, and to follow somebody who does would turn a POST into a GET or lose the credentials.
    redirect: 'manual',
    ...(fetch && { fetch }),
  });
  // Method and path come from a table here, so openapi-fetch's own inference has nothing to hold on to.
  const request = core.request as unknown as (method: string, path: string, init: object) => Promise<Reply>;
  return async (operationId, { path, query, body, signal, headers }, authorization) => {
    const operation = clientOperations[operationId];
    const deadline = deadlineOf(operationId, timeoutMs, signal);
    const reply = request(operation.method, operation.path, {
      params: { path, query },
      body,
      headers: { ...(authorization && { authorization }), ...headers },
      parseAs: operation.result === 'file' ? 'stream' : 'text',
      signal: deadline.signal,
    });
    return orAborted(reply, deadline.signal).finally(deadline.clear);
  };
}

/** A signal that follows the caller's, and fires by itself unless it is cleared in time. */
function deadlineOf(
  operationId: OperationId,
  milliseconds: number,
  signal: AbortSignal | undefined,
): { signal: AbortSignal; clear: () => void } {
  const late = new AbortController();
  const stop = (): void =>
    late.abort(new DOMException(`${operationId}: no answer within ${milliseconds} ms`, 'TimeoutError'));
  const timer = milliseconds > 0 ? setTimeout(stop, Math.min(milliseconds, LONGEST_TIMER_MS)) : undefined;
  return {
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    clear: () => clearTimeout(timer),
  };
}

/** @throws {TypeError} for what is no address; a path alone is one in a browser. */
export function checkBaseUrl(baseUrl: string): void {
  if (/^(https?:\/\/[^/]|\/)/i.test(baseUrl)) return;
  throw new TypeError(
    `baseUrl has to be an address such as https://mail.example.com, not ${JSON.stringify(baseUrl)}.`,
  );
}

/**
 * Holds up what would lead to another endpoint: `DELETE /v1/accounts/ID/api_keys/..` deletes the account.
 *
 * @throws {TypeError} that names the parameter.
 */
export function checkPath(operationId: OperationId, path: AnyInput['path']): void {
  for (const [, name = ''] of clientOperations[operationId].path.matchAll(/\{(\w+)\}/g)) {
    const value = String(path?.[name] ?? '');
    if (/^\.{0,2}$/.test(value)) {
      throw new TypeError(`${operationId} needs path.${name}, and ${JSON.stringify(value)} is none.`);
    }
  }
}

const FIRST_DELAY_MS = 250;
/** Timers of more than 31 bits fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The same, patient: a 429 is repeated for every operation, since nothing was processed; a fault of the network and a
 * status from 500 only where a repetition cannot do anything twice.
 *
 * The wait grows from attempt to attempt, jittered, and is never shorter than `Retry-After`. One that would be longer than
 * `maxRetryDelayMs` is not begun. The input's signal ends it.
 */
export function withRetries(
  send: Send,
  { retries = 2, maxRetryDelayMs = 60_000 }: Pick<ClientOptions, 'retries' | 'maxRetryDelayMs'>,
): Send {
  return async (operationId, input, authorization) => {
    const harmless = isHarmlessTwice(operationId, input);
    for (let attempt = 0; ; attempt += 1) {
      const isLast = !(attempt < retries);
      let delay = FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2);
      try {
        const reply = await send(operationId, input, authorization);
        const { status } = reply.response;
        if (isLast || !(status === 429 || (status >= 500 && harmless))) return reply;
        const asked = (retryAfterOf(reply.response) ?? 0) * 1000;
        if (asked > maxRetryDelayMs) return reply;
        delay += asked;
      } catch (error) {
        if (isLast || !harmless) throw error;
      }
      await wait(Math.min(delay, maxRetryDelayMs, LONGEST_TIMER_MS), input.signal);
    }
  };
}

/** Whether a request that may have been processed can be made again: it only reads, or no message can be accepted twice. */
function isHarmlessTwice(operationId: OperationId, { body }: AnyInput): boolean {
  if (clientOperations[operationId].method === 'get') return true;
  if (operationId !== 'sendEmail' || !Array.isArray(body)) return false;
  return (body as Partial<Message>[]).every((message) => message.custom_id && message.custom_id_unique);
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The outcome of work that others wait for as well: the signal ends this wait, not the work. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
