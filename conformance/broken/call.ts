import type { OperationId } from '../../generated/operations.ts';
import type { FaultId } from './faults.ts';
import { denied, type ErrorCode, refuse } from './refusal.ts';
import type { Account, ApiKey, Session, User, World } from './state.ts';
import { type Read, type Rule, read, readQuery, type Shape, uuid } from './validate.ts';

/** A request that has been understood. */
export interface Call {
  world: World;
  operationId: OperationId;
  path: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}
/** A request of somebody with a session. */
export interface UserCall extends Call {
  user: User;
  session: Session;
}
/** A request of an account with one of its keys. */
export interface AccountCall extends Call {
  account: Account;
  key: ApiKey;
}

/** A response before it is written. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON; or text, together with a content type in the headers. */
  body: unknown;
}

/** A successful answer in the envelope. The meta is completed when it is sent. */
export function ok(data: unknown, status = 200): Answer {
  return { status, body: { data, meta: {} } };
}

/** The id in the path. Throws a 422. */
export function pathId(call: Call, name: string): string {
  return read(uuid, call.path[name], name);
}

/** The body as the rule has it. Throws a 422. */
export function readBody<T>(call: Call, rule: Rule<T>): T {
  return read(rule, call.body);
}

/** The query parameters. Throws a 422. */
export function readParameters<S extends Shape>(call: Call, shape: S): Read<S> {
  return readQuery(shape, call.query, { repeatsAllowed: call.world.has('http.repeated-parameter-accepted') });
}

/** Throws a 403 for a viewer: viewers only read. */
export function requireOwner({ user, world }: UserCall, fault?: FaultId): void {
  if (user.role === 'owner' || world.has('users.viewer-writes')) return;
  if (fault !== undefined && world.has(fault)) return;
  throw denied('a viewer may not change anything');
}

interface Owned {
  organisation_id: string;
}
/** What ids are looked up in, and what is said of those that are not there. */
export interface Lookup<T extends Owned> {
  records: ReadonlyMap<string, T>;
  missing: ErrorCode;
  /** The fault under which another organisation's record is as good as one's own. */
  leak: FaultId;
}

/** The record of an id. Throws a 409 when there is none, and a 403 when it is another organisation's. */
export function find<T extends Owned>(call: UserCall, lookup: Lookup<T>, id: string): T {
  const [record] = findAll(call, lookup, [id]);
  if (record === undefined) throw missing(call, lookup.missing);
  return record;
}

/** The records of several ids. A foreign one is answered before a missing one. */
export function findAll<T extends Owned>(call: UserCall, lookup: Lookup<T>, ids: readonly string[]): T[] {
  const found = ids.map((id) => lookup.records.get(id));
  const foreign = found.some((record) => record !== undefined && isForeign(call, lookup.leak, record));
  if (foreign) throw foreignRefusal(call, lookup.missing);
  return found.map((record) => {
    if (record === undefined) throw missing(call, lookup.missing);
    return record;
  });
}

export function isForeign({ user, world }: UserCall, leak: FaultId, record: Owned): boolean {
  return record.organisation_id !== user.organisation_id && !world.has(leak);
}

export function foreignRefusal({ world }: UserCall, code: ErrorCode): Error {
  if (world.has('isolation.foreign-is-409')) return refuse(409, code, 'there is no such thing');
  return denied('it belongs to another organisation');
}

const MISSING_IS_404: Partial<Record<ErrorCode, FaultId>> = {
  ACCOUNT_NOT_FOUND: 'accounts.missing-is-404',
  DOMAIN_NOT_FOUND: 'domains.missing-is-404',
  SUPPRESSION_NOT_FOUND: 'suppressions.missing-is-404',
  MESSAGE_NOT_FOUND: 'messages.missing-is-404',
  USER_NOT_FOUND: 'users.missing-is-404',
  API_KEY_NOT_FOUND: 'api-keys.missing-is-404',
  WEBHOOK_NOT_FOUND: 'webhook-operations.missing-is-404',
  NOTIFICATION_NOT_FOUND: 'webhook-log.missing-is-404',
};

/** The refusal of an id that nothing has. */
export function missing({ world }: Call, code: ErrorCode): Error {
  const fault = MISSING_IS_404[code];
  if (fault !== undefined && world.has(fault)) return refuse(404, code, 'there is no such thing');
  if (world.has('isolation.missing-is-403')) return denied('it is not yours');
  return refuse(409, code, 'there is no such thing');
}
