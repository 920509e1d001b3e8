import { readFile } from 'node:fs/promises';
import { listOperations, type OpenApiDocument } from './document.ts';
import { collectFacts } from './emit-operations.ts';

const marker = '// The methods of the client: replaced by one documented method per operation.';

/** The module `client.ts`: the hand-written runtime. */
export async function emitClient(): Promise<string> {
  return fromTemplate('client-runtime.ts');
}

/**
 * The module `client-types.ts`: the hand-written types with the method map spelt out, one documented method for each
 * operation, so that an editor shows what each one does.
 */
export async function emitClientTypes(document: OpenApiDocument): Promise<string> {
  const template = await fromTemplate('client-types.ts');
  const [head, tail] = template.split(marker);
  if (head === undefined || tail === undefined)
    throw new Error('client-types.ts has lost its method marker.');
  const afterMap = tail.slice(tail.indexOf('\n};\n') + 4);
  return `${head}${methodMap(document)}${afterMap}`;
}

async function fromTemplate(name: string): Promise<string> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8');
  return text.replaceAll("'../../generated/", "'./").replace(/^\/\/ Template:.*\n/m, '');
}

function methodMap(document: OpenApiDocument): string {
  const facts = collectFacts(document);
  const lines = listOperations(document).map(({ operation: { operationId, summary } }) => {
    const kind = facts.get(operationId)?.paginated ? 'ListMethod' : 'Method';
    return `  /** ${(summary ?? operationId).replaceAll('*/', '')} */\n  ${operationId}: ${kind}<'${operationId}'>;`;
  });
  return `export interface Methods {\n${lines.join('\n')}\n}\n`;
}
