import type { OperationId, ResponseBody, Status } from '../../generated/operations.ts';
import type { Exchange } from '../http/exchange.ts';

/** A whole response to a call, already held against the contract. */
export interface Answer<Id extends OperationId = OperationId> {
  readonly operation: Id | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body read as JSON; undefined when it is none. */
  readonly json: unknown;
  /** Status, content type and body are what the contract documents (with the suite's leniency). */
  readonly isSound: boolean;
  readonly exchange: Exchange;
}

/** The answer's body in the type of the contract, if it has this status and was found sound; undefined otherwise. */
export function bodyOf<Id extends OperationId, S extends Status<Id>>(
  answer: Answer<Id>,
  status: S,
): ResponseBody<Id, S> | undefined {
  if (answer.status !== status || !answer.isSound) return undefined;
  // The judge has just held it against the schema that the type was made from.
  return (answer.json ?? answer.text) as ResponseBody<Id, S>;
}

/** What stands at a path of a JSON value, `data.0.email`; undefined where there is nothing. */
export function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** The text at a path of a JSON value; '' when there is none. */
export function textAt(json: unknown, path: string): string {
  const value = valueAt(json, path);
  return typeof value === 'string' ? value : '';
}

/** The `code` of an error answer; '' when there is none. */
export function codeOf(answer: Answer): string {
  return textAt(answer.json, 'data.code');
}

/** The body of a response as JSON; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
