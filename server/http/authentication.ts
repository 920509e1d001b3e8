import type { Caller } from '../contract/handlers.ts';
import { ApiError } from '../domain/errors.ts';
import type { SystemStore } from '../store/store.ts';

/** The two ways to prove who one is. */
export type Security = 'basic' | 'bearer';

/** Finds out who sends a request. Throws INVALID_CREDENTIALS when the header does not prove it in the way asked for. */
export type Authenticate = (security: Security, authorization: string | undefined) => Promise<Caller>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// RFC 6750, section 2.1, and RFC 7617, section 2: one space or more, then a token68; the scheme in any case (RFC 9110, section 11.1).
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
const BASIC = /^basic +([\w+/-]+=*)$/i;

const CHALLENGES: Readonly<Record<Security, string>> = {
  basic: 'Basic realm="sendspec", charset="UTF-8"',
  bearer: 'Bearer realm="sendspec"',
};

/** The value of WWW-Authenticate for an operation; one that takes its credentials in the body names the scheme of what it gives out. */
export function challengeFor(security: Security | 'none'): string {
  return CHALLENGES[security === 'none' ? 'bearer' : security];
}

/** Authentication against the store: access tokens by Bearer, an account's API keys by Basic, neither in place of the other. */
export function createAuthenticate(
  store: Pick<SystemStore, 'forOrganisation'> & {
    authentication: Pick<SystemStore['authentication'], 'byToken' | 'byApiKey'>;
  },
): Authenticate {
  return async (security, authorization = '') => {
    const caller = security === 'bearer' ? await userOf(authorization) : await accountOf(authorization);
    if (caller === undefined) throw invalidCredentials(security);
    return caller;
  };

  async function userOf(authorization: string): Promise<Caller | undefined> {
    const token = bearerToken(authorization);
    const user = token === undefined ? undefined : await store.authentication.byToken(token);
    if (user === undefined) return undefined;
    const { userId, role, sessionId, organisationId } = user;
    return { kind: 'user', userId, role, sessionId, store: store.forOrganisation(organisationId) };
  }

  async function accountOf(authorization: string): Promise<Caller | undefined> {
    const credentials = basicCredentials(authorization);
    const account =
      credentials && (await store.authentication.byApiKey(credentials.accountId, credentials.apiKey));
    if (account === undefined) return undefined;
    const { accountId, status, organisationId } = account;
    return { kind: 'account', accountId, status, store: store.forOrganisation(organisationId) };
  }
}

/** The access token of an Authorization header (RFC 6750, section 2.1); undefined when it carries none. */
export function bearerToken(authorization: string): string | undefined {
  const [, token] = BEARER.exec(authorization) ?? [];
  return token;
}

/** The account ID and API key of an Authorization header (RFC 7617, section 2); undefined when the first is no UUID or the header is malformed. */
export function basicCredentials(authorization: string): { accountId: string; apiKey: string } | undefined {
  const [, credentials] = BASIC.exec(authorization) ?? [];
  if (credentials === undefined) return undefined;
  const pair = Buffer.from(credentials, 'base64').toString();
  const colon = pair.indexOf(':');
  const accountId = pair.slice(0, Math.max(colon, 0));
  return UUID.test(accountId) ? { accountId, apiKey: pair.slice(colon + 1) } : undefined;
}

/** The 401 of an operation with this authentication. */
export function invalidCredentials(security: Security): ApiError {
  return new ApiError('INVALID_CREDENTIALS', DESCRIPTIONS[security]);
}

const DESCRIPTIONS: Readonly<Record<Security, string>> = {
  basic: 'the account or its API key is missing or wrong',
  bearer: 'the access token is missing, wrong or expired',
};
