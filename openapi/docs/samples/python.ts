import type { Operation } from '../document.ts';
import { type Notation, type SampleRequest, type SampleValue, write } from './values.ts';

const PYTHON: Notation = {
  literal: (value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'string') return quoted(value);
    return String(value);
  },
  variable: (name) => `os.environ["${name}"]`,
  key: (name) => JSON.stringify(name),
  step: '    ',
  space: '',
};

/** The operation as a program for Python 3.9 and newer, with the library `requests`. */
export function pythonSample(operation: Operation, request: SampleRequest): string {
  const { method } = operation;
  const isStream = operation.produces !== 'application/json';
  const lines = [
    `f"${addressOf(operation, request)}"`,
    ...credentials(operation),
    ...(request.query.length > 0 ? [`params=${write(queryOf(request), PYTHON, '    ', ',')}`] : []),
    ...(request.body === undefined ? [] : [`json=${write(request.body, PYTHON, '    ', ',')}`]),
    ...(isStream ? ['stream=True'] : []),
  ];
  const call = `response = requests.${method.toLowerCase()}(\n${lines.map((line) => `    ${line},`).join('\n')}\n)`;
  return `import os\n\nimport requests\n\n${call}\n${isStream ? ROWS : ANSWER}`;
}

// Of an error too: what went wrong stands in the body.
const ANSWER = 'print(response.status_code, response.text)\n';
const ROWS = `response.raise_for_status()
for line in response.iter_lines(decode_unicode=True):
    print(line)
`;

function addressOf({ path }: Operation, request: SampleRequest): string {
  const filled = request.path.reduce(
    (text, { name, variable }) => text.replace(`{${name}}`, `{os.environ['${variable}']}`),
    path,
  );
  return `{os.environ['SENDSPEC_URL']}${filled}`;
}

function credentials({ security }: Operation): string[] {
  if (security === 'basic') return ['auth=(os.environ["ACCOUNT_ID"], os.environ["API_KEY"])'];
  if (security === 'bearer') return ['headers={"Authorization": f"Bearer {os.environ[\'SENDSPEC_TOKEN\']}"}'];
  return [];
}

function queryOf({ query }: SampleRequest): SampleValue {
  const entries = query.map(({ name, values }): [string, SampleValue] => {
    const [first = { kind: 'literal', value: null }] = values;
    return [name, name.endsWith('[]') ? { kind: 'list', items: values } : first];
  });
  return { kind: 'object', entries };
}

/** Both languages write strings alike, as far as JSON goes. What is full of quotation marks is easier to read between single ones. */
function quoted(text: string): string {
  const inJson = JSON.stringify(text);
  return /^[^'\\]*$/.test(text) && text.includes('"') ? `'${text}'` : inJson;
}
