/** A JSON Schema as it stands in the contract; only what the pipeline itself reads is named. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  default?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  'x-error-code'?: string;
  'x-error-description'?: string;
  'x-items-validated'?: string;
}

interface Reference {
  $ref?: string;
}

export interface Parameter extends Reference {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
}

export interface Header extends Reference {
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

export interface Example extends Reference {
  value?: unknown;
  'x-answers'?: Readonly<Record<string, unknown>>;
}

interface MediaType {
  schema?: Schema;
  examples?: Readonly<Record<string, Example>>;
}

export interface Response extends Reference {
  headers?: Readonly<Record<string, Header>>;
  content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: Reference & { required?: boolean; content?: Readonly<Record<string, MediaType>> };
  responses: Readonly<Record<string, Response>>;
}

interface PathItem {
  parameters?: readonly Parameter[];
  get?: Operation;
  post?: Operation;
  put?: Operation;
  patch?: Operation;
  delete?: Operation;
}

/** The bundled OpenAPI document; only what the pipeline reads is named. */
export interface ContractDocument {
  paths: Readonly<Record<string, PathItem>>;
  webhooks?: Readonly<Record<string, PathItem>>;
  components?: { schemas?: Readonly<Record<string, Schema>> };
  'x-unknown-endpoint'?: unknown;
}

/** Something in the document, and the JSON pointer at which it stands: validators are compiled by pointer, so that `$ref`s are shared. */
export interface Located<T> {
  value: T;
  pointer: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of the document with its method, its path template and the parameters of its path. */
export function* operationsOf(document: ContractDocument): Generator<{
  method: string;
  path: string;
  operation: Located<Operation>;
  parameters: Located<Parameter>[];
}> {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const pathPointer = pointerTo('#/paths', path);
      const pointer = pointerTo(pathPointer, method);
      const parameters = [
        ...children(item.parameters, pointerTo(pathPointer, 'parameters')),
        ...children(operation.parameters, pointerTo(pointer, 'parameters')),
      ].map((parameter) => follow(document, parameter));
      yield { method: method.toUpperCase(), path, operation: { value: operation, pointer }, parameters };
    }
  }
}

/** The request that each webhook of the document is sent as, under the webhook's name. */
export function* webhooksOf(
  document: ContractDocument,
): Generator<{ name: string; operation: Located<Operation> }> {
  for (const [name, { post }] of Object.entries(document.webhooks ?? {})) {
    if (post === undefined) continue;
    yield { name, operation: { value: post, pointer: pointerTo('#/webhooks', name, 'post') } };
  }
}

/** The thing itself where a `$ref` stood; a reference that leads nowhere is a fault of the bundle and throws. */
export function follow<T extends Reference>(document: ContractDocument, located: Located<T>): Located<T> {
  let current = located;
  while (current.value.$ref !== undefined) {
    const pointer = current.value.$ref;
    current = { value: lookUp(document, pointer) as T, pointer };
  }
  return current;
}

/** The pointer one step further down. */
export function pointerTo(pointer: string, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>(
    (path, step) => `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  );
}

/** The parts of a list, each where it stands. */
export function children<T>(list: readonly T[] | undefined, pointer: string): Located<T>[] {
  return (list ?? []).map((value, index) => ({ value, pointer: pointerTo(pointer, index) }));
}

function lookUp(document: ContractDocument, pointer: string): unknown {
  let found: unknown = document;
  for (const step of pointer.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`The contract has nothing at ${pointer}.`);
    }
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
