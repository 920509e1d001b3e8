import type { Arbitrary } from 'fast-check';
import type { OperationId } from '../contract/document.ts';
import type { RequestParts } from './requests.ts';

/** The one thing that is wrong with a request. */
export interface Fault {
  where: 'body' | 'query' | 'path';
  /** Which field or parameter: `[].from.email`, `limit`; "" for the body as a whole. */
  at: string;
  /** What is wrong there, in a few words: `missing`, `malformed id`. */
  kind: string;
}

/** What a server may answer. */
export type Verdict =
  /** One of these errors. */
  | { kind: 'refused'; statuses: readonly number[] }
  /** 207, and the message that is wrong is rejected. */
  | { kind: 'item_rejected' }
  /** Anything that the contract documents, except that the service failed. */
  | { kind: 'survived' };

/** A request with one fault. */
export interface BrokenRequest extends RequestParts {
  readonly fault: Fault;
  readonly verdict: Verdict;
  /** Sent in place of a body. */
  readonly rawBody?: Buffer;
}

/** A way of breaking requests to an operation. */
export interface Mutation {
  operation: OperationId;
  fault: Fault;
  verdict: Verdict;
  /** Breaks each of the requests. */
  requests(base: Arbitrary<RequestParts>): Arbitrary<BrokenRequest>;
}

export const UNPROCESSABLE: Verdict = { kind: 'refused', statuses: [422] };
/** A malformed id names nothing, which some call a missing resource (409). */
export const MALFORMED_ID: Verdict = { kind: 'refused', statuses: [422, 409] };
export const NOT_JSON: Verdict = { kind: 'refused', statuses: [400] };
/** JSON of a kind that parsers for objects and lists refuse (RFC 4627 did). */
export const SCALAR_BODY: Verdict = { kind: 'refused', statuses: [422, 400] };
export const ITEM_REJECTED: Verdict = { kind: 'item_rejected' };
export const SURVIVED: Verdict = { kind: 'survived' };

/** A fault in words: `body to[0].email: malformed address`. */
export function describeFault({ where, at, kind }: Fault): string {
  return `${where}${at === '' ? '' : ` ${at}`}: ${kind}`;
}
