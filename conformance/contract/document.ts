import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { operations as facts, type OperationId } from '../../generated/operations.ts';
import { type BundledSchema, type Schema, writtenOut } from './schema.ts';

export type { OperationId };

/** A parameter of a request. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  /** Whether it may be repeated, each time with one item of its array. */
  array: boolean;
  schema: Schema;
  examples: readonly unknown[];
}

/** A body of one content type. */
export interface Content {
  type: string;
  schema: Schema;
  examples: readonly unknown[];
}

export interface RequestBody extends Content {
  required: boolean;
}

export interface ResponseHeader {
  name: string;
  required: boolean;
  schema: Schema;
}

/** What an operation may answer under one status. */
export interface DocumentedResponse {
  status: number;
  headers: readonly ResponseHeader[];
  contents: readonly Content[];
}

/** An operation of the contract. */
export interface Operation {
  id: OperationId;
  method: string;
  /** `/v1/accounts/{account_id}` */
  path: string;
  tag: string;
  origin: 'core' | 'extension';
  security: 'none' | 'basic' | 'bearer';
  statuses: readonly number[];
  parameters: readonly Parameter[];
  body: RequestBody | undefined;
  responses: ReadonlyMap<number, DocumentedResponse>;
}

/** A notification that the service sends. */
export interface Webhook {
  event: string;
  headers: readonly Parameter[];
  payload: Content;
}

/** Which contract a server is held against. */
export interface ContractInfo {
  title: string;
  version: string;
  /** Of the bundle, hexadecimal. */
  sha256: string;
}

interface Reference {
  $ref?: string;
}
interface BundledParameter extends Reference {
  name?: string;
  in?: Parameter['in'];
  required?: boolean;
  schema?: BundledSchema;
  example?: unknown;
}
interface BundledHeader extends Reference {
  required?: boolean;
  schema?: BundledSchema;
}
interface BundledContent {
  schema?: BundledSchema;
  examples?: Readonly<Record<string, Reference & { value?: unknown }>>;
}
interface BundledBody extends Reference {
  required?: boolean;
  content?: Readonly<Record<string, BundledContent>>;
}
interface BundledResponse extends BundledBody {
  headers?: Readonly<Record<string, BundledHeader>>;
}
interface BundledOperation {
  parameters?: readonly BundledParameter[];
  requestBody?: BundledBody;
  responses: Readonly<Record<string, BundledResponse>>;
}
interface PathItem {
  parameters?: readonly BundledParameter[];
  get?: BundledOperation;
  post?: BundledOperation;
  put?: BundledOperation;
  patch?: BundledOperation;
  delete?: BundledOperation;
}
interface Bundle {
  info: { title: string; version: string };
  paths: Readonly<Record<string, PathItem>>;
  webhooks: Readonly<Record<string, PathItem>>;
  components: { responses: Readonly<Record<string, BundledResponse>> };
  'x-unknown-endpoint': Readonly<Record<string, BundledResponse>>;
}

const BYTES = readFileSync(new URL('../../generated/openapi.json', import.meta.url));
const BUNDLE: Bundle = JSON.parse(BYTES.toString('utf8'));

/** Every operation of the contract, core and extensions. */
export const operations: readonly Operation[] = Object.keys(facts).filter(isOperationId).map(readOperation);

const BY_ID: ReadonlyMap<OperationId, Operation> = new Map(
  operations.map((operation) => [operation.id, operation]),
);

/** Every notification of the contract. */
export const webhooks: readonly Webhook[] = Object.entries(BUNDLE.webhooks).map(([event, item]) =>
  readWebhook(event, item),
);

/** What a request gets that no operation answers: the 404, or a 429 before anybody has looked at the path. */
export const unknownEndpoint: ReadonlyMap<number, DocumentedResponse> = readResponses({
  ...BUNDLE['x-unknown-endpoint'],
  429: BUNDLE.components.responses.TooManyRequests ?? missing('components/responses/TooManyRequests'),
});

