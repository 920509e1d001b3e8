import { readFile } from 'node:fs/promises';
import {
  type LocatedOperation,
  listOperations,
  type OpenApiDocument,
  type Response,
  resolve,
} from './document.ts';
import { collectFacts, type OperationFacts } from './emit-operations.ts';

const marker = '// The methods of the client: replaced by one documented method per operation.';

const written = [
  'client.ts',
  'client-csv.ts',
  'client-error.ts',
  'client-request.ts',
  'client-result.ts',
  'client-session.ts',
];

/** The modules of the client by file name: those that are written by hand, and the two that follow from the document. */
export async function emitClient(document: OpenApiDocument): Promise<[string, string][]> {
  const runtime = written.map(async (name): Promise<[string, string]> => [name, await fromTemplate(name)]);
  return [
    ...(await Promise.all(runtime)),
    ['client-types.ts', await emitClientTypes(document)],
    ['client-operations.ts', emitClientOperations(document)],
  ];
}

/**
 * The module `client-types.ts`: the hand-written types with the method map spelt out, one documented method for each
 * operation, so that an editor shows what each one does.
 */
async function emitClientTypes(document: OpenApiDocument): Promise<string> {
  const template = await fromTemplate('client-types.ts');
  const [head, tail] = template.split(marker);
  if (head === undefined || tail === undefined)
    throw new Error('client-types.ts has lost its method marker.');
  const afterMap = tail.slice(tail.indexOf('\n};\n') + 4);
  return `${head}${methodMap(document)}${afterMap}`;
}

/** The module `client-operations.ts`: of `operations.ts` no more than the client needs when it runs. */
function emitClientOperations(document: OpenApiDocument): string {
  const operations = [...collectFacts(document)].map(([operationId, facts]) => {
    const { method, path, security, statuses } = facts;
    const errorStatuses = statuses.filter((status) => status >= 400);
    return [operationId, { method, path, security, result: resultOf(facts), errorStatuses }];
  });
  return `import type { OperationId } from './operations.ts';

/** What the client has to know of an operation when it runs. */
interface ClientOperation {
  method: string;
  path: string;
  security: 'basic' | 'bearer' | 'none';
  /** What stands in the body: \`data\` and \`meta\`, a page of them, an object of its own, or a file. */
  result: 'envelope' | 'page' | 'plain' | 'file';
  errorStatuses: readonly number[];
}

export const clientOperations: Readonly<Record<OperationId, ClientOperation>> = ${JSON.stringify(Object.fromEntries(operations))};
`;
}

function resultOf({ contentType, paginated, meta }: OperationFacts): string {
  if (contentType === 'text/csv') return 'file';
  if (paginated) return 'page';
  return meta === 'none' ? 'plain' : 'envelope';
}

async function fromTemplate(name: string): Promise<string> {
  const text = await readFile(new URL(`client/${name}`, import.meta.url), 'utf8');
  return text.replaceAll("'../../../generated/", "'./").replace(/^\/\/ Template:.*\n/m, '');
}

function methodMap(document: OpenApiDocument): string {
  const facts = collectFacts(document);
  const methods = listOperations(document).map((located) => {
    const { operationId } = located.operation;
    const lines = documentation(document, located).map((line) => `   * ${line}`.trimEnd());
    return `  /**\n${lines.join('\n')}\n   */\n  ${operationId}: ${methodKind(facts.get(operationId))}<'${operationId}'>;`;
  });
  return `export interface Methods {\n${methods.join('\n')}\n}\n`;
}

// Nearly every operation has these: a caller cannot cause them by what he passes, or the client has tried already what helps.
const EVERYWHERE = ['400', '401', '429', '500'];

/** What an editor shows of a method: what the contract says of it, where it goes, and how it may be refused. */
function documentation(document: OpenApiDocument, { method, path, operation }: LocatedOperation): string[] {
  const { operationId, summary = operationId, description = '', responses } = operation;
  const refusals = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400 && !EVERYWHERE.includes(status))
    .map(([status, response]) => `${status}: ${resolve<Response>(document, response).description ?? ''}`);
  return [
    summary,
    '',
    ...(description === '' ? [] : [...description.trim().split('\n'), '']),
    `\`${method.toUpperCase()} ${path}\``,
    ...(refusals.length === 0 ? [] : ['', `@throws {SendspecError} ${refusals.join(' ')}`]),
  ].map((line) => line.replaceAll('*/', '*\\/'));
}

function methodKind(facts: OperationFacts | undefined): string {
  if (facts?.paginated) return 'ListMethod';
  return facts?.contentType === 'text/csv' ? 'ExportMethod' : 'Method';
}
