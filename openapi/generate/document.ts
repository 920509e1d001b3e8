/** The part of an OpenAPI 3.1 document that the generator reads. The bundle is trusted: lint has judged it before. */
export interface OpenApiDocument {
  paths: Record<string, PathItem>;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, { type: string; scheme?: string }>;
  };
}

interface PathItem extends Partial<Record<Method, Operation>> {
  parameters?: unknown[];
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, Response | Reference>;
  'x-origin'?: string;
}

export interface Response {
  description?: string;
  content?: Record<string, { schema?: Schema }>;
}

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

export interface LocatedOperation {
  path: string;
  method: Method;
  pathItem: PathItem;
  operation: Operation;
}

/** Every operation of the document, in the order in which the document lists them. */
export function listOperations(document: OpenApiDocument): LocatedOperation[] {
  const located: LocatedOperation[] = [];
  for (const [path, pathItem] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = pathItem[method];
      if (operation) located.push({ path, method, pathItem, operation });
    }
  }
  return located;
}

/** Follows local references until something that is not one. */
export function resolve<T extends object>(document: OpenApiDocument, node: T | Reference): T {
  let current: object = node;
  while ('$ref' in current && typeof current.$ref === 'string') {
    current = lookUp(document, current.$ref);
  }
  return current as T;
}

function lookUp(document: OpenApiDocument, pointer: string): object {
  let node: unknown = document;
  for (const part of pointer.replace(/^#\//, '').split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[key] : undefined;
  }
  if (!isObject(node)) throw new Error(`The bundle has no ${pointer}.`);
  return node;
}

/** The properties and required names of an object schema, those of its `allOf` parts included. */
export function objectShape(
  document: OpenApiDocument,
  schema: Schema | undefined,
): { properties: Record<string, Schema>; required: Set<string> } {
  const properties: Record<string, Schema> = {};
  const required = new Set<string>();
  const visit = (node: Schema): void => {
    if (node.$ref) visit(resolve<Schema>(document, { $ref: node.$ref }));
    for (const part of node.allOf ?? []) visit(part);
    Object.assign(properties, node.properties);
    for (const name of node.required ?? []) required.add(name);
  };
  if (schema) visit(schema);
  return { properties, required };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
