import type { Operation } from '../document.ts';
import { type Notation, type SampleRequest, variablesIn, write } from './values.ts';

const AUTHORIZATION = {
  none: [],
  basic: ['-u "$ACCOUNT_ID:$API_KEY"'],
  bearer: ['-H "Authorization: Bearer $SENDSPEC_TOKEN"'],
} as const;

const JSON_TEXT: Notation = {
  literal: (value) => JSON.stringify(value),
  variable: (name) => `"$${name}"`,
  key: (name) => JSON.stringify(name),
  step: '  ',
  space: ' ',
};

/** The operation as a command for a POSIX shell. */
export function curlSample(operation: Operation, request: SampleRequest): string {
  const parts: string[] = [];
  if (request.query.length > 0) parts.push('--get');
  else if (needsMethod(operation)) parts.push(`-X ${operation.method}`);
  parts.push(`"$SENDSPEC_URL${pathOf(operation.path, request)}"`);
  const command = [`curl ${parts.join(' ')}`, ...AUTHORIZATION[operation.security]];
  for (const { name, values } of request.query) {
    for (const value of values)
      command.push(`--data-urlencode "${write(value, QUERY_TEXT).replace(/^/, `${name}=`)}"`);
  }
  if (operation.produces === 'text/csv') command.push('-o messages.csv');
  if (request.body === undefined) return command.join(' \\\n  ');
  const text = write(request.body, JSON_TEXT);
  if (variablesIn(request.body).length === 0) {
    command.push(`-d '${text.replaceAll("'", `'\\''`)}'`);
    return command.join(' \\\n  ');
  }
  command.push('-d @- <<JSON');
  return `${command.join(' \\\n  ')}\n${text}\nJSON`;
}

const QUERY_TEXT: Notation = {
  literal: (value) => String(value).replace(/["$`\\]/g, '\\$&'),
  variable: (name) => `$${name}`,
  key: (name) => name,
  step: '',
  space: '',
};

function needsMethod({ method, bodies }: Operation): boolean {
  return method !== 'GET' && !(method === 'POST' && bodies !== undefined);
}

function pathOf(path: string, request: SampleRequest): string {
  return request.path.reduce((text, { name, variable }) => text.replace(`{${name}}`, `$${variable}`), path);
}
