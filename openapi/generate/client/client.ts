// Template: generated/client.ts is made from this file.
import { clientOperations } from '../../../generated/client-operations.ts';
import type { OperationId } from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';
import { messagesOf } from './client-csv.ts';
import {
  type AnyInput,
  checkBaseUrl,
  checkPath,
  createSend,
  orAborted,
  type Reply,
  type Send,
  withRetries,
} from './client-request.ts';
import { type AnyResult, successOf } from './client-result.ts';
import { createSession, type Session, tokensOf } from './client-session.ts';
import type { Client, ClientOptions } from './client-types.ts';

export { type ErrorOf, isErrorOf, SendspecError } from './client-error.ts';
export type * from './client-types.ts';

type Call = (operationId: OperationId, input: AnyInput) => Promise<AnyResult>;

/**
 * A client for the service, with one method per operation, for Node and browsers.
 *
 * It authenticates by itself: with the API key for sendEmail, with a token for the rest. A token that is refused with
 * 401 is renewed (by refresh token, else by logging in) once for all calls that wait, and each call is made again once.
 *
 * It waits and tries again, `retries` times: after a 429 (for as long as `Retry-After` says), and after a fault of the network
 * or a status from 500 where that cannot do anything twice, which is GET, and sendEmail when every message has a `custom_id` and
 * `custom_id_unique`. In that case `CUSTOM_ID_NOT_UNIQUE` in a result may mean that the attempt before was accepted. Any
 * other sendEmail that gets no answer may have been accepted: whether to send it again is for the caller to say.
 *
 * An attempt that has no answer after `timeoutMs` counts as a fault of the network. The `signal` of an input ends its call wherever
 * it is: under way, waiting to try again, or waiting for a token.
 *
 * @throws {SendspecError} for a status from 400, and for an answer that is not the service's own.
 * @throws {TypeError} when the options lack what the operation needs, or a path parameter is empty or `..`; nothing is sent then.
 * @throws {DOMException} a `TimeoutError` after `timeoutMs`; and whatever fetch throws when there is no answer.
 * @throws the reason of the signal when that is aborted.
 */
export function createClient(options: ClientOptions): Client {
  checkBaseUrl(options.baseUrl);
  const send = withRetries(createSend(options), options);
  const session = createSession(options, send);
  const call = createCall(options, send, session);
  const ids = Object.keys(clientOperations) as OperationId[];
  const methods = Object.fromEntries(ids.map((id) => [id, createMethod(call, id)]));
  // Not enumerable: a client that ends up in a log shows no secrets.
  Object.defineProperty(methods, 'tokens', { get: () => session.tokens });
  // The map is built by operationId, which the compiler cannot follow.
  return methods as unknown as Client;
}

function createCall({ apiKey }: ClientOptions, send: Send, session: Session): Call {
  const withToken = async (id: OperationId, input: AnyInput): Promise<Reply> => {
    if (!session.tokens && !session.renewable) {
      throw new TypeError(
        `${id} needs a token: give createClient credentials or an accessToken, or call login first.`,
      );
    }
    const renew = (refused?: string): Promise<string> => orAborted(session.renew(refused), input.signal);
    const token = session.tokens?.accessToken ?? (await renew());
    const reply = await send(id, input, `Bearer ${token}`);
    if (reply.response.status !== 401 || !session.renewable) return reply;
    return send(id, input, `Bearer ${await renew(token)}`);
  };

  const withKey = async (id: OperationId, input: AnyInput): Promise<Reply> => {
    if (!apiKey) throw new TypeError(`${id} needs the option apiKey: { accountId, apiKey }.`);
    return send(id, input, `Basic ${base64(`${apiKey.accountId}:${apiKey.apiKey}`)}`);
  };

  const reach = {
    bearer: withToken,
    basic: withKey,
    none: (id: OperationId, input: AnyInput) => send(id, input, undefined),
  };

  return async (id, input) => {
    checkPath(id, input.path);
    input.signal?.throwIfAborted();
    const reply = await reach[clientOperations[id].security](id, input);
    const result = successOf(id, reply, input.signal);
    if (id === 'login' || id === 'refreshToken') await session.set(tokensOf(result.data));
    if (id === 'logout') await session.set(undefined);
    return result;
  };
}

function createMethod(call: Call, id: OperationId): unknown {
  const method = (input: AnyInput = {}): Promise<AnyResult> => call(id, input);
  const { result } = clientOperations[id];
  if (result === 'page') return Object.assign(method, listMethods(method));
  if (result === 'file') return Object.assign(method, { rows: rowsMethod(method) });
  return method;
}

type AnyMethod = (input?: AnyInput) => Promise<AnyResult>;

function listMethods(method: AnyMethod): object {
  async function* pages(input: AnyInput = {}): AsyncGenerator<AnyResult, void, undefined> {
    let offset = Number(input.query?.offset ?? 0);
    for (;;) {
      const page = await method({ ...input, query: { ...input.query, offset } });
      yield page;
      const { length } = page.data as unknown[];
      offset += length;
      if (length === 0 || offset >= (page.meta as components['schemas']['ListMeta']).total) return;
    }
  }
  async function* all(input?: AnyInput): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(input)) yield* page.data as unknown[];
  }
  return { pages, all };
}

function rowsMethod(method: AnyMethod): unknown {
  return async function* rows(input?: AnyInput): AsyncGenerator<unknown, void, undefined> {
    const { data } = await method(input);
    yield* messagesOf(data as AsyncIterable<string>);
  };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
