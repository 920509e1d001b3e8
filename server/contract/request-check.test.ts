import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/operations.ts';
import { ApiError, type FieldError } from '../domain/errors.ts';
import { contract, document } from '../http/fixtures/example-app.ts';
import { type ContractDocument, follow, operationsOf, type Schema } from './document.ts';
import { faultsIn, pairOf } from './request-check.ts';
import { Validators } from './validators.ts';

const ID = '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3';

function checkOf(id: OperationId) {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation.request;
}

function query(id: OperationId, text: string): Readonly<Record<string, unknown>> {
  return { ...checkOf(id).check({ path: {}, query: text, body: undefined }).query };
}

/** The faults of a request as `field: CODE CODE = value`. */
function faults(
  id: OperationId,
  request: { path?: Record<string, string>; query?: string; body?: unknown },
): string[] {
  try {
    checkOf(id).check({ path: {}, query: '', body: undefined, ...request });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors.map((fault) => {
      if (!('field' in fault)) return `${error.code} ${fault.code}`;
      return `${fault.field}: ${fault.errors.map(({ code }) => code).join(' ')} = ${JSON.stringify(fault.value)}`;
    });
  }
  return [];
}

describe('query parameters', () => {
  test('get their defaults, and only those that have one', () => {
    expect(query('listMessages', '')).toEqual({ limit: 30, offset: 0 });
    expect(query('listAccounts', 'name=a')).toEqual({ name: 'a', limit: 30, offset: 0 });
  });

  test('are decoded, repeated lists collected, and unknown ones ignored', () => {
    const other = 'b27d94c1-5e60-4f38-8b1d-93f2a6c07e45';
    expect(
      query(
        'listMessages',
        `limit=5&account_ids[]=${ID}&account_ids%5B%5D=${other}&subject=a+b%2Bc%C3%A9&page=1&%ff=2&account_ids=3&&=`,
      ),
    ).toEqual({ limit: 5, offset: 0, 'account_ids[]': [ID, other], subject: 'a b+cé' });
  });

  test.each(['1e3', '%2B1', '%201', '1%20', '0x1', '1.0', '01', '', '-', '١', 'null', '1_000', '1,000'])(
    '%s is no integer',
    (text) => {
      expect(faults('listMessages', { query: `limit=${text}` })).toEqual([
        `limit: INTEGER = ${JSON.stringify(decodeURIComponent(text))}`,
      ]);
    },
  );

  test.each([
    ['limit=0', 'limit: MIN = "0"'],
    ['limit=1001', 'limit: MAX = "1001"'],
    ['limit=99999999999999999999', 'limit: MAX = "100000000000000000000"'],
    ['offset=-1', 'offset: MIN = "-1"'],
    ['limit=5&limit=6', 'limit: DUPLICATE = "5"'],
    ['subject=a&subject=a', 'subject: DUPLICATE = "a"'],
    ['account_ids[]=1', 'account_ids[0]: UUID = "1"'],
    [`account_ids[]=${ID}&account_ids[]=`, 'account_ids[1]: UUID = ""'],
    ['events[]=opened', 'events[0]: CHOICE = "opened"'],
    ['period_from=2026-02-30', 'period_from: TIMESTAMP = "2026-02-30"'],
    ['period_from=2026-03-01T00:00:00', 'period_from: TIMESTAMP = "2026-03-01T00:00:00"'],
    ['period_from=2026-03-01%2000:00:00Z', 'period_from: TIMESTAMP = "2026-03-01 00:00:00Z"'],
    ['message_id=x', 'message_id: UUID = "x"'],
    ['subject=%ff', 'subject: STRING = "%ff"'],
    ['subject=%00', 'subject: CONTROL_CHARACTER = "\\u0000"'],
    [`subject=${'a'.repeat(2000)}`, `subject: MAX = ${JSON.stringify('a'.repeat(255))}`],
  ])('%s', (text, fault) => {
    expect(faults('listMessages', { query: text })).toEqual([fault]);
  });

  test('that are required are reported when they are missing', () => {
    expect(faults('getStats', {}).sort()).toEqual(['period_from: REQUIRED = ""', 'period_to: REQUIRED = ""']);
  });

  test('a list may have 100 values', () => {
    const ids = (count: number) => Array.from({ length: count }, () => `account_ids[]=${ID}`).join('&');
    expect(faults('listMessages', { query: ids(100) })).toEqual([]);
    expect(faults('listMessages', { query: ids(101) })).toEqual(['account_ids[]: MAX = ""']);
  });

  test('no query string at all makes it fail otherwise than as a VALIDATION_ERROR', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const found = faults('listMessages', {
          query: encodeURI(text.toWellFormed()).replaceAll('%20', '+'),
        });
        expect(found.length).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('path parameters', () => {
  test.each(['42', `${ID}0`, ` ${ID}`, `${ID}\n`, '__proto__'])('%j is no UUID', (account_id) => {
    expect(faults('getAccount', { path: { account_id } })).toEqual([
      `account_id: UUID = ${JSON.stringify(account_id)}`,
    ]);
  });

  test('a UUID may be in capitals', () => {
    expect(faults('getAccount', { path: { account_id: ID.toUpperCase() } })).toEqual([]);
  });
});

describe('bodies', () => {
  test.each<[OperationId, unknown, string[]]>([
    ['createAccount', {}, ['name: REQUIRED = ""', 'type: REQUIRED = ""']],
    ['createAccount', { name: null, type: 'personal' }, ['name: REQUIRED = ""', 'type: CHOICE = "personal"']],
    ['createAccount', { name: '', type: 7 }, ['name: MIN = ""', 'type: STRING = 7']],
    ['createAccount', { name: 'a\nb', type: 'marketing' }, ['name: CONTROL_CHARACTER = "a\\nb"']],
    ['createAccount', [], [': OBJECT = ""']],
    ['createAccount', 'text', [': OBJECT = "text"']],
    ['createAccount', null, [': OBJECT = ""']],
    ['createDomain', { name: 'demo.test', accounts: null }, ['accounts: REQUIRED = ""']],
    ['createDomain', { name: 'demo.test', accounts: [] }, []],
    ['createDomain', { name: 'demo.test', accounts: 'x' }, ['accounts: ARRAY = "x"']],
    [
      'createDomain',
      { name: 'demo', accounts: ['x', ID] },
      ['accounts[0]: UUID = "x"', 'name: HOSTNAME = "demo"'],
    ],
    [
      'createDomain',
      { name: Number.POSITIVE_INFINITY, accounts: [{}] },
      ['accounts[0]: STRING = ""', 'name: STRING = "Infinity"'],
    ],
    ['updateAccount', { name: 'a', status: null, type: 'ignored' }, []],
    ['updateAccount', { name: 'a', status: 'gone' }, ['status: CHOICE = "gone"']],
    ['sendEmail', {}, ['BODY_NOT_ARRAY BODY_NOT_ARRAY']],
    ['sendEmail', null, ['BODY_NOT_ARRAY BODY_NOT_ARRAY']],
    ['sendEmail', [], ['BODY_EMPTY_ARRAY BODY_EMPTY_ARRAY']],
    ['sendEmail', Array(501).fill({}), ['VALIDATION_ERROR MAX']],
    ['sendEmail', [null, 7, {}], []],
  ])('%s %j', (id, body, expected) => {
    const path = id === 'updateAccount' ? { account_id: ID } : {};
    expect(faults(id, { path, body }).sort()).toEqual(expected);
  });

  test('a password never comes back, neither as text nor as anything else', () => {
    for (const password of ['short', 'x'.repeat(2000), 12345678, true, null, { a: 'secret' }]) {
      const body = { organisation_name: 'Demo', name: 'Ada', email: 'ada@demo.test', password };
      for (const fault of faults('register', { body })) expect(fault).toMatch(/^password: \w+ = ""$/);
      expect(faults('register', { body })).toHaveLength(1);
    }
  });

  test('a long list of faults is cut, and a fault far down a long list is still found', () => {
    const accounts = Array.from({ length: 1000 }, () => 'x');
    expect(faults('createDomain', { body: { name: 'demo.test', accounts } })).toHaveLength(100);
    const lastIsWrong = [...Array.from({ length: 999 }, () => ID), 'x'];
    expect(faults('createDomain', { body: { name: 'demo.test', accounts: lastIsWrong } })).toEqual([
      'accounts[999]: UUID = "x"',
    ]);
  });

  test('a hostile list makes no fault of each of its items', () => {
    const pointer = '#/components/schemas/DomainCreate';
    const source = {
      quick: new Validators(document, {}),
      thorough: new Validators(document, { allErrors: true, verbose: true }),
    };
    const pair = pairOf(source, (validators) => validators.at(pointer));
    const faulty = { name: 'demo.test', accounts: Array(100_000).fill('x') };
    expect(faultsIn(pair, faulty).length).toBeLessThan(5_000);
  });

  test('a value is cut without tearing a character apart', () => {
    const [fault] = fieldErrors('createAccount', {
      name: `${'a'.repeat(254)}${'😀'.repeat(300)}`,
      type: 'marketing',
    });
    expect(String(fault?.value).isWellFormed()).toBe(true);
    expect(String(fault?.value).length).toBe(255);
  });

  test('any JSON at all gives a verdict, and errors that the contract can carry', () => {
    const check = contract.operations.find(({ id }) => id === 'createDomain')?.response;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (body) => {
        const errors = fieldErrors('createDomain', body);
        const envelope = { data: { code: 'VALIDATION_ERROR', errors }, meta: { rq_time: '0.1s' } };
        const headers = { 'RateLimit-Limit': 1, 'RateLimit-Remaining': 1, 'RateLimit-Reset': 1 };
        const response = { status: 422, headers, contentType: 'application/json', body: envelope };
        if (errors.length > 0) expect(check?.faultIn(response)).toBeUndefined();
      }),
    );
  });
});

describe('the contract itself', () => {
  test('refuses NUL in every free text of a request: a database keeps none', () => {
    const free: string[] = [];
    for (const { operation, parameters } of operationsOf(document)) {
      const body = operation.value.requestBody?.content?.['application/json']?.schema;
      const roots = [...parameters.map(({ value }) => value.schema), body];
      for (const root of roots) collectFreeText(root, operation.value.operationId, free);
    }
    expect(free).toEqual([]);
  });
});

function fieldErrors(id: OperationId, body: unknown): FieldError[] {
  try {
    checkOf(id).check({ path: {}, query: '', body });
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.errors as FieldError[];
    throw error;
  }
}

/** Names the strings that would let a NUL through: no pattern that excludes it, no format, no list of values, no secret that is hashed. */
function collectFreeText(schema: Schema | undefined, path: string, found: string[]): void {
  if (schema === undefined) return;
  const { value } = follow(document as ContractDocument, { value: schema, pointer: '' });
  const keywords = value as Schema & { pattern?: string; enum?: unknown; const?: unknown };
  const isText = [keywords.type].flat().includes('string');
  if (isText && !keywords.format && !keywords.enum && keywords.const === undefined) {
    if (keywords.pattern === undefined || new RegExp(keywords.pattern, 'u').test('a\0b')) found.push(path);
  }
  for (const [name, property] of Object.entries(value.properties ?? {}))
    collectFreeText(property, `${path}.${name}`, found);
  for (const part of [value.items, ...(value.anyOf ?? []), ...(value.oneOf ?? []), ...(value.allOf ?? [])]) {
    collectFreeText(part, path, found);
  }
}
