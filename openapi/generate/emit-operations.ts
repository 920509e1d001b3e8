import {
  type LocatedOperation,
  listOperations,
  type OpenApiDocument,
  objectShape,
  type Response,
  resolve,
  type Schema,
} from './document.ts';

/** What a program has to know about an operation at run time. */
export interface OperationFacts {
  method: string;
  path: string;
  tag: string;
  security: 'basic' | 'bearer' | 'none';
  origin: 'core' | 'extension';
  statuses: number[];
  successStatuses: number[];
  contentType: 'application/json' | 'text/csv';
  meta: 'stamped' | 'empty' | 'none';
  paginated: boolean;
  requestBody: boolean;
  hasParameters: boolean;
}

/** The facts of every operation by operationId, in document order. */
export function collectFacts(document: OpenApiDocument): Map<string, OperationFacts> {
  const facts = new Map<string, OperationFacts>();
  for (const located of listOperations(document)) {
    const { operationId } = located.operation;
    if (facts.has(operationId))
      throw new Error(`The operationId ${operationId} stands twice in the document.`);
    facts.set(operationId, factsOf(document, located));
  }
  return facts;
}

function factsOf(
  document: OpenApiDocument,
  { path, method, pathItem, operation }: LocatedOperation,
): OperationFacts {
  const statuses = Object.keys(operation.responses)
    .map(Number)
    .sort((a, b) => a - b);
  const successStatuses = statuses.filter((status) => status < 400);
  const content = successContent(document, operation.responses[String(successStatuses[0])]);
  const metaNames = metaPropertiesOf(document, content.schema);
  const parameters = [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])];
  return {
    method,
    path,
    tag: operation.tags[0] ?? fail(operation.operationId, 'a tag'),
    security: securityOf(document, operation.security?.[0], operation.operationId),
    origin: operation['x-origin'] === 'extension' ? 'extension' : 'core',
    statuses,
    successStatuses,
    contentType: content.type,
    meta: metaKind(metaNames),
    paginated: ['limit', 'offset', 'total'].every((name) => metaNames?.has(name)),
    requestBody: operation.requestBody !== undefined,
    hasParameters: parameters.length > 0,
  };
}

function successContent(
  document: OpenApiDocument,
  response: OpenApiDocument['paths'][string] | LocatedOperation['operation']['responses'][string] | undefined,
): { type: OperationFacts['contentType']; schema: Schema | undefined } {
  const content = response ? resolve<Response>(document, response as Response).content : undefined;
  const json = content?.['application/json'];
  if (json) return { type: 'application/json', schema: json.schema };
  return { type: 'text/csv', schema: undefined };
}

/** The names in the `meta` of a success envelope; undefined when the body has no `meta`. */
function metaPropertiesOf(document: OpenApiDocument, schema: Schema | undefined): Set<string> | undefined {
  const { properties } = objectShape(document, schema);
  return properties.meta && new Set(Object.keys(objectShape(document, properties.meta).properties));
}

function metaKind(names: Set<string> | undefined): OperationFacts['meta'] {
  if (!names) return 'none';
  return names.has('rq_time') ? 'stamped' : 'empty';
}

function securityOf(
  document: OpenApiDocument,
  requirement: Record<string, string[]> | undefined,
  operationId: string,
): OperationFacts['security'] {
  if (!requirement) return 'none';
  const name = Object.keys(requirement)[0] ?? fail(operationId, 'a named security scheme');
  const scheme = document.components?.securitySchemes?.[name]?.scheme;
  if (scheme === 'basic' || scheme === 'bearer') return scheme;
  throw new Error(`The security scheme ${name} of ${operationId} is neither basic nor bearer.`);
}

function fail(operationId: string, what: string): never {
  throw new Error(`The operation ${operationId} lacks ${what}.`);
}

/** The module `operations.ts`: the facts as a constant, the enums of the components, and the types that narrow them. */
export function emitOperations(document: OpenApiDocument): string {
  const facts = Object.fromEntries(collectFacts(document));
  const enums = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {})
      .filter(([, schema]) => schema.enum)
      .map(([name, schema]) => [name, schema.enum]),
  );
  return `import type { operations as OperationTypes } from './types.ts';

/** Every operation of the contract by operationId. */
export const operations = ${JSON.stringify(facts)} as const;

/** The values of every enum among the component schemas, by schema name. */
export const enums = ${JSON.stringify(enums)} as const;
${operationTypes}`;
}

const operationTypes = `
export type OperationId = keyof typeof operations;

/** The operationIds whose fact \`Fact\` has the value \`Value\`: \`OperationsWith<'security', 'basic'>\`. */
export type OperationsWith<Fact extends keyof (typeof operations)[OperationId], Value> = {
  [Id in OperationId]: (typeof operations)[Id][Fact] extends Value ? Id : never;
}[OperationId];

type Defined<T> = Exclude<T, undefined>;
type PartOf<T, Name extends string> = T extends { [N in Name]?: infer Part } ? Defined<Part> : never;
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

/** The path parameters of an operation; \`never\` when it has none. */
export type PathParameters<Id extends OperationId> = PartOf<OperationTypes[Id]['parameters'], 'path'>;
/** The query parameters of an operation; \`never\` when it has none. */
export type QueryParameters<Id extends OperationId> = PartOf<OperationTypes[Id]['parameters'], 'query'>;
/** The JSON body of an operation's request; \`never\` when it has none. */
export type RequestBody<Id extends OperationId> = JsonOf<PartOf<OperationTypes[Id], 'requestBody'>>;

/** The statuses an operation can answer with. */
export type Status<Id extends OperationId> = (typeof operations)[Id]['statuses'][number] &
  keyof OperationTypes[Id]['responses'];
/** The statuses below 400 of an operation. */
export type SuccessStatus<Id extends OperationId> = Extract<
  Status<Id>,
  (typeof operations)[Id]['successStatuses'][number]
>;
/** The statuses from 400 of an operation. */
export type ErrorStatus<Id extends OperationId> = Exclude<Status<Id>, SuccessStatus<Id>>;

/** The body that an operation answers with under a status. */
export type ResponseBody<Id extends OperationId, S extends Status<Id>> = OperationTypes[Id]['responses'][S] extends {
  content: infer Content;
}
  ? Content[keyof Content]
  : never;
`;
