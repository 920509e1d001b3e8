import { type OperationId, operationOf, type Parameter } from '../contract/document.ts';
import { isValid } from '../contract/validators.ts';
import type { BrokenRequest } from './fault.ts';
import type { RequestParts } from './requests.ts';

// For tests: requests held against the contract as it stands, with nothing loosened.

/** What the contract refuses of a request: places such as `query limit`, or `body`. */
export function refusedParts(operation: OperationId, request: RequestParts | BrokenRequest): string[] {
  const { parameters, body } = operationOf(operation);
  const wrong = parameters.filter((parameter) => !isParameterValid(parameter, request)).map(placeOf);
  if (body === undefined) return wrong;
  const read = bodyOf(request);
  return read !== 'not JSON' && isValid(body.schema, read.json) ? wrong : [...wrong, 'body'];
}

function placeOf({ in: where, name }: Parameter): string {
  return `${where} ${name}`;
}

/** Reads a body as RFC 8259 has it: UTF-8 without a byte order mark. */
function bodyOf(request: RequestParts | BrokenRequest): { json: unknown } | 'not JSON' {
  if (!('rawBody' in request) || request.rawBody === undefined) return { json: request.body };
  try {
    return {
      json: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.rawBody)),
    };
  } catch {
    return 'not JSON';
  }
}

function isParameterValid(
  { in: where, name, required, array, schema }: Parameter,
  request: RequestParts,
): boolean {
  const given = where === 'path' ? request.path[name] : request.query[name];
  if (given === undefined) return !required;
  const texts = [given].flat().map(String);
  if (array) return isValid(schema, texts);
  const [only = ''] = texts;
  const value = schema.type === 'integer' && /^-?\d+$/.test(only) ? Number(only) : only;
  return texts.length === 1 && isValid(schema, value);
}
