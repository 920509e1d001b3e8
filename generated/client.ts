// Do not edit: made from openapi/ by "npm run generate".
import createFetchClient from 'openapi-fetch';
import type { Client, ClientOptions, Tokens } from './client-types.ts';
import { type ErrorStatus, type OperationId, operations, type ResponseBody } from './operations.ts';
import type { components } from './types.ts';

export type * from './client-types.ts';

type Schemas = components['schemas'];

/** The service refused: thrown for every status from 400. */
export class SendspecError extends Error {
  readonly operationId: OperationId;
  readonly status: number;
  /** The error code of the envelope; `UNEXPECTED_RESPONSE` when the answer is not the service's own. */
  readonly code: Schemas['ErrorCode'] | 'UNEXPECTED_RESPONSE';
  readonly errors: readonly (Schemas['ErrorDetail'] | Schemas['FieldError'])[];
  readonly response: Response;

  constructor(operationId: OperationId, response: Response, body: unknown) {
    const { code, errors } = isErrorBody(body)
      ? body.data
      : ({ code: 'UNEXPECTED_RESPONSE', errors: [] } as const);
    super([`${operationId}: ${response.status} ${code}`, ...errors.map(describe)].join('; '));
    this.name = 'SendspecError';
    this.operationId = operationId;
    this.status = response.status;
    this.code = code;
    this.errors = errors;
    this.response = response;
  }

  /** The errors that name a field (those of a 422). */
  get fieldErrors(): Schemas['FieldError'][] {
    return this.errors.filter((error) => 'field' in error);
  }

  /** Seconds to wait before the next attempt, when the service named them (429). */
  get retryAfter(): number | undefined {
    const value = this.response.headers.get('retry-after');
    return value === null ? undefined : Number(value);
  }
}

/** The refusals that an operation documents, told apart by `status` and `code`. */
export type ErrorOf<Id extends OperationId> = {
  [S in ErrorStatus<Id>]: ResponseBody<Id, S> extends { data: { code: infer Code; errors: infer Errors } }
    ? SendspecError & { operationId: Id; status: S; code: Code; errors: Errors }
    : never;
}[ErrorStatus<Id>];

/** Whether `error` is a documented refusal of the operation; narrows `status`, `code` and `errors`. */
export function isErrorOf<Id extends OperationId>(operationId: Id, error: unknown): error is ErrorOf<Id> {
  if (!(error instanceof SendspecError) || error.operationId !== operationId) return false;
  const statuses: readonly number[] = operations[operationId].statuses;
  return error.code !== 'UNEXPECTED_RESPONSE' && statuses.includes(error.status);
}

function isErrorBody(body: unknown): body is Schemas['Error'] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  return (
    typeof data === 'object' &&
    data !== null &&
    'code' in data &&
    typeof data.code === 'string' &&
    'errors' in data &&
    Array.isArray(data.errors)
  );
}

function describe(error: Schemas['ErrorDetail'] | Schemas['FieldError']): string {
  if (!('field' in error)) return error.description;
  return `${error.field}: ${error.errors.map(({ description }) => description).join(', ')}`;
}

/** Any operation's input and result, for the code that serves all of them. */
interface AnyInput {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}
type AnyResult = { status: number; response: Response; data: unknown; meta?: unknown };
type Reply = { data?: unknown; error?: unknown; response: Response };
type Send = (operationId: OperationId, input: AnyInput, authorization: string | undefined) => Promise<Reply>;
type Call = (operationId: OperationId, input: AnyInput) => Promise<AnyResult>;

/**
 * A client for the service, with one method per operation.
 *
 * It authenticates by itself: with the API key for sendEmail, with a token for the rest. A token that is refused with
 * 401 is renewed (by refresh token, else by logging in) once for all calls that wait, and the call is made again.
 *
 * Methods throw a {@link SendspecError} for a status from 400, a TypeError when the options lack what the operation
 * needs, and what fetch throws when there is no answer.
 */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options);
  const session = createSession(options, send);
  const call = createCall(options, send, session);
  const methods = Object.fromEntries(ids().map((id) => [id, createMethod(call, id)]));
  // Not enumerable: a client that ends up in a log shows no secrets.
  Object.defineProperty(methods, 'tokens', { get: () => session.tokens });
  // The map is built by operationId, which the compiler cannot follow.
  return methods as unknown as Client;
}

function ids(): OperationId[] {
  return Object.keys(operations) as OperationId[];
}

function createSend({ baseUrl, fetch }: ClientOptions): Send {
  const core = createFetchClient<Record<string, never>>({ baseUrl, ...(fetch && { fetch }) });
  // Method and path come from a table here, so openapi-fetch's own inference has nothing to hold on to.
  const request = core.request as unknown as (method: string, path: string, init: object) => Promise<Reply>;
  return (operationId, { path, query, body, signal, headers }, authorization) => {
    const facts = operations[operationId];
    return request(facts.method, facts.path, {
      params: { path, query },
      body,
      headers: { ...(authorization && { authorization }), ...headers },
      parseAs: facts.contentType === 'text/csv' ? 'stream' : 'json',
      ...(signal && { signal }),
    });
  };
}

