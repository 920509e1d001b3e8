// Do not edit: made from openapi/ by "npm run generate".
import createFetchClient from 'openapi-fetch';
import { clientOperations } from './client-operations.ts';
import type { OperationId } from './operations.ts';
import type { components } from './types.ts';
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

/** One request, one reply. */
export function createSend({ baseUrl, fetch }: ClientOptions): Send {
  const core = createFetchClient<Record<string, never>>({ baseUrl, ...(fetch && { fetch }) });
  // Method and path come from a table here, so openapi-fetch's own inference has nothing to hold on to.
  const request = core.request as unknown as (method: string, path: string, init: object) => Promise<Reply>;
  return (operationId, { path, query, body, signal, headers }, authorization) => {
    const operation = clientOperations[operationId];
    return request(operation.method, operation.path, {
      params: { path, query },
      body,
      headers: { ...(authorization && { authorization }), ...headers },
      parseAs: operation.result === 'file' ? 'stream' : 'text',
      ...(signal && { signal }),
    });
  };
}

const FIRST_DELAY_MS = 250;

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
      await wait(Math.min(delay, maxRetryDelayMs), input.signal);
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
