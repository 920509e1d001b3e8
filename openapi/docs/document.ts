import { readFile } from 'node:fs/promises';

/** The part of the bundle that the docs read. The bundle is trusted: lint has judged it before. */
export interface BundledDocument {
  info: { title: string; version: string };
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, { post: BundledOperation }>;
  components: {
    schemas: Record<string, BundledSchema>;
    parameters?: Record<string, BundledParameter>;
  };
}

/** A schema as far as names, texts and codes are read from it. */
export interface BundledSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: string[];
  properties?: Record<string, BundledSchema>;
  items?: BundledSchema;
  allOf?: BundledSchema[];
  oneOf?: BundledSchema[];
  anyOf?: BundledSchema[];
}

interface BundledParameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

interface BundledContent {
  schema?: BundledSchema;
  examples?: Record<string, { value?: unknown }>;
}

interface BundledOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: BundledParameter[];
  requestBody?: { content: Record<string, BundledContent> };
  responses: Record<string, { content?: Record<string, BundledContent> }>;
  'x-codeSamples'?: CodeSample[];
}

/** What Redoc shows beside an operation. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** A parameter of an operation, with the value that the contract gives as its example. */
export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  example: unknown;
}

/** A schema, and how the reference calls the part of an operation that shows it: `t=request`, `t=response&c=200`. */
export interface PlacedSchema {
  place: string;
  schema: BundledSchema;
}

/** An operation of the contract, with what a page or a sample says about it. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  security: 'none' | 'basic' | 'bearer';
  parameters: readonly Parameter[];
  /** The examples of the JSON body by name; undefined when there is no body. */
  bodies: Readonly<Record<string, unknown>> | undefined;
  /** Of the request's body and of the answers to success. */
  schemas: readonly PlacedSchema[];
  /** Content type of the answer to success. */
  produces: string;
  /** Whether the answer is a page of a list. */
  isList: boolean;
}

/** A notification of the contract. */
export interface WebhookEvent {
  id: string;
  event: string;
  tag: string;
  summary: string;
  description: string;
  schema: BundledSchema;
  example: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SECURITY = { BearerAuth: 'bearer', BasicAuth: 'basic' } as const;

/** Reads a bundle. @throws what reading and parsing a file throw. */
export async function readDocument(file: string | URL): Promise<BundledDocument> {
  return JSON.parse(await readFile(file, 'utf8')) as BundledDocument;
}

/** Every operation with the object that describes it, in the order of the document. */
export function operationsOf(
  document: BundledDocument,
): { operation: Operation; bundled: BundledOperation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const bundled = item[method] as BundledOperation | undefined;
      if (bundled === undefined) return [];
      const shared = (item.parameters ?? []) as BundledParameter[];
      const operation = readOperation(document, path, method, bundled, shared);
      return [{ operation, bundled }];
    }),
  );
}

function readOperation(
  document: BundledDocument,
  path: string,
  method: string,
  bundled: BundledOperation,
  shared: BundledParameter[],
): Operation {
  const body = bundled.requestBody?.content['application/json'];
  const successes = Object.entries(bundled.responses).filter(([status]) => status.startsWith('2'));
  const contents = successes.flatMap(([, { content }]) => Object.entries(content ?? {}));
  const [produces = 'application/json'] = contents.map(([type]) => type);
  const placed = successes.flatMap(([status, { content }]) =>
    Object.values(content ?? {}).map((one) => placedSchema(`t=response&c=${status}`, one)),
  );
  const schemas = [placedSchema('t=request', body), ...placed].flatMap((one) => one ?? []);
  return {
    id: bundled.operationId,
    method: method.toUpperCase(),
    path,
    tag: bundled.tags[0] ?? '',
    summary: bundled.summary ?? bundled.operationId,
    description: bundled.description ?? '',
    security: securityOf(bundled),
    parameters: [...shared, ...(bundled.parameters ?? [])].map((one) => readParameter(document, one)),
    bodies: body === undefined ? undefined : valuesOf(body),
    schemas,
    produces,
    isList: contents.some(([, { schema }]) => schema?.$ref?.endsWith('ListResponse') === true),
  };
}

function placedSchema(place: string, content: BundledContent | undefined): PlacedSchema | undefined {
  return content?.schema === undefined ? undefined : { place, schema: content.schema };
}

