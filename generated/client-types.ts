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

export interface Methods {
  /**
   * Send emails
   *
   * Accepts up to 500 messages for delivery. What is accepted is stored before the response is sent; delivery goes on in the background.
   *
   * Each message is judged by itself, so that one that is wrong never keeps the others from being sent. The items of the response stand in the
   * order of the request. The status is 200 when every message was accepted and 207 when at least one was rejected, even when it was the only one;
   * a rejected item says why in `code` and `errors`. A message is checked first for its form, then for its sending domain, the recipient's
   * suppression, and the uniqueness of its custom ID.
   *
   * 422 concerns the body as a whole: it is not an array, it is empty, or it is too large. Nothing was sent then. After a 500 treat the messages as
   * lost and send them again; with `custom_id_unique` nothing is sent twice.
   *
   * Authentication is HTTP Basic: `account_id` and an API key of that account. The account has to be `active`.
   *
   * `POST /v1/send_email`
   *
   * @throws {SendspecError} 403: The account is disabled. 422: The body as a whole is wrong. Nothing was sent.
   */
  sendEmail: Method<'sendEmail'>;
  /**
   * Log in
   *
   * Starts a session and returns its tokens (the password grant of RFC 6749). The access token goes into the `Authorization` header of every other
   * operation but sending, and expires after `expires_in` seconds.
   *
   * A wrong password and an unknown address get the same answer. Attempts are limited by the address of the client.
   *
   * `POST /v1/login`
   *
   * @throws {SendspecError} 422: The body has missing or malformed fields.
   */
  login: Method<'login'>;
  /**
   * Log out
   *
   * Ends the session that the access token belongs to. Neither its access token nor its refresh token works from then on. Other sessions of the user go on. No body is needed, and one that comes is not read.
   *
   * `POST /v1/logout`
   */
  logout: Method<'logout'>;
  /**
   * Refresh an access token
   *
   * Exchanges a refresh token for a new pair of tokens, as RFC 6749 describes. The old pair is of no use from then on. A refresh token that is presented a second time ends its session, since somebody else may hold a copy; log in again then. A refresh token is valid for 30 days.
   *
   * `POST /v1/token/refresh`
   *
   * @throws {SendspecError} 422: A field is missing or malformed.
   */
  refreshToken: Method<'refreshToken'>;
  /**
   * Register an organisation
   *
   * Creates an organisation and its first user, who is an owner. Nothing is logged in by it: log in next. An email address belongs to one user of the whole service, so that one which is taken is refused.
   *
   * `POST /v1/register`
   *
   * @throws {SendspecError} 409: The email address belongs to a user already. 422: A field is missing or malformed.
   */
  register: Method<'register'>;
  /**
   * Request a password reset
   *
   * Mails the user a token for setting a new password. The token is valid for one hour and works once; asking again makes the earlier one useless. The answer is the same whether or not there is such a user, and takes as long, so that nobody can find out who is one.
   *
   * `POST /v1/password_reset`
   *
   * @throws {SendspecError} 422: The address is missing or malformed.
   */
  requestPasswordReset: Method<'requestPasswordReset'>;
  /**
   * Set a new password
   *
   * Sets a new password with the token from the mail. The token works once, and every session of the user ends, so that whoever knew the old password is out. Log in with the new one next.
   *
   * `POST /v1/password_reset/confirm`
   *
   * @throws {SendspecError} 409: The token is of no use. 422: A field is missing or malformed.
   */
  confirmPasswordReset: Method<'confirmPasswordReset'>;
  /**
   * List accounts
   *
   * Returns the sending accounts, newest first.
   *
   * `GET /v1/accounts`
   *
   * @throws {SendspecError} 422: A parameter is malformed.
   */
  listAccounts: ListMethod<'listAccounts'>;
  /**
   * Create an account
   *
   * Creates a sending account. It starts `active` and without API keys. The type is chosen here and never changes.
   *
   * `POST /v1/accounts`
   *
   * @throws {SendspecError} 403: The user is a viewer, who may only read. 422: The body has missing or malformed fields.
   */
  createAccount: Method<'createAccount'>;
  /**
   * Retrieve an account
   *
   * Returns one sending account.
   *
   * `GET /v1/accounts/{account_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such account. It never existed or has been deleted. 422: The identifier of the account is malformed.
   */
  getAccount: Method<'getAccount'>;
  /**
   * Change an account
   *
   * Renames an account, and disables it or makes it active again when `status` is given. The name is required even when it stays the same. The type
   * never changes; a `type` in the body is ignored.
   *
   * The API keys of a disabled account are answered 403 from then on. What was accepted before is still delivered.
   *
   * `PATCH /v1/accounts/{account_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such account. It never existed or has been deleted. 422: The identifier is malformed, or the body has missing or malformed fields.
   */
  updateAccount: Method<'updateAccount'>;
  /**
   * Delete an account
   *
   * Deletes an account for good, with its API keys, suppressions, webhooks and message log. What is still waiting to be delivered is cancelled. Domains
   * that were assigned to it remain.
   *
   * Its identifier is unknown from then on (409).
   *
   * `DELETE /v1/accounts/{account_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such account. It never existed or has been deleted. 422: The identifier of the account is malformed.
   */
  deleteAccount: Method<'deleteAccount'>;
  /**
   * List API keys
   *
   * The API keys of an account, newest first. The keys themselves are not kept and cannot be shown; the first characters tell them apart.
   *
   * `GET /v1/accounts/{account_id}/api_keys`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such account. It never existed or has been deleted. 422: The identifier or a parameter is malformed.
   */
  listApiKeys: ListMethod<'listApiKeys'>;
  /**
   * Create an API key
   *
   * Creates a key that sends for the account. This answer is the only one that shows the key: keep it. An account may have several keys, so that one can be replaced without a gap.
   *
   * `POST /v1/accounts/{account_id}/api_keys`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such account. It never existed or has been deleted. 422: The identifier or a field is missing or malformed.
   */
  createApiKey: Method<'createApiKey'>;
  /**
   * Revoke an API key
   *
   * Revokes a key for good: the next request with it is refused. What was accepted with it is still delivered. The answer is the key record that was deleted.
   *
   * `DELETE /v1/accounts/{account_id}/api_keys/{api_key_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account or the key does not exist. 422: An identifier is malformed.
   */
  revokeApiKey: Method<'revokeApiKey'>;
  /**
   * List webhooks
   *
   * Returns the webhooks of an account, newest first, without their secrets.
   *
   * `GET /v1/accounts/{account_id}/webhooks`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such account. It never existed or has been deleted. 422: The identifier or a parameter is malformed.
   */
  listWebhooks: ListMethod<'listWebhooks'>;
  /**
   * Create a webhook
   *
   * From now on the events of the account's messages are sent to the URL: those named in `events`, or all seven. This answer is one of two that
   * show the secret which the requests are signed with (the other is that of rotating it): keep it.
   *
   * The URL must lead to a public address. That is judged again each time a connection is made, whatever the name resolves to then. Only
   * `https` is taken, unless the operator of the service allows private addresses. An account has at most 100 webhooks.
   *
   * `POST /v1/accounts/{account_id}/webhooks`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account does not exist, or has as many webhooks as it may. 422: The identifier or a field is missing or malformed, or the URL may not be called.
   */
  createWebhook: Method<'createWebhook'>;
  /**
   * Retrieve a webhook
   *
   * Returns one webhook, without its secret.
   *
   * `GET /v1/accounts/{account_id}/webhooks/{webhook_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: The account or the webhook does not exist. 422: An identifier is malformed.
   */
  getWebhook: Method<'getWebhook'>;
  /**
   * Change a webhook
   *
   * Changes the URL, the events or the status; what is absent or `null` stays. Other events count from now on; notifications that wait go to the
   * new URL.
   *
   * A disabled webhook gets nothing, but its notifications are kept. Once it is enabled again, those of the last five days are sent; older ones
   * end as failed, and can be replayed.
   *
   * `PATCH /v1/accounts/{account_id}/webhooks/{webhook_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account or the webhook does not exist. 422: An identifier or a field is malformed, or the URL may not be called.
   */
  updateWebhook: Method<'updateWebhook'>;
  /**
   * Delete a webhook
   *
   * Deletes a webhook for good, with its delivery log. What waits is not sent any more. The answer is the webhook that was deleted.
   *
   * `DELETE /v1/accounts/{account_id}/webhooks/{webhook_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account or the webhook does not exist. 422: An identifier is malformed.
   */
  deleteWebhook: Method<'deleteWebhook'>;
  /**
   * List the deliveries of a webhook
   *
   * The delivery log: each notification for the webhook, newest first, with what was sent, every attempt and what came of it. It is kept as long
   * as the message log.
   *
   * `GET /v1/accounts/{account_id}/webhooks/{webhook_id}/deliveries`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: The account or the webhook does not exist. 422: An identifier or a parameter is malformed.
   */
  listWebhookDeliveries: ListMethod<'listWebhookDeliveries'>;
  /**
   * Send notifications again
   *
   * Sends notifications of the delivery log again: the one with `notification_id`, or those of a period whose status is in `statuses`, failed ones
   * if nothing is said. Each keeps its `webhook-id`, so that a receiver knows what it has seen, and gets the whole schedule of attempts anew. One
   * that waits is sent now.
   *
   * At most 10,000 are taken by a call, the oldest first; `remaining` says how many are left.
   *
   * `POST /v1/accounts/{account_id}/webhooks/{webhook_id}/replay`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account, the webhook or the notification does not exist, or the webhook is disabled. 422: An identifier or a field is malformed, or nothing is named.
   */
  replayWebhook: Method<'replayWebhook'>;
  /**
   * Rotate the secret
   *
   * Makes a new secret, shown in this answer. For `overlap_seconds` requests are signed with the old secrets too, so that a receiver can change
   * over when it suits; 0 ends all of them at once. Up to five secrets are valid at a time.
   *
   * `POST /v1/accounts/{account_id}/webhooks/{webhook_id}/rotate_secret`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account or the webhook does not exist, or five secrets are valid. 422: An identifier or the overlap is missing or malformed.
   */
  rotateWebhookSecret: Method<'rotateWebhookSecret'>;
  /**
   * Send a test event
   *
   * Sends an event of a message that does not exist, signed like a real one; its `custom_id` is `test`, its addresses end in `example.com`. It is
   * tried once. What came of it is in the delivery log a moment later.
   *
   * A webhook that was disabled for failing, or because its receiver was gone, is enabled again by a test that arrives.
   *
   * `POST /v1/accounts/{account_id}/webhooks/{webhook_id}/test`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account or the webhook does not exist. 422: An identifier or the event is missing or malformed.
   */
  testWebhook: Method<'testWebhook'>;
  /**
   * List domains
   *
   * Returns the sending domains with their DNS records, newest first.
   *
   * `GET /v1/domains`
   *
   * @throws {SendspecError} 422: A parameter is malformed.
   */
  listDomains: ListMethod<'listDomains'>;
  /**
   * Create a domain
   *
   * Adds a sending domain and assigns it to accounts. Neither DKIM nor Return-Path is verified yet; both have to be before a message from the domain
   * is accepted.
   *
   * Publish three CNAME records: `dkim_selector_1` with the value `dkim_cname_1`, `dkim_selector_2` with `dkim_cname_2`, and `return_path_hostname`
   * under the domain with `return_path_cname`. Then verify them. Names are compared without regard to case, and each can be added once in an
   * organisation.
   *
   * `POST /v1/domains`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The domain exists already, or one of the accounts does not. 422: The body has missing or malformed fields.
   */
  createDomain: Method<'createDomain'>;
  /**
   * Retrieve a domain
   *
   * Returns one sending domain with its DNS records and the state of their verification.
   *
   * `GET /v1/domains/{domain_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such domain. It never existed or has been deleted. 422: The identifier of the domain is malformed.
   */
  getDomain: Method<'getDomain'>;
  /**
   * Change a domain
   *
   * Assigns the domain to other accounts, and changes its Return-Path host when `return_path_hostname` is given. `accounts` is required and replaces
   * all that were assigned before.
   *
   * Another `return_path_hostname` is a record that nobody has seen yet: `return_path_verified_at` becomes `null`, and messages from the domain are
   * rejected until it is verified again. The same one changes nothing.
   *
   * `PATCH /v1/domains/{domain_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such domain, or one of the accounts does not exist. 422: The identifier is malformed, or the body has missing or malformed fields.
   */
  updateDomain: Method<'updateDomain'>;
  /**
   * Delete a domain
   *
   * Deletes a domain for good. No new mail is accepted from it; what was accepted before is still delivered, stays in the log, and can be searched for
   * by the identifier of the domain.
   *
   * The same name can be added again. It is a new domain then, with new records to publish.
   *
   * `DELETE /v1/domains/{domain_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such domain. It never existed or has been deleted. 422: The identifier of the domain is malformed.
   */
  deleteDomain: Method<'deleteDomain'>;
  /**
   * Rotate the DKIM key
   *
   * Replaces the key that signs the domain's mail, without a gap and without a change of DNS records: the selector that does not sign gets a new
   * key, and signs once that key is seen behind its CNAME record and the one before it has left the caches, which takes an hour or a little more.
   * Until then the old key signs; after that it stays published for mail that is still on its way.
   *
   * While a rotation waits, the call starts no other: it looks into the DNS at once and answers how far it is. For five days after a rotation
   * another one is refused. No body is needed.
   *
   * `POST /v1/domains/{domain_id}/rotate_dkim`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such domain, its DKIM records were never verified, or it had a new key a short while ago. 422: The identifier of the domain is malformed.
   */
  rotateDomainDkim: Method<'rotateDomainDkim'>;
  /**
   * Verify the DKIM records
   *
   * Looks up both DKIM records of the domain and the keys behind them. When they are as they should be, `dkim_verified_at` becomes the present time.
   *
   * A failure is 409 and names, for each record, what was expected and what was found. It leaves an earlier verification as it was. Resolvers
   * may answer from a cache for hours after a change; try again later. No body is needed.
   *
   * `POST /v1/domains/{domain_id}/verify_dkim`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such domain, or its DKIM records are not as they should be. 422: The identifier of the domain is malformed.
   */
  verifyDomainDkim: Method<'verifyDomainDkim'>;
  /**
   * Verify the Return-Path record
   *
   * Looks up the Return-Path record of the domain. When it is as it should be, `return_path_verified_at` becomes the present time.
   *
   * A failure is 409 and names what was expected and what was found. It leaves an earlier verification as it was. Resolvers may answer from a
   * cache for hours after a change; try again later. No body is needed.
   *
   * `POST /v1/domains/{domain_id}/verify_return_path`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such domain, or its Return-Path record is not as it should be. 422: The identifier of the domain is malformed.
   */
  verifyDomainReturnPath: Method<'verifyDomainReturnPath'>;
  /**
   * List suppressions
   *
   * Returns the suppressions of all accounts, or of those in `account_ids[]`, newest first. Without a period, entries of any age are returned. An account that does not exist is an error; a message or an address that nothing belongs to gives an empty page.
   *
   * `GET /v1/suppressions`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such account. It never existed or has been deleted. 422: A parameter is malformed.
   */
  listSuppressions: ListMethod<'listSuppressions'>;
  /**
   * Create a suppression
   *
   * Puts an address on the list of an account, which rejects messages to it from then on. The type of the entry is `manual`. The same address can be suppressed in several accounts, but once in each; letter case makes no difference.
   *
   * `POST /v1/suppressions`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The account does not exist, or the address is on its list already. 422: The body has missing or malformed fields.
   */
  createSuppression: Method<'createSuppression'>;
  /**
   * Retrieve a suppression
   *
   * Returns one suppression.
   *
   * `GET /v1/suppressions/{suppression_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such suppression. It never existed or has been deleted. 422: The identifier of the suppression is malformed.
   */
  getSuppression: Method<'getSuppression'>;
  /**
   * Delete a suppression
   *
   * Takes an address off the list of its account for good, whatever put it there. The account delivers to it again, until the next hard bounce, complaint or unsubscribe.
   *
   * `DELETE /v1/suppressions/{suppression_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: There is no such suppression. It never existed or has been deleted. 422: The identifier of the suppression is malformed.
   */
  deleteSuppression: Method<'deleteSuppression'>;
  /**
   * List messages
   *
   * Returns what was accepted for delivery in a period, newest first. The default is the last 60 days.
   *
   * Filters narrow the list together. Accounts and domains have to exist, or to have existed in the case of a domain; a message, address or custom ID
   * that nothing belongs to gives an empty page. Messages can be read while the log is kept; those of a deleted account cannot.
   *
   * `GET /v1/messages`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: An account or a domain of the filters does not exist. 422: A parameter is malformed.
   */
  listMessages: ListMethod<'listMessages'>;
  /**
   * Export messages as CSV
   *
   * Returns all messages of a period as one CSV file (RFC 4180, UTF-8), newest first. It takes the filters of the list, and always returns
   * everything that matches; there are no pages.
   *
   * The first line names the columns: `message_id`, `custom_id`, `recipient_email`, `from_email`, `subject`, `domain_id`, `account_id`, `domain_name`,
   * `account_name`, `created_at`, `updated_at`, `opened_at`, `clicked_at`, `unsubscribed_at`, `delivery_status`, `spam_complaint_at`, `smtp_response`.
   * The last one is the last reply of the remote server. What is `null` in the list is empty here.
   *
   * A cell that a spreadsheet would take for a formula (one that starts with `=`, `+`, `-`, `@`, a tab or a carriage return) has an apostrophe before it.
   *
   * A transfer that breaks off without its end mark is not complete.
   *
   * `GET /v1/messages/export`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: An account or a domain of the filters does not exist. 422: A parameter is malformed.
   */
  exportMessages: ExportMethod<'exportMessages'>;
  /**
   * Retrieve a message
   *
   * Returns the log entry of one message. It holds no content.
   *
   * `GET /v1/messages/{message_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such message. It never existed or has been deleted. 422: The identifier of the message is malformed.
   */
  getMessage: Method<'getMessage'>;
  /**
   * List the events of a message
   *
   * Returns what has happened to a message, newest first. The last event is always `new`. Delivery attempts, opens and clicks are listed each time they happen.
   *
   * `GET /v1/messages/{message_id}/events`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such message. It never existed or has been deleted. 422: The identifier or another parameter is malformed.
   */
  listMessageEvents: ListMethod<'listMessageEvents'>;
  /**
   * Retrieve statistics
   *
   * Returns counts of a period, and on request the same counts for each account or each domain.
   *
   * Messages are counted by the time they were accepted (`messages`, `track_opens`, `track_clicks`), everything else by the time it happened. The ends
   * of the period belong to it and may be given in either order; a date stands for the whole of that day in UTC.
   *
   * A breakdown lists every account (or domain), those without any activity included. A deleted domain stays in it while it has messages. Only one
   * breakdown can be asked for at a time.
   *
   * `GET /v1/stats`
   *
   * @throws {SendspecError} 422: A parameter is missing or malformed, or both breakdowns were asked for.
   */
  getStats: Method<'getStats'>;
  /**
   * List users
   *
   * The users of the organisation, newest first. A viewer may list them too.
   *
   * `GET /v1/users`
   *
   * @throws {SendspecError} 422: A parameter is malformed.
   */
  listUsers: ListMethod<'listUsers'>;
  /**
   * Create a user
   *
   * Adds a user to the organisation, with a password to hand over. An owner may do everything, a viewer may only read. An email address belongs to one user of the whole service.
   *
   * `POST /v1/users`
   *
   * @throws {SendspecError} 403: The user is a viewer, who may only read. 409: The email address belongs to a user already. 422: A field is missing or malformed.
   */
  createUser: Method<'createUser'>;
  /**
   * Retrieve a user
   *
   * One user of the organisation. A viewer may read it too.
   *
   * `GET /v1/users/{user_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation. 409: There is no such user. It never existed or has been deleted. 422: The identifier of the user is malformed.
   */
  getUser: Method<'getUser'>;
  /**
   * Change a user
   *
   * Changes what the body names and leaves the rest. A new password or a new role ends the sessions of the user. The organisation keeps at least one owner, so that the last one cannot become a viewer.
   *
   * `PATCH /v1/users/{user_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The user does not exist, or the change breaks a rule. 422: The identifier or a field is malformed.
   */
  updateUser: Method<'updateUser'>;
  /**
   * Delete a user
   *
   * Deletes a user for good and ends the sessions of that user. The last owner of an organisation cannot be deleted. The answer is the user that was deleted.
   *
   * `DELETE /v1/users/{user_id}`
   *
   * @throws {SendspecError} 403: The resource belongs to another organisation, or the user is a viewer, who may only read. 409: The user does not exist, or is the last owner. 422: The identifier of the user is malformed.
   */
  deleteUser: Method<'deleteUser'>;
}

export type Client = Methods & {
  /** The tokens in use. */
  readonly tokens: Tokens | undefined;
};
