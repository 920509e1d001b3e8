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
  schemas: readonly BundledSchema[];
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
  const schemas = [body, ...contents.map(([, content]) => content)].flatMap((one) => one?.schema ?? []);
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

/** A heading as the fragment of an address. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** The fields of a schema and of those in it, as paths (`to[].email`) with their texts. */
export function fieldsOf(
  document: BundledDocument,
  schema: BundledSchema,
): { path: string; description: string }[] {
  const found = new Map<string, string>();
  collectFields(document, schema, '', found, []);
  return [...found].map(([path, description]) => ({ path, description }));
}

function collectFields(
  document: BundledDocument,
  schema: BundledSchema,
  prefix: string,
  found: Map<string, string>,
  above: readonly string[],
): void {
  if (schema.$ref !== undefined) {
    if (above.includes(schema.$ref)) return;
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (target !== undefined) collectFields(document, target, prefix, found, [...above, schema.$ref]);
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    collectFields(document, part, prefix, found, above);
  }
  if (schema.items !== undefined) collectFields(document, schema.items, `${prefix}[]`, found, above);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = prefix === '' || prefix === '[]' ? name : `${prefix}.${name}`;
    const text = property.description ?? resolved(document, property).description ?? '';
    if (!found.has(path)) found.set(path, text);
    collectFields(document, property, path, found, above);
  }
}

function resolved(document: BundledDocument, schema: BundledSchema): BundledSchema {
  return document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}