function securityOf({ security = [] }: BundledOperation): Operation['security'] {
  const [name] = Object.keys(security[0] ?? {});
  return name === 'BearerAuth' || name === 'BasicAuth' ? SECURITY[name] : 'none';
}

function readParameter(document: BundledDocument, given: BundledParameter): Parameter {
  const name = given.$ref?.split('/').at(-1);
  const found = (name === undefined ? undefined : document.components.parameters?.[name]) ?? given;
  return {
    name: found.name ?? '',
    in: found.in ?? '',
    required: found.required ?? false,
    description: found.description ?? '',
    example: found.example,
  };
}

function valuesOf({ examples = {} }: BundledContent): Record<string, unknown> {
  return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
}

/** Every notification, in the order of the document. */
export function webhooksOf(document: BundledDocument): WebhookEvent[] {
  return Object.entries(document.webhooks).map(([event, { post }]) => {
    const content = post.requestBody?.content['application/json'] ?? {};
    return {
      id: post.operationId,
      event,
      tag: post.tags[0] ?? '',
      summary: post.summary ?? event,
      description: post.description ?? '',
      schema: content.schema ?? {},
      example: Object.values(valuesOf(content))[0],
    };
  });
}

/** Where the reference shows an operation or a notification: the address below the folder of the site. */
export function referenceAddress({ id, tag }: Pick<Operation, 'id' | 'tag'>): string {
  return `reference.html#/${slugOf(tag)}/${id.toLowerCase()}`;
}

/**
 * Where the reference shows a field or a parameter: it unfolds whatever is around it, and marks it.
 * @param place as in {@link PlacedSchema}, for a parameter with `&in=query`.
 * @param path `to[].email`
 */
export function fieldAddress(one: Pick<Operation, 'id' | 'tag'>, place: string, path: string): string {
  const address = referenceAddress(one);
  const [, view = ''] = address.split('#/');
  return `${address}#${view}/${place}&path=${path.replaceAll('.', '/').toLowerCase()}`;
}

/** A heading as the fragment of an address. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** A field of a schema or of one in it. */
export interface Field {
  /** `to[].email` */
  path: string;
  description: string;
  /** The path, or what the reference shows of it at first: of several alternatives it shows one, whose fields need not be these. */
  shownAt: string;
}

/** The fields of a schema and of those in it, each once. */
export function fieldsOf(document: BundledDocument, schema: BundledSchema): Field[] {
  const found = new Map<string, Field>();
  collectFields(document, schema, { prefix: '', shownAt: undefined, above: [] }, found);
  return [...found.values()];
}

interface Position {
  prefix: string;
  /** Set below alternatives. */
  shownAt: string | undefined;
  /** References that lead here: a schema may hold itself. */
  above: readonly string[];
}

function collectFields(
  document: BundledDocument,
  schema: BundledSchema,
  position: Position,
  found: Map<string, Field>,
): void {
  const { prefix, above } = position;
  if (schema.$ref !== undefined) {
    if (above.includes(schema.$ref)) return;
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    const inside = { ...position, above: [...above, schema.$ref] };
    if (target !== undefined) collectFields(document, target, inside, found);
  }
  for (const part of schema.allOf ?? []) collectFields(document, part, position, found);
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const parent = prefix.replace(/\[\]$/, '');
  const shownAt = position.shownAt ?? (hasChoice(alternatives) && parent !== '' ? parent : undefined);
  for (const part of alternatives) collectFields(document, part, { ...position, shownAt }, found);
  if (schema.items !== undefined)
    collectFields(document, schema.items, { ...position, prefix: `${prefix}[]` }, found);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = prefix === '' || prefix === '[]' ? name : `${prefix}.${name}`;
    const description = property.description ?? resolved(document, property).description ?? '';
    if (!found.has(path)) found.set(path, { path, description, shownAt: position.shownAt ?? path });
    collectFields(document, property, { ...position, prefix: path }, found);
  }
}

function hasChoice(alternatives: readonly BundledSchema[]): boolean {
  return alternatives.filter(({ type }) => type !== 'null').length > 1;
}

function resolved(document: BundledDocument, schema: BundledSchema): BundledSchema {
  return document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}
