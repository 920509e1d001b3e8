import { type DocumentedResponse, type OperationId, operationOf, operations } from './document.ts';
import type { WireResponse } from './judge.ts';
import type { Schema } from './schema.ts';

// For tests: responses as the contract has them, and one thing changed in them.

/** The documented answer of an operation, made from its example. */
export function exampleResponse(operation: OperationId, status: number, name = 0): WireResponse {
  const documented = operationOf(operation).responses.get(status);
  const response = documented === undefined ? undefined : responsesFrom(documented)[name];
  if (response === undefined) throw new Error(`${operation} has no example ${name} of ${status}`);
  return response;
}

/** Every example of every response of the contract. */
export function allExampleResponses(): { operation: OperationId; response: WireResponse }[] {
  return operations.flatMap(({ id, responses }) =>
    [...responses.values()].flatMap(responsesFrom).map((response) => ({ operation: id, response })),
  );
}

/** The example with the JSON changed at a place such as `data.accounts.0.name`; `undefined` takes it away. */
export function withBody(response: WireResponse, changes: Readonly<Record<string, unknown>>): WireResponse {
  const body: unknown = JSON.parse(response.text);
  for (const [place, value] of Object.entries(changes)) set(body, place.split('.'), value);
  return { ...response, text: JSON.stringify(body) };
}

/** The example with other headers; `undefined` takes one away. */
export function withHeaders(
  response: WireResponse,
  changes: Record<string, string | undefined>,
): WireResponse {
  const headers = { ...response.headers, ...changes };
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { ...response, headers: Object.fromEntries(kept) };
}

function responsesFrom({ status, headers, contents }: DocumentedResponse): WireResponse[] {
  const sent = Object.fromEntries(
    headers.map(({ name, schema }) => [name.toLowerCase(), headerText(schema)]),
  );
  return contents.flatMap(({ type, examples }) =>
    examples.map((example) => ({
      status,
      headers: { ...sent, 'content-type': `${type}; charset=utf-8` },
      text: typeof example === 'string' ? example : JSON.stringify(example),
    })),
  );
}

function headerText({ type, minimum }: Schema): string {
  return type === 'integer' ? String(minimum) : 'Bearer realm="test"';
}

function set(target: unknown, [step = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof target !== 'object' || target === null) throw new Error(`there is nothing at ${step}`);
  if (rest.length > 0) set(Reflect.get(target, step), rest, value);
  else if (value === undefined) Reflect.deleteProperty(target, step);
  else Reflect.set(target, step, value);
}