interface Session {
  readonly tokens: Tokens | undefined;
  readonly renewable: boolean;
  set(tokens: Tokens | undefined): void;
  /** A token other than `refused`: the one that another call got meanwhile, or a new one. */
  renew(refused: string | undefined): Promise<string>;
}

function createSession(options: ClientOptions, send: Send): Session {
  const { accessToken, refreshToken, credentials, onTokens } = options;
  let tokens: Tokens | undefined = accessToken === undefined ? undefined : { accessToken, refreshToken };
  let renewal: Promise<string> | undefined;
  let failure: { refused: string | undefined; error: SendspecError } | undefined;

  const set = (next: Tokens | undefined): void => {
    tokens = next;
    failure = undefined;
    onTokens?.(next);
  };

  const obtain = async (refresh: string | undefined): Promise<Tokens> => {
    if (refresh !== undefined) {
      const reply = await send(
        'refreshToken',
        { body: { grant_type: 'refresh_token', refresh_token: refresh } },
        undefined,
      );
      const passing = reply.response.status === 429 || reply.response.status >= 500;
      if (reply.response.ok || passing || !credentials) return tokensOf('refreshToken', reply);
    }
    return tokensOf(
      'login',
      await send('login', { body: { ...credentials, grant_type: 'password' } }, undefined),
    );
  };

  const start = async (refused: string | undefined): Promise<string> => {
    try {
      const next = await obtain(tokens?.refreshToken);
      set(next);
      return next.accessToken;
    } catch (error) {
      // Refused for good: the calls that come late with the same token need not ask again.
      if (error instanceof SendspecError && error.status === 401) failure = { refused, error };
      throw error;
    } finally {
      renewal = undefined;
    }
  };

  return {
    get tokens() {
      return tokens;
    },
    get renewable() {
      return credentials !== undefined || tokens?.refreshToken !== undefined;
    },
    set,
    async renew(refused) {
      if (tokens && tokens.accessToken !== refused) return tokens.accessToken;
      if (failure && failure.refused === refused) throw failure.error;
      renewal ??= start(refused);
      return renewal;
    },
  };
}

function tokensOf(operationId: OperationId, reply: Reply): Tokens {
  const token = successOf(operationId, reply).data as Schemas['Token'];
  return { accessToken: token.access_token, refreshToken: token.refresh_token };
}

function createCall({ apiKey }: ClientOptions, send: Send, session: Session): Call {
  const withToken = async (id: OperationId, input: AnyInput): Promise<Reply> => {
    if (!session.tokens && !session.renewable) {
      throw new TypeError(
        `${id} needs a token: give createClient credentials or an accessToken, or call login first.`,
      );
    }
    const token = session.tokens?.accessToken ?? (await session.renew(undefined));
    const reply = await send(id, input, `Bearer ${token}`);
    if (reply.response.status !== 401 || !session.renewable) return reply;
    return send(id, input, `Bearer ${await session.renew(token)}`);
  };

  const withKey = (id: OperationId, input: AnyInput): Promise<Reply> => {
    if (!apiKey) throw new TypeError(`${id} needs the option apiKey: { accountId, apiKey }.`);
    return send(id, input, `Basic ${base64(`${apiKey.accountId}:${apiKey.apiKey}`)}`);
  };

  const reach = {
    bearer: withToken,
    basic: withKey,
    none: (id: OperationId, input: AnyInput) => send(id, input, undefined),
  };

  return async (id, input) => {
    const reply = await reach[operations[id].security](id, input);
    const result = successOf(id, reply);
    if (id === 'login' || id === 'refreshToken') session.set(tokensOf(id, reply));
    if (id === 'logout') session.set(undefined);
    return result;
  };
}

function successOf(operationId: OperationId, { data, error, response }: Reply): AnyResult {
  if (!response.ok) throw new SendspecError(operationId, response, error);
  const { status } = response;
  const facts = operations[operationId];
  if (facts.contentType === 'text/csv')
    return { status, response, data: decode(data as ReadableStream<Uint8Array>) };
  if (facts.meta === 'none') return { status, response, data };
  return { status, response, ...(data as { data: unknown; meta: unknown }) };
}

function createMethod(call: Call, id: OperationId): unknown {
  const method = (input: AnyInput = {}): Promise<AnyResult> => call(id, input);
  if (!operations[id].paginated) return method;
  async function* pages(input: AnyInput = {}): AsyncGenerator<AnyResult, void, undefined> {
    let offset = Number(input.query?.offset ?? 0);
    for (;;) {
      const page = await call(id, { ...input, query: { ...input.query, offset } });
      yield page;
      const { length } = page.data as unknown[];
      offset += length;
      if (length === 0 || offset >= (page.meta as Schemas['ListMeta']).total) return;
    }
  }
  async function* all(input: AnyInput = {}): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(input)) yield* page.data as unknown[];
  }
  return Object.assign(method, { pages, all });
}

/** The text of a stream, chunk by chunk; leaving the loop early closes the connection. */
async function* decode(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, undefined> {
  if (!stream) return;
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = decoder.decode(value, { stream: !done });
      if (text) yield text;
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
