import { type OperationId, operations } from '../../generated/operations.ts';
import { type ContractDocument, operationsOf } from '../../server/contract/document.ts';
import type { CallOptions } from '../../server/testing/http-call.ts';
import { type DocumentedAnswer, documentedOperations, readBundle } from '../document.ts';
import { valueAt } from '../json.ts';

/** An operation, a request to it that the contract's own examples make up, and what it is documented to answer. */
export interface ExampleRequest {
  id: OperationId;
  method: string;
  path: string;
  options: CallOptions;
  answers: readonly DocumentedAnswer[];
}

const document: ContractDocument = JSON.parse(readBundle());
const documented = documentedOperations(document);

/** Any well-formed credentials. */
export const TOKEN = 'any';
export const BASIC = { account_id: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3', api_key: 'any' };

/** A request to every operation of the contract. */
export const EXAMPLE_REQUESTS: readonly ExampleRequest[] = [...operationsOf(document)].map(
  ({ method, path, operation, parameters }) => {
    const id = idOf(operation.value.operationId);
    const examples = parameters.map(({ value }) => ({ ...value, example: valueAt(value, 'example') }));
    const required = examples.filter((parameter) => parameter.in === 'query' && parameter.required);
    const { answers = [], requests = [] } = documented.get(id) ?? {};
    return {
      id,
      method,
      path: path.replace(/\{(.+?)\}/g, (_whole, name) =>
        String(examples.find((parameter) => parameter.name === name)?.example),
      ),
      options: {
        ...credentialsFor(id),
        query: Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
        ...(requests[0] === undefined ? {} : { body: requests[0].value }),
      },
      answers,
    };
  },
);

/** Every example of every answer whose status passes. */
export function documentedExamples(passes: (status: number) => boolean) {
  return EXAMPLE_REQUESTS.flatMap((request) =>
    request.answers
      .filter(({ status }) => passes(status))
      .flatMap(({ status, examples }) =>
        examples.map((example) => ({ ...request, status, name: example.name, value: example.value })),
      ),
  );
}

function credentialsFor(id: OperationId): CallOptions {
  const { security } = operations[id];
  if (security === 'none') return {};
  return security === 'basic' ? { basic: BASIC } : { token: TOKEN };
}

function idOf(name: string): OperationId {
  const id = Object.keys(operations).find((known): known is OperationId => known === name);
  if (id === undefined) throw new Error(`generated/operations.ts lacks ${name}`);
  return id;
}
