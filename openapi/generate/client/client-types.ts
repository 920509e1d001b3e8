// Template: generated/client-types.ts is made from this file. Everything but the method map is written here.
import type {
  OperationId,
  OperationsWith,
  PathParameters,
  QueryParameters,
  RequestBody,
  ResponseBody,
  SuccessStatus,
} from '../../../generated/operations.ts';
import type { components } from '../../../generated/types.ts';

/** What a client is made of. `baseUrl` alone is enough for the public operations. */
export interface ClientOptions {
  /** Where the service is, without `/v1`: `https://mail.example.com`. */
  baseUrl: string;
  /** A token from an earlier login. */
  accessToken?: string | undefined;
  /** The refresh token that came with it; it renews the access token without a password. */
  refreshToken?: string | undefined;
  /** Used to log in when there is no token, or when it can no longer be refreshed. */
  credentials?: { email: string; password: string } | undefined;
  /** What sendEmail authenticates with. */
  apiKey?: { accountId: string; apiKey: string } | undefined;
  /**
   * Is told every new pair of tokens, and undefined after a logout: the place to keep them. A promise is waited for before the calls
   * that needed the pair go on, as a refresh token is good for one use; what it throws, they throw.
   */
  onTokens?: ((tokens: Tokens | undefined) => unknown) | undefined;
  /** How many times a call is tried again where that does no harm; 2 by default, 0 for never. See {@link createClient}. */
  retries?: number | undefined;
  /** The longest wait between two attempts, 60000 by default. Told to wait longer, a call fails at once. */
  maxRetryDelayMs?: number | undefined;
  /**
   * How long an attempt may take until its answer is there, 120000 by default, 0 for as long as it takes. Of the export it is the
   * time until the file begins.
   */
  timeoutMs?: number | undefined;
  /** Replaces the global fetch: for a certificate authority of one's own, a proxy, or a test. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export interface Tokens {
  accessToken: string;
  refreshToken?: string | undefined;
}

type Slot<Name extends string, T> = [T] extends [never]
  ? unknown
  : Record<never, never> extends T
    ? { [N in Name]?: T | undefined }
    : { [N in Name]: T };

/** What a method takes: the operation's path and query parameters and its body, and the usual options of fetch. */
export type Input<Id extends OperationId> = Slot<'path', PathParameters<Id>> &
  Slot<'query', QueryParameters<Id>> &
  Slot<'body', RequestBody<Id>> & {
    signal?: AbortSignal | undefined;
    headers?: Record<string, string> | undefined;
  };

type Arguments<Id extends OperationId> =
  Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [Input<Id>];

type Payload<Id extends OperationId, S extends SuccessStatus<Id>> =
  Id extends OperationsWith<'contentType', 'text/csv'>
    ? { data: AsyncIterable<string> }
    : ResponseBody<Id, S> extends { data: infer Data; meta: infer Meta }
      ? { data: Data; meta: Meta }
      : { data: ResponseBody<Id, S> };

/** What a method gives: the envelope's `data` and `meta` (or the plain body as `data`), told apart by `status`. */
export type Result<Id extends OperationId> = {
  [S in SuccessStatus<Id>]: { status: S; response: Response } & Payload<Id, S>;
}[SuccessStatus<Id>];

type ItemOf<Id extends OperationId> = Result<Id> extends { data: readonly (infer Item)[] } ? Item : never;

export type Method<Id extends OperationId> = (...input: Arguments<Id>) => Promise<Result<Id>>;

/**
 * A list operation: one page when called, every page with `pages`, every item with `all`.
 *
 * Pages are counted by offset, newest first: an item that arrives meanwhile moves the others down, so that one may be seen
 * twice; one that is deleted moves them up, so that one may be missed. Messages and suppressions hold still with a `period_to`
 * that is not in the future; to delete what is listed, collect it first.
 */
export type ListMethod<Id extends OperationId> = Method<Id> & {
  pages(...input: Arguments<Id>): AsyncGenerator<Result<Id>, void, undefined>;
  all(...input: Arguments<Id>): AsyncGenerator<ItemOf<Id>, void, undefined>;
};

/** A line of the export: the message as it is in the list, and the last reply of the recipient's server. */
export type ExportedMessage = components['schemas']['Message'] & { smtp_response: string | null };

/**
 * The export: when called, the file as text, for a disk or a spreadsheet; with `rows`, its lines as messages.
 *
 * Both stream: memory does not grow with the file, and leaving the loop ends the download. In the file, a cell that a
 * spreadsheet would run as a formula has an apostrophe before it; `rows` takes it away again. (A text that begins with an
 * apostrophe and one of `= + - @`, tab or carriage return by itself loses its apostrophe there: the file does not tell them apart.)
 */
export type ExportMethod<Id extends OperationId> = Method<Id> & {
  rows(...input: Arguments<Id>): AsyncGenerator<ExportedMessage, void, undefined>;
};

// The methods of the client: replaced by one documented method per operation.
export type Methods = {
  [Id in OperationId]: Id extends OperationsWith<'paginated', true>
    ? ListMethod<Id>
    : Id extends OperationsWith<'contentType', 'text/csv'>
      ? ExportMethod<Id>
      : Method<Id>;
};

export type Client = Methods & {
  /** The tokens in use. */
  readonly tokens: Tokens | undefined;
};