/** The operation of this id. */
export function operationOf(id: OperationId): Operation {
  return BY_ID.get(id) ?? missing(id);
}

/** Whether the text is the id of an operation. */
export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(facts, text);
}

/** The operation that a request with this method and path (with or without a query) means; undefined for an unknown endpoint. */
export function findOperation(method: string, path: string): Operation | undefined {
  const segments = segmentsOf(path.replace(/[?#].*$/s, ''));
  return operations
    .filter(
      (operation) =>
        operation.method === method.toUpperCase() && matches(segmentsOf(operation.path), segments),
    )
    .sort((a, b) => parametersIn(a.path) - parametersIn(b.path))[0];
}

/** Name, version and digest of the contract. */
export function contractInfo(): ContractInfo {
  const { title, version } = BUNDLE.info;
  return { title, version, sha256: createHash('sha256').update(BYTES).digest('hex') };
}

function segmentsOf(path: string): string[] {
  return path.split('/');
}

function matches(wanted: readonly string[], given: readonly string[]): boolean {
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : segment === given[at]))
  );
}

// Fixed segments go before parameters (OpenAPI 3.1, section 4.8.8.2).
function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

function readOperation(id: OperationId): Operation {
  const { method, path, tag, origin, security, statuses } = facts[id];
  const item = BUNDLE.paths[path] ?? missing(path);
  const operation = item[method] ?? missing(`${method} ${path}`);
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(readParameter);
  const body = operation.requestBody === undefined ? undefined : readBody(follow(operation.requestBody));
  const responses = readResponses(operation.responses);
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag,
    origin,
    security,
    statuses,
    parameters,
    body,
    responses,
  };
}

function readWebhook(event: string, { post }: PathItem): Webhook {
  const { parameters = [], requestBody } = post ?? missing(`webhooks/${event}`);
  const [payload = missing(`the payload of ${event}`)] = readContents(requestBody?.content);
  return { event, headers: parameters.map(readParameter), payload };
}

function readParameter(bundled: BundledParameter): Parameter {
  const { name = missing('name'), in: place = missing('in'), required, schema, example } = follow(bundled);
  const written = readSchema(schema);
  return {
    name,
    in: place,
    required: required ?? false,
    array: written.type === 'array',
    schema: written,
    examples: example === undefined ? [] : [example],
  };
}

function readBody({ required, content }: BundledBody): RequestBody {
  const [first = missing('a request body')] = readContents(content);
  return { ...first, required: required ?? false };
}

function readResponses(
  responses: Readonly<Record<string, BundledResponse>>,
): ReadonlyMap<number, DocumentedResponse> {
  return new Map(
    Object.entries(responses).map(([code, response]) => {
      const { headers = {}, content } = follow(response);
      const status = Number(code);
      return [
        status,
        { status, headers: Object.entries(headers).map(readHeader), contents: readContents(content) },
      ];
    }),
  );
}

function readHeader([name, bundled]: [string, BundledHeader]): ResponseHeader {
  const { required, schema } = follow(bundled);
  return { name, required: required ?? false, schema: readSchema(schema) };
}

function readContents(content: BundledBody['content'] = {}): Content[] {
  return Object.entries(content).map(([type, { schema, examples = {} }]) => ({
    type,
    schema: readSchema(schema),
    examples: Object.values(examples).map((example) => follow(example).value),
  }));
}

function readSchema(schema: BundledSchema | undefined): Schema {
  return writtenOut(schema ?? missing('a schema'), (reference) => lookUp<BundledSchema>(reference));
}

function follow<T extends Reference>(value: T): T {
  return value.$ref === undefined ? value : follow(lookUp<T>(value.$ref));
}

function lookUp<T>(reference: string): T {
  let found: unknown = BUNDLE;
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return found === undefined ? missing(reference) : (found as T);
}

function missing(what: string): never {
  throw new Error(`The contract lacks ${what}. Make it anew with "npm run generate".`);
}
