import type {
  OperationId,
  operations,
  PathParameters,
  QueryParameters,
  RequestBody,
  ResponseBody,
  SuccessStatus,
} from '../../generated/operations.ts';
import type { AccountStatus, UserRole } from '../store/schema.ts';
import type { OrganisationStore } from '../store/store.ts';

/** A user with a valid access token, and all that the user's organisation owns. */
export interface UserCaller {
  kind: 'user';
  userId: string;
  role: UserRole;
  sessionId: string;
  store: OrganisationStore;
}

/** A sending account with one of its API keys, and all that its organisation owns. */
export interface AccountCaller {
  kind: 'account';
  accountId: string;
  status: AccountStatus;
  store: OrganisationStore;
}

export type Caller = UserCaller | AccountCaller;

type Security<Id extends OperationId> = (typeof operations)[Id]['security'];

/** Who calls an operation, by the authentication that the contract asks for; `never` for a public one. */
export type CallerOf<Id extends OperationId> =
  Security<Id> extends 'bearer' ? UserCaller : Security<Id> extends 'basic' ? AccountCaller : never;

type Flat<T> = { [Key in keyof T]: T[Key] };
/** The part under its name, or nothing where there is none. */
type Part<Name extends string, T> = [T] extends [never] ? unknown : { [N in Name]: T };

type Paged = 'limit' | 'offset';
/** Query parameters as a handler sees them: a page is always complete, since absent parameters got their default. */
type Query<Id extends OperationId> = [QueryParameters<Id>] extends [never]
  ? never
  : Flat<
      Omit<QueryParameters<Id>, Paged> &
        Required<Pick<QueryParameters<Id>, Extract<keyof QueryParameters<Id>, Paged>>>
    >;

/** The messages of a batch are checked one by one, by whoever handles them; everything else has been checked when it arrives. */
type Body<Id extends OperationId> = Id extends 'sendEmail' ? unknown[] : RequestBody<Id>;

/** What a handler gets: the request, known to keep the contract, and who sent it. */
export type RequestOf<Id extends OperationId> = Flat<
  Part<'path', PathParameters<Id>> &
    Part<'query', Query<Id>> &
    Part<'body', Body<Id>> &
    Part<'caller', CallerOf<Id>>
>;

type Stamped<Body> = Body extends { meta: infer Meta }
  ? [Exclude<keyof Meta, 'rq_time'>] extends [never]
    ? Omit<Body, 'meta'> & { meta?: never }
    : Omit<Body, 'meta'> & { meta: Omit<Meta, 'rq_time'> & { rq_time?: never } }
  : Body;

/** The body of a success without `meta.rq_time`, which the sender adds where the contract has it. */
type BodyOf<
  Id extends OperationId,
  S extends SuccessStatus<Id>,
> = (typeof operations)[Id]['meta'] extends 'stamped' ? Stamped<ResponseBody<Id, S>> : ResponseBody<Id, S>;

/** A body that is sent piece by piece. When it fails in the middle the connection is broken off, so that no short file passes for whole. */
export interface StreamReply<Status> {
  status: Status;
  stream: AsyncIterable<string | Uint8Array>;
  headers?: Readonly<Record<string, string>>;
}

/** What a handler answers with: one of the operation's successes. Everything else is thrown as an ApiError. */
export type Reply<Id extends OperationId> = {
  [S in SuccessStatus<Id>]: (typeof operations)[Id]['contentType'] extends 'text/csv'
    ? StreamReply<S>
    : { status: S; body: BodyOf<Id, S> };
}[SuccessStatus<Id>];

/** Does one operation. It never touches the HTTP response. */
export type Handler<Id extends OperationId> = (request: RequestOf<Id>) => Promise<Reply<Id>>;

/** One handler for every operation of the contract; a missing or wrongly typed one does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
