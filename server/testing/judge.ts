import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// For tests through the front door: holds every response against the contract's bundle with code of its own, so that a fault of
// the server's own check cannot hide a fault of the server.

/** A response as it came over the wire. */
export interface WireResponse {
  status: number;
  headers: Headers;
  text: string;
}

interface ResponseObject {
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, unknown>>;
}

const DOCUMENT_ID = 'https://contract.test/openapi.json';
const BUNDLE: Document = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: true });
formats.default(ajv);
// The grammar of ajv-formats knows ASCII only, and addresses of the contract may be international (RFC 6532).
ajv.addFormat('email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/);
ajv.addSchema({ ...BUNDLE }, DOCUMENT_ID);
const validators = new Map<string, ValidateFunction>();

/** Throws when the contract does not let a request to `method path` be answered so. */
export function judge(method: string, path: string, response: WireResponse): void {
  const faults = faultsOf(method, path, response);
  if (faults.length === 0) return;
  const answer = `${response.status} ${response.text.slice(0, 500)}`;
  throw new Error(
    `${method} ${path} was answered against the contract:\n${faults.join('\n')}\nThe answer: ${answer}`,
  );
}

/** What in the response is not as the contract has it. */
export function faultsOf(method: string, path: string, response: WireResponse): string[] {
  const { pathname } = new URL(path, 'http://localhost');
  const documented = responseOf(method.toLowerCase(), pathname, String(response.status));
  if (documented === undefined) return [`the status ${response.status} is not documented`];
  // A HEAD is always an unknown endpoint, and its answer has no body.
  if (method === 'HEAD') return [];
  return [...headerFaults(documented, response.headers), ...bodyFaults(documented, response)];
}

/** A part of the document, and where it stands. */
interface Found {
  pointer: string;
  value: unknown;
}

function responseOf(method: string, pathname: string, status: string): Found | undefined {
  const template = templateOf(pathname, method);
  const segments =
    template === undefined
      ? ['x-unknown-endpoint', status]
      : ['paths', template, method, 'responses', status];
  return resolve(segments.map((segment) => `/${escaped(segment)}`).join(''));
}

/** The path of the contract that a request means: fixed paths go before those with parameters. */
function templateOf(pathname: string, method: string): string | undefined {
  const candidates = Object.keys(BUNDLE.paths)
    .filter((template) => BUNDLE.paths[template]?.[method] !== undefined)
    .sort((a, b) => parametersIn(a) - parametersIn(b));
  return candidates.find((template) => matches(template, pathname));
}

function parametersIn(template: string): number {
  return template.split('{').length - 1;
}

function matches(template: string, pathname: string): boolean {
  const wanted = template.split('/');
  const given = pathname.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) =>
      segment.startsWith('{') ? given[index] !== '' : segment === given[index],
    )
  );
}

/** What stands at a JSON pointer; a reference there is followed. */
function resolve(pointer: string): Found | undefined {
  let value: unknown = BUNDLE;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  const reference = typeof value === 'object' && value !== null ? Reflect.get(value, '$ref') : undefined;
  return typeof reference === 'string' ? resolve(reference.slice(1)) : { pointer, value };
}

function headerFaults({ pointer, value }: Found, headers: Headers): string[] {
  const documented = value as ResponseObject;
  return Object.keys(documented.headers ?? {}).flatMap((name) => {
    const found = resolve(`${pointer}/headers/${escaped(name)}`);
    const header = found?.value as { required?: boolean; schema?: { type?: string } } | undefined;
    const text = headers.get(name);
    if (text === null) return header?.required === true ? [`the header ${name} is missing`] : [];
    const read = header?.schema?.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
    return schemaFaults(`${found?.pointer}/schema`, read, `the header ${name}`);
  });
}

function bodyFaults({ pointer, value }: Found, { headers, text }: WireResponse): string[] {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const documentedTypes = Object.keys((value as ResponseObject).content ?? {});
  if (!documentedTypes.includes(type)) {
    return [`the content type is "${type}" instead of ${documentedTypes.join(' or ')}`];
  }
  const schema = `${pointer}/content/${escaped(type)}/schema`;
  if (type !== 'application/json') return schemaFaults(schema, text, 'the body');
  try {
    return schemaFaults(schema, JSON.parse(text), 'the body');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return ['the body is not JSON'];
  }
}

function schemaFaults(pointer: string, value: unknown, what: string): string[] {
  const validate = validatorAt(pointer);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function validatorAt(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const validate = ajv.compile({ $ref: `${DOCUMENT_ID}#${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  return validate;
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
