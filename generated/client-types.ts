// Do not edit: made from openapi/ by "npm run generate".
import type {
  OperationId,
  OperationsWith,
  PathParameters,
  QueryParameters,
  RequestBody,
  ResponseBody,
  SuccessStatus,
} from './operations.ts';
import type { components } from './types.ts';

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
  /** Is told every new pair of tokens, and undefined after a logout: the place to keep them. */
  onTokens?: ((tokens: Tokens | undefined) => void) | undefined;
  /** How many times a call is tried again where that does no harm; 2 by default, 0 for never. See {@link createClient}. */
  retries?: number | undefined;
  /** The longest wait between two attempts, 60000 by default. Told to wait longer, a call fails at once. */
  maxRetryDelayMs?: number | undefined;
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

export interface Methods {
  /** Send emails */
  sendEmail: Method<'sendEmail'>;
  /** Log in */
  login: Method<'login'>;
  /** Log out */
  logout: Method<'logout'>;
  /** Refresh an access token */
  refreshToken: Method<'refreshToken'>;
  /** Register an organisation */
  register: Method<'register'>;
  /** Request a password reset */
  requestPasswordReset: Method<'requestPasswordReset'>;
  /** Set a new password */
  confirmPasswordReset: Method<'confirmPasswordReset'>;
  /** List accounts */
  listAccounts: ListMethod<'listAccounts'>;
  /** Create an account */
  createAccount: Method<'createAccount'>;
  /** Retrieve an account */
  getAccount: Method<'getAccount'>;
  /** Change an account */
  updateAccount: Method<'updateAccount'>;
  /** Delete an account */
  deleteAccount: Method<'deleteAccount'>;
  /** List API keys */
  listApiKeys: ListMethod<'listApiKeys'>;
  /** Create an API key */
  createApiKey: Method<'createApiKey'>;
  /** Revoke an API key */
  revokeApiKey: Method<'revokeApiKey'>;
  /** List webhooks */
  listWebhooks: ListMethod<'listWebhooks'>;
  /** Create a webhook */
  createWebhook: Method<'createWebhook'>;
  /** Retrieve a webhook */
  getWebhook: Method<'getWebhook'>;
  /** Change a webhook */
  updateWebhook: Method<'updateWebhook'>;
  /** Delete a webhook */
  deleteWebhook: Method<'deleteWebhook'>;
  /** List the deliveries of a webhook */
  listWebhookDeliveries: ListMethod<'listWebhookDeliveries'>;
  /** Send notifications again */
  replayWebhook: Method<'replayWebhook'>;
  /** Rotate the secret */
  rotateWebhookSecret: Method<'rotateWebhookSecret'>;
  /** Send a test event */
  testWebhook: Method<'testWebhook'>;
  /** List domains */
  listDomains: ListMethod<'listDomains'>;
  /** Create a domain */
  createDomain: Method<'createDomain'>;
  /** Retrieve a domain */
  getDomain: Method<'getDomain'>;
  /** Change a domain */
  updateDomain: Method<'updateDomain'>;
  /** Delete a domain */
  deleteDomain: Method<'deleteDomain'>;
  /** Rotate the DKIM key */
  rotateDomainDkim: Method<'rotateDomainDkim'>;
  /** Verify the DKIM records */
  verifyDomainDkim: Method<'verifyDomainDkim'>;
  /** Verify the Return-Path record */
  verifyDomainReturnPath: Method<'verifyDomainReturnPath'>;
  /** List suppressions */
  listSuppressions: ListMethod<'listSuppressions'>;
  /** Create a suppression */
  createSuppression: Method<'createSuppression'>;
  /** Retrieve a suppression */
  getSuppression: Method<'getSuppression'>;
  /** Delete a suppression */
  deleteSuppression: Method<'deleteSuppression'>;
  /** List messages */
  listMessages: ListMethod<'listMessages'>;
  /** Export messages as CSV */
  exportMessages: ExportMethod<'exportMessages'>;
  /** Retrieve a message */
  getMessage: Method<'getMessage'>;
  /** List the events of a message */
  listMessageEvents: ListMethod<'listMessageEvents'>;
  /** Retrieve statistics */
  getStats: Method<'getStats'>;
  /** List users */
  listUsers: ListMethod<'listUsers'>;
  /** Create a user */
  createUser: Method<'createUser'>;
  /** Retrieve a user */
  getUser: Method<'getUser'>;
  /** Change a user */
  updateUser: Method<'updateUser'>;
  /** Delete a user */
  deleteUser: Method<'deleteUser'>;
}

export type Client = Methods & {
  /** The tokens in use. */
  readonly tokens: Tokens | undefined;
};
