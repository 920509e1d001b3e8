import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { FaultId } from '../../broken/faults.ts';
import { startBrokenServer } from '../../broken/server.ts';
import { operations } from '../../contract/document.ts';
import { runConformance } from '../../run.ts';
import { parsed, valueAt } from '../../suite/answer.ts';
import type { Violation } from '../../suite/violation.ts';
import { fuzz } from './index.ts';

type Forward = (path: string, init: RequestInit) => Promise<Response>;

/** A server that hands requests on. */
async function openProxy(forward: Forward): Promise<{ url: string; close(): void }> {
  const proxy = createServer(async (request, response) => {
    const body = await text(request);
    const { authorization = '' } = request.headers;
    const method = request.method ?? 'GET';
    const answer = await forward(request.url ?? '/', {
      method,
      headers: { authorization },
      ...(body === '' ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { url: `http://127.0.0.1:${address.port}`, close: () => proxy.close() };
}

/** Runs checks on a server with these faults. */
async function tried(faults: readonly FaultId[], only = fuzz.map(({ id }) => id)) {
  const server = await startBrokenServer({ faults });
  try {
    return await runConformance({ target: { target: server.target, ca: undefined }, seed: 1, only });
  } finally {
    await server.stop();
  }
}

async function violationsOf(fault: FaultId, check: string): Promise<readonly Violation[]> {
  const { runs } = await tried([fault], [check]);
  const outcome = runs.get(check)?.outcome;
  return outcome?.kind === 'failed' ? outcome.violations : [];
}

test('every operation has its checks, and a server that is right passes them all with some 2,000 requests', async () => {
  const { runs, context } = await tried([]);
  expect([...runs].filter(([, { outcome }]) => outcome.kind !== 'passed')).toEqual([]);
  for (const { id, body } of operations) {
    expect(runs.has(`fuzz/${id}-valid`)).toBe(true);
    expect(runs.has(`fuzz/${id}-malformed-bytes`)).toBe(body !== undefined);
  }
  expect(context.coverage.requests).toBeGreaterThan(1800);
  expect(context.coverage.requests).toBeLessThan(3000);
  // The token of a reset is nothing that a request could know, and a new domain that is not verified gets no new key.
  const withoutSuccess = context.coverage.operations
    .filter(([, { statuses }]) => !Object.keys(statuses).some((status) => Number(status) < 300))
    .map(([id]) => id);
  expect(withoutSuccess).toEqual(['confirmPasswordReset', 'rotateDomainDkim']);
});

describe('finds', () => {
  test.each<[FaultId, check: string, requirement: string, message: string]>([
    [
      'accounts.empty-name-accepted',
      'createAccount-invalid',
      'http.form-is-checked-422',
      'body name: empty, got 201',
    ],
    [
      'accounts.unknown-type-accepted',
      'createAccount-invalid',
      'http.malformed-value-422',
      'body type: unknown value, got 201',
    ],
    [
      'accounts.update-needs-no-name',
      'updateAccount-invalid',
      'http.validation-422',
      'body name: missing, got 200',
    ],
    [
      'http.repeated-parameter-accepted',
      'listDomains-invalid',
      'conventions.repeated-parameter-422',
      'limit: given twice',
    ],
    [
      'lists.limit-zero-accepted',
      'listMessages-invalid',
      'conventions.bad-page-422',
      'query limit: 0, got 200',
    ],
    [
      'periods.offset-optional',
      'getStats-invalid',
      'conventions.timestamp-without-offset-422',
      'without an offset',
    ],
    ['stats.period-optional', 'getStats-invalid', 'http.validation-422', 'missing, got 200'],
    ['http.large-offset-is-500', 'listMessages-invalid', 'http.no-internal-failure', 'was answered 500'],
    ['http.invalid-json-is-422', 'createDomain-malformed-bytes', 'http.invalid-json-400', 'expected 400'],
    [
      'http.invalid-json-is-422',
      'createUser-malformed-bytes',
      'http.invalid-json-of-extensions-400',
      'expected 400',
    ],
    ['http.emoji-is-500', 'createAccount-valid', 'http.no-internal-failure', 'was answered 500'],
    ['accounts.create-is-200', 'createAccount-valid', 'conventions.valid-input-is-accepted', 'answered 200'],
    ['registration.is-200', 'register-valid', 'conventions.valid-input-is-accepted', 'answered 200'],
    ['sending.null-refused', 'sendEmail-valid', 'conventions.valid-input-is-accepted', 'answered 207'],
    ['sending.accepted-is-207', 'sendEmail-valid', 'conventions.valid-input-is-accepted', 'answered 207'],
    [
      'sending.rejection-is-200',
      'sendEmail-invalid',
      'sending.rejected-gives-207',
      'got 200 with the message rejected',
    ],
    [
      'sending.line-break-accepted',
      'sendEmail-invalid',
      'sending.control-characters',
      'with the message accepted',
    ],
    ['sending.several-recipients-accepted', 'sendEmail-invalid', 'sending.one-recipient', 'to: two items'],
    ['sending.bad-address-accepted', 'sendEmail-invalid', 'sending.address', 'malformed address'],
    [
      'messages.unsubscribe-event-refused',
      'listMessages-valid',
      'conventions.valid-input-is-accepted',
      'answered 422',
    ],
  ])('%s by %s', async (fault, check, requirement, message) => {
    const violations = await violationsOf(fault, `fuzz/${check}`);
    expect(violations.map((violation) => [violation.requirement, violation.message])).toContainEqual([
      requirement,
      expect.stringContaining(message),
    ]);
  });
});

test('shows the smallest request, with what is wrong with it', async () => {
  const violations = await violationsOf('accounts.unknown-type-accepted', 'fuzz/createAccount-invalid');
  const shown =
    /^body type: unknown value: \{"path":\{\},"query":\{\},"body":\{"name":"fuzz-\S+ \w+ a","type":"other"\}\}$/;
  expect(violations.map(({ shrunk }) => shrunk?.case)).toContainEqual(expect.stringMatching(shown));
});

test('finds what a refused request has made all the same', async () => {
  const server = await startBrokenServer({});
  const proxy = await openProxy(async (path, init) => {
    const answer = await fetch(`${server.target.base_url}${path}`, init);
    const name = answer.status === 422 ? valueAt(parsed(String(init.body)), 'name') : undefined;
    if (path === '/v1/accounts' && typeof name === 'string')
      await fetch(`${server.target.base_url}${path}`, {
        ...init,
        body: JSON.stringify({ name, type: 'marketing' }),
      });
    return answer;
  });
  try {
    const target = { ...server.target, base_url: proxy.url };
    const check = 'fuzz/createAccount-invalid';
    const { runs } = await runConformance({ target: { target, ca: undefined }, seed: 1, only: [check] });
    expect(runs.get(check)?.outcome).toMatchObject({
      kind: 'failed',
      violations: [
        { requirement: 'http.refused-changes-nothing', message: expect.stringContaining('new accounts') },
      ],
    });
  } finally {
    proxy.close();
    await server.stop();
  }
});

test('does not blame a refusal for what a list shows by mistake', async () => {
  for (const [fault, check] of [
    ['accounts.name-filter-ignored', 'fuzz/createAccount-invalid'],
    ['messages.subject-filter-ignored', 'fuzz/sendEmail-invalid'],
  ] as const)
    expect(await violationsOf(fault, check)).toEqual([]);
});
