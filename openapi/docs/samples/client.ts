import type { Operation } from '../document.ts';
import { type Notation, type SampleRequest, type SampleValue, variablesIn, write } from './values.ts';

const TYPESCRIPT: Notation = {
  literal: (value) => (typeof value === 'string' ? quoted(value) : String(value)),
  variable: (name) => name,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)),
  step: '  ',
  space: ' ',
};

const OPTIONS = {
  none: [],
  basic: ['apiKey: { accountId: ACCOUNT_ID, apiKey: API_KEY }'],
  bearer: ['accessToken: SENDSPEC_TOKEN'],
} as const;

const CREDENTIALS = { none: [], basic: ['ACCOUNT_ID', 'API_KEY'], bearer: ['SENDSPEC_TOKEN'] } as const;

/** The operation as a TypeScript module that uses the project's client. */
export function clientSample(operation: Operation, request: SampleRequest): string {
  const input = inputOf(request);
  const variables = [
    'SENDSPEC_URL',
    ...new Set([...CREDENTIALS[operation.security], ...(input === undefined ? [] : variablesIn(input))]),
  ];
  const options = ['baseUrl: SENDSPEC_URL', ...OPTIONS[operation.security]].join(', ');
  return `import { createClient } from 'sendspec/client';

const { ${variables.map((name) => `${name} = ''`).join(', ')} } = process.env;
const client = createClient({ ${options} });

${callOf(operation, input)}
`;
}

function inputOf({ path, query, body }: SampleRequest): SampleValue | undefined {
  const entries: [string, SampleValue][] = [];
  if (path.length > 0) {
    entries.push([
      'path',
      objectOf(path.map(({ name, variable }) => [name, { kind: 'variable', name: variable }])),
    ]);
  }
  if (query.length > 0) entries.push(['query', objectOf(query.map((one) => [one.name, queryValue(one)]))]);
  if (body !== undefined) entries.push(['body', body]);
  return entries.length === 0 ? undefined : objectOf(entries);
}

function objectOf(entries: [string, SampleValue][]): SampleValue {
  return { kind: 'object', entries };
}

function queryValue({ name, values }: SampleRequest['query'][number]): SampleValue {
  const [first = { kind: 'literal', value: null }] = values;
  return name.endsWith('[]') ? { kind: 'list', items: values } : first;
}

function callOf({ id, isList, produces }: Operation, input: SampleValue | undefined): string {
  const given = input === undefined ? '' : write(input, TYPESCRIPT, '', ',');
  if (isList) return `for await (const item of client.${id}.all(${given})) {\n  console.log(item);\n}`;
  if (produces === 'text/csv') {
    return `for await (const row of client.${id}.rows(${given})) {\n  console.log(row.recipient_email, row.smtp_response);\n}`;
  }
  return `const { data } = await client.${id}(${given});\nconsole.log(data);`;
}

function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`;
}
