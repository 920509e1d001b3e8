import type { Cursor } from '../cursor.ts';
import { everyOperation, jsonOf } from '../operations.ts';
import type { Rule } from '../redocly.ts';

/** The codes that belong to one status alone; every other code is a 409. */
const codesByStatus: Record<string, readonly string[]> = {
  '400': ['INVALID_JSON'],
  '401': ['INVALID_CREDENTIALS'],
  '403': ['ACCESS_DENIED'],
  '404': ['ENDPOINT_NOT_FOUND'],
  '422': ['VALIDATION_ERROR', 'BODY_NOT_ARRAY', 'BODY_EMPTY_ARRAY'],
  '429': ['RATE_LIMIT_EXCEEDED'],
  '500': ['INTERNAL_SERVER_ERROR'],
};

/** An error is the JSON envelope, its code narrowed to what the status can carry, with an example for each code. */
export const errorResponses: Rule = () =>
  everyOperation(({ responses }) => {
    for (const [status, response] of responses) {
      if (/^[45]/.test(status)) checkError(status, response);
    }
  });

function checkError(status: string, response: Cursor): void {
  const schema = jsonOf(response)?.get('schema');
  const types = response.entries('content').map(([type]) => type);
  if (!schema || types.length !== 1) {
    response.report(
      `An error is JSON and nothing else: give the ${status} the one content type application/json with a schema.`,
    );
    return;
  }
  if (!requires(schema, 'data', 'meta') || !requires(partOf(schema, 'data'), 'code', 'errors')) {
    schema.reportUse(
      'An error is the envelope {data: {code, errors}, meta}: refer to components/schemas/Error.yaml or ValidationError.yaml.',
    );
    return;
  }
  const codes = codesOf(schema);
  const foreign = [...codes].filter((code) => !belongsTo(status, code));
  if (codes.size === 0 || foreign.length > 0) {
    schema.reportUse(
      `The schema of a ${status} names the codes that it can carry${list(' and not ', foreign)}: narrow data.code with a const or an enum.`,
    );
    return;
  }
  checkExamples(response, codes);
}

function checkExamples(response: Cursor, codes: Set<string>): void {
  const examples = jsonOf(response)?.entries('examples') ?? [];
  const names = new Set(examples.map(([name]) => name));
  for (const code of [...codes].filter((code) => !names.has(code))) {
    response.report(`Every error code is shown by an example: add one named ${code}.`);
  }
  for (const [name, example] of examples) {
    const shown = example.text('value', 'data', 'code');
    if (shown === undefined || !codes.has(shown) || (codes.has(name) && shown !== name)) {
      example.report(
        `An example shows the error that its name and schema promise: set data.code of ${name} to ${codes.has(name) ? name : [...codes].join(' or ')}.`,
      );
    }
  }
}

function belongsTo(status: string, code: string): boolean {
  if (status !== '409') return codesByStatus[status]?.includes(code) === true;
  return !Object.values(codesByStatus).some((codes) => codes.includes(code));
}

function requires(schemas: Cursor[] | Cursor, ...names: string[]): boolean {
  const parts = Array.isArray(schemas) ? schemas : flatten(schemas);
  const required = parts.flatMap((part) => part.items('required').map((item) => item.node));
  return names.every((name) => required.includes(name));
}

/** A property as each part of a schema describes it. */
function partOf(schema: Cursor, name: string): Cursor[] {
  return flatten(schema).flatMap((part) => part.get('properties', name) ?? []);
}

function flatten(schema: Cursor): Cursor[] {
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => schema.items(key));
  return [schema, ...parts.flatMap(flatten)];
}

/** The codes a body of this schema can carry: `allOf` narrows, `oneOf` and `anyOf` widen. */
function codesOf(schema: Cursor): Set<string> {
  const sets: Set<string>[] = schema.items('allOf').map(codesOf);
  for (const key of ['oneOf', 'anyOf']) {
    const branches = schema.items(key);
    if (branches.length > 0) sets.push(new Set(branches.flatMap((branch) => [...codesOf(branch)])));
  }
  const code = schema.get('properties', 'data', 'properties', 'code');
  if (code)
    sets.push(
      new Set([code.get('const')?.node, ...code.items('enum').map(({ node }) => node)].filter(isText)),
    );
  const [first = new Set<string>(), ...others] = sets.filter((set) => set.size > 0);
  return new Set([...first].filter((value) => others.every((set) => set.has(value))));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function list(intro: string, items: string[]): string {
  return items.length === 0 ? '' : `${intro}${items.slice(0, 3).join(', ')}${items.length > 3 ? ' ...' : ''}`;
}
