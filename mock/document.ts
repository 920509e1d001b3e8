import { readFileSync } from 'node:fs';
import {
  type ContractDocument,
  type Example,
  follow,
  type Located,
  type Operation,
  operationsOf,
  pointerTo,
  type Response,
  type Schema,
} from '../server/contract/document.ts';

/** An example of the contract under its name. */
export interface NamedExample {
  name: string;
  value: unknown;
  /** The parameters, by name, of the requests that it answers; undefined for an example that answers any. */
  answers: Readonly<Record<string, unknown>> | undefined;
}

/** What an operation is documented to answer with a status. */
export interface DocumentedAnswer {
  status: number;
  contentType: string;
  /** The JSON pointer of the body's schema. */
  schema: string;
  examples: readonly NamedExample[];
}

/** A field that the body of a request may have. */
export interface TakenField {
  /** What stands for it when it is absent or null; undefined when nothing does. */
  default: unknown;
  /** Its format, or that of each of its items. */
  format: string | undefined;
  /** What a list may hold, in the order of the contract; undefined for everything else. */
  choices: readonly unknown[] | undefined;
}

/** An operation as the mock needs it: how it may be answered, and how it may be asked. */
export interface DocumentedOperation {
  method: string;
  path: string;
  /** Lowest status first. */
  answers: readonly DocumentedAnswer[];
  /** Examples of its body. */
  requests: readonly NamedExample[];
  /** The fields of its body by name: all others are ignored. */
  fields: ReadonlyMap<string, TakenField>;
}

const BUNDLE = new URL('../generated/openapi.json', import.meta.url);

/** The text of the bundled contract. */
export function readBundle(): string {
  return readFileSync(BUNDLE, 'utf8');
}

/** Every operation of the contract by `operationId`, with its answers and examples. */
export function documentedOperations(document: ContractDocument): Map<string, DocumentedOperation> {
  return new Map(
    [...operationsOf(document)].map(({ method, path, operation }) => [
      operation.value.operationId,
      {
        method,
        path,
        answers: answersOf(document, operation),
        requests: requestExamples(document, operation.value),
        fields: takenFields(document, operation.value),
      },
    ]),
  );
}

/** The examples of the notification of an event, by the name of the event, in the order of the contract. */
export function notificationExamples(document: ContractDocument): Map<string, readonly NamedExample[]> {
  return new Map(
    Object.entries(document.webhooks ?? {}).flatMap(([event, { post }]) =>
      post === undefined ? [] : [[event, requestExamples(document, post)]],
    ),
  );
}

function answersOf(document: ContractDocument, operation: Located<Operation>): DocumentedAnswer[] {
  return Object.entries(operation.value.responses).flatMap(([status, response]) => {
    const pointer = pointerTo(operation.pointer, 'responses', status);
    const located: Located<Response> = follow(document, { value: response, pointer });
    return Object.entries(located.value.content ?? {}).map(([contentType, { examples }]) => ({
      status: Number(status),
      contentType,
      schema: pointerTo(located.pointer, 'content', contentType, 'schema'),
      examples: named(document, examples),
    }));
  });
}

function requestExamples(document: ContractDocument, operation: Operation): readonly NamedExample[] {
  return named(document, jsonBodyOf(document, operation)?.examples);
}

function takenFields(document: ContractDocument, operation: Operation): ReadonlyMap<string, TakenField> {
  const resolved = (schema: Schema): Schema => follow(document, { value: schema, pointer: '' }).value;
  const { properties = {} } = resolved(jsonBodyOf(document, operation)?.schema ?? {});
  return new Map(
    Object.entries(properties).map(([name, property]) => {
      const schema = resolved(property);
      const items = schema.items && resolved(schema.items);
      return [name, { default: schema.default, format: (items ?? schema).format, choices: items?.enum }];
    }),
  );
}

function jsonBodyOf(document: ContractDocument, { requestBody }: Operation) {
  if (requestBody === undefined) return undefined;
  return follow(document, { value: requestBody, pointer: '' }).value.content?.['application/json'];
}

function named(
  document: ContractDocument,
  examples: Readonly<Record<string, Example>> | undefined,
): NamedExample[] {
  return Object.entries(examples ?? {}).map(([name, reference]) => {
    const example = follow(document, { value: reference, pointer: '' }).value;
    return { name, value: example.value, answers: reference['x-answers'] ?? example['x-answers'] };
  });
}
