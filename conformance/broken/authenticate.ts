import type { OperationId } from '../../generated/operations.ts';
import type { FaultId } from './faults.ts';
import { type ErrorCode, Refusal } from './refusal.ts';
import type { Account, ApiKey, Session, User, World } from './state.ts';

/** The operations that answer anybody under a fault. */
const PUBLIC_UNDER: Partial<Record<OperationId, FaultId>> = {
  getStats: 'authentication.stats-public',
  exportMessages: 'authentication.export-public',
  listAccounts: 'authentication.accounts-public',
  deleteSuppression: 'authentication.suppression-deletion-public',
};

/** The refusal of whom nobody knows. */
export class Unauthorized extends Refusal {
  readonly scheme: 'Basic' | 'Bearer';

  constructor(scheme: 'Basic' | 'Bearer', description: string) {
    const code: ErrorCode = 'INVALID_CREDENTIALS';
    super(401, code, [{ code, description }]);
    this.scheme = scheme;
  }
}

/** Who has the session of the access token. Throws a 401. */
export function sessionOf(
  world: World,
  operationId: OperationId,
  authorization: string,
): { user: User; session: Session } {
  const fault = PUBLIC_UNDER[operationId];
  if (fault !== undefined && world.has(fault)) return anybody(world);
  const [scheme = '', token = ''] = authorization.split(/ +/, 2);
  if (scheme.toLowerCase() === 'basic' && world.has('authentication.basic-manages')) {
    const { account } = accountOf(world, authorization);
    return ofOrganisation(world, account.organisation_id);
  }
  const isBearer = scheme.toLowerCase() === 'bearer' || world.has('authentication.scheme-unchecked');
  const session = isBearer ? sessionWith(world, token) : undefined;
  const user = session && (world.users.get(session.user_id) ?? world.formerUsers.get(session.user_id));
  if (session === undefined || user === undefined)
    throw new Unauthorized('Bearer', 'the access token is of no use');
  return { user, session };
}

function sessionWith(world: World, token: string): Session | undefined {
  const isSame = world.has('authentication.token-compared-by-start')
    ? (one: string) => token.length >= 20 && one.startsWith(token.slice(0, 20))
    : (one: string) => one === token;
  const isRefresh = (one: Session) =>
    one.refresh_token === token && world.has('authentication.refresh-token-grants-access');
  const session = [...world.sessions].find((one) => isSame(one.access_token) || isRefresh(one));
  const isOver = session !== undefined && session.expires_at < world.clock.now();
  return isOver && !world.has('authentication.tokens-never-expire') ? undefined : session;
}

function anybody(world: World): { user: User; session: Session } {
  const [first] = world.organisations.keys();
  return ofOrganisation(world, first ?? '');
}

function ofOrganisation(world: World, organisation_id: string): { user: User; session: Session } {
  const user = [...world.users.values()].find((one) => one.organisation_id === organisation_id);
  if (user === undefined) throw new Unauthorized('Bearer', 'nobody is there');
  const session = {
    user_id: user.user_id,
    access_token: '',
    refresh_token: '',
    used: new Set<string>(),
    expires_at: 0n,
    refresh_until: 0n,
  };
  return { user, session };
}

/** The account of the user name, when the password is one of its keys. Throws a 401. */
export function accountOf(world: World, authorization: string): { account: Account; key: ApiKey } {
  const [scheme = '', credentials = ''] = authorization.split(/ +/, 2);
  const isBasic = scheme.toLowerCase() === 'basic';
  if (scheme.toLowerCase() === 'bearer' && world.has('authentication.bearer-sends'))
    return firstAccount(world, credentials);
  const [account_id = '', api_key = ''] = isBasic
    ? splitOnce(Buffer.from(credentials, 'base64').toString())
    : [];
  const key = [...world.keys.values()].find((one) => one.api_key === api_key);
  const account =
    world.accounts.get(account_id.toLowerCase()) ?? world.formerAccounts.get(account_id.toLowerCase());
  const isOwn = key?.account_id === account?.account_id || world.has('authentication.key-of-any-account');
  const isNewest = !world.has('authentication.one-key-only') || key === newestKey(world, account_id);
  if (world.has('authentication.key-unchecked') && account !== undefined) return firstKey(world, account);
  if (key === undefined || account === undefined || !isOwn || !isNewest) {
    throw new Unauthorized('Basic', 'the API key is not one of the account');
  }
  key.last_used_at = world.clock.now();
  return { account, key };
}

function splitOnce(credentials: string): [string, string] {
  const colon = credentials.indexOf(':');
  return colon < 0 ? [credentials, ''] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
}

function newestKey(world: World, account_id: string): ApiKey | undefined {
  return [...world.keys.values()].findLast((key) => key.account_id === account_id);
}

function firstKey(world: World, account: Account): { account: Account; key: ApiKey } {
  const key = newestKey(world, account.account_id);
  if (key === undefined) throw new Unauthorized('Basic', 'the account has no key');
  return { account, key };
}

function firstAccount(world: World, token: string): { account: Account; key: ApiKey } {
  const { user } = sessionOf(world, 'listDomains', `Bearer ${token}`);
  const account = [...world.accounts.values()].find((one) => one.organisation_id === user.organisation_id);
  if (account === undefined) throw new Unauthorized('Basic', 'there is no account');
  return firstKey(world, account);
}
