import type { Operation } from '../document.ts';
import { type Notation, type SampleRequest, write } from './values.ts';

const PYTHON: Notation = {
  literal: (value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    // Both languages write strings alike, as far as JSON goes.
    return JSON.stringify(value);
  },
  variable: (name) => `environ["${name}"]`,
  key: (name) => JSON.stringify(name),
  step: '    ',
  space: '',
};

/** The operation as a program for Python 3.10 and newer with nothing but its standard library. */
export function pythonSample(operation: Operation, request: SampleRequest): string {
  const imports = [
    ...(operation.security === 'basic' ? ['from base64 import b64encode'] : []),
    ...(request.body === undefined && operation.produces !== 'application/json' ? [] : ['import json']),
    'from os import environ',
    ...(request.query.length > 0 ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
  ].sort((a, b) => Number(a.startsWith('from')) - Number(b.startsWith('from')));
  return `${imports.join('\n')}\n\n${preparation(operation, request)}request = Request(\n${argumentsOf(operation, request)}\n)\nwith urlopen(request) as response:\n${output(operation)}\n`;
}

function preparation({ security }: Operation, { query }: SampleRequest): string {
  const lines: string[] = [];
  if (security === 'basic') {
    lines.push("credentials = f\"{environ['ACCOUNT_ID']}:{environ['API_KEY']}\"", '');
  }
  if (query.length > 0) {
    const pairs = query.flatMap(({ name, values }) =>
      values.map((value) => `    (${JSON.stringify(name)}, ${write(value, PYTHON)}),`),
    );
    lines.push('query = urlencode([', ...pairs, '])', '');
  }
  return lines.map((line) => `${line}\n`).join('');
}

function argumentsOf(operation: Operation, { path, query, body }: SampleRequest): string {
  const filled = path.reduce(
    (text, { name, variable }) => text.replace(`{${name}}`, `{environ['${variable}']}`),
    operation.path,
  );
  const lines = [`f"{environ['SENDSPEC_URL']}${filled}${query.length > 0 ? '?{query}' : ''}"`];
  if (operation.method !== 'GET') lines.push(`method="${operation.method}"`);
  if (operation.security === 'bearer') {
    lines.push(`headers={"Authorization": f"Bearer {environ['SENDSPEC_TOKEN']}"}`);
  }
  if (operation.security === 'basic') {
    lines.push('headers={"Authorization": "Basic " + b64encode(credentials.encode()).decode()}');
  }
  if (body !== undefined) lines.push(`data=json.dumps(${write(body, PYTHON, '    ', ',')}).encode()`);
  return lines.map((line) => `    ${line},`).join('\n');
}

function output({ produces }: Operation): string {
  if (produces === 'text/csv') return '    for line in response:\n        print(line.decode(), end="")';
  return '    print(response.status)\n    print(json.dumps(json.load(response), indent=2))';
}
