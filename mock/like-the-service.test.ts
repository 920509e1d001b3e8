import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../generated/operations.ts';
import type { Answer, CallOptions } from '../server/testing/http-call.ts';
import { startApi, type TestApi, type TestUser } from '../server/testing.ts';
import { documentedOperations, readBundle } from './document.ts';
import { isObject } from './json.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';
import { EXAMPLE_REQUESTS, type ExampleRequest } from './testing/requests.ts';

// The same requests to the mock and to the service: whatever is refused without looking at what is kept is refused by both, in the same words.

interface Variant {
  title: string;
  method: string;
  path: string;
  options: CallOptions;
}

const documented = documentedOperations(JSON.parse(readBundle()));
const ORIGIN = { Origin: 'https://app.demo.test' };
// What a 409, a 403 or a success depends on is kept by the service, and by no mock.
const OF_THE_FORM = new Set([400, 404, 422]);
const ODD_VALUES = [
  null,
  5,
  -1,
  '',
  'x',
  ' ',
  'x'.repeat(3000),
  'a\u0000b',
  '\ud800',
  true,
  [],
  {},
  [5],
  1.5,
];
const ODD_QUERIES = [
  ['limit', '0'],
  ['limit', '1001'],
  ['limit', ''],
  ['limit', '1e1'],
  ['offset', '-1'],
  ['offset', '9'.repeat(20)],
  ['period_from', '2026-02-30'],
  ['period_to', '2026-03-01T10:00'],
  ['events[]', 'opened'],
  ['account_ids[]', '42'],
  ['types[]', ''],
  ['type', 'both'],
  ['recipient_email', ''],
  ['subject', '\u0000'],
  ['all_accounts', '2'],
  ['__proto__', '1'],
  ['constructor[prototype]', '1'],
] as const;

let api: TestApi;
let owner: TestUser;
let basic: CallOptions['basic'];
let mock: TestMock;
beforeAll(async () => {
  // As an operator has it who has decided nothing, but that pages may call.
  const settings = { SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '0', SENDSPEC_CORS_ORIGINS: ORIGIN.Origin };
  [api, mock] = await Promise.all([startApi(settings), startTestMock()]);
  const tenant = await api.createTenant();
  owner = tenant.owner;
  basic = { account_id: tenant.account.account_id, api_key: tenant.account.api_key };
});
afterAll(async () => {
  await mock?.close();
  await api?.close();
});

/** What both are asked, once with the service's credentials and once with the example's. */
async function bothAnswer({ method, path, options }: Variant): Promise<[Answer, Answer]> {
  const headers = { ...ORIGIN, ...options.headers };
  const own = {
    ...(options.token === undefined ? {} : { token: owner.token }),
    ...(options.basic === undefined ? {} : { basic }),
  };
  return [
    await api.call(method, path, { ...options, ...own, headers }),
    await mock.call(method, path, { ...options, headers }),
  ];
}

/** An answer but for what differs by nature: times, and how much of the limit is left. */
function likeness({ status, headers, json }: Answer): unknown {
  const told = [...headers]
    .filter(([name]) => !['date', 'content-length', 'connection', 'keep-alive'].includes(name))
    .map(([name, value]) => (name.startsWith('ratelimit-') ? name : `${name}: ${value}`));
  const { data, meta } = Object(json);
  return { status, told: told.sort(), data, meta: Object.keys(Object(meta)) };
}

/** Whether the answer to such a request says nothing of what is kept. */
function isOfTheForm(id: OperationId, { status }: Answer): boolean {
  return OF_THE_FORM.has(status) || (status === 401 && operations[id].security !== 'none');
}

function variantsOf({ id, method, path, options }: ExampleRequest): Variant[] {
  const variant = (title: string, change: Partial<Variant>): Variant => ({
    title,
    method,
    path,
    options,
    ...change,
  });
  const withOptions = (title: string, change: CallOptions) =>
    variant(title, { options: { ...options, ...change } });
  const anyone = { token: undefined, basic: undefined };
  return [
    withOptions('nobody', anyone),
    ...['', 'Bearer', 'Basic', 'Basic Og==', 'Bearer a b', 'Digest x', `Basic ${btoa('x:y')}`].map(
      (authorization) =>
        withOptions(`authorization ${authorization}`, {
          ...anyone,
          headers: { Authorization: authorization },
        }),
    ),
    ...['PUT', 'HEAD', 'OPTIONS', 'TRACE'].map((other) => variant(other, { method: other })),
    ...[
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      path.replace('/v1', '/v2'),
      path.replace('/v1/', '/v1//'),
    ].map((other) => variant(other, { path: other })),
    ...['42', '%00', '__proto__', '%zz', '{account_id}'].flatMap((text) => {
      const other = path.replace(/[0-9a-f-]{36}/, text);
      return other === path ? [] : [variant(other, { path: other })];
    }),
    ...ODD_QUERIES.map(([name, value]) =>
      withOptions(`${name}=${value}`, { query: { ...options.query, [name]: value } }),
    ),
    withOptions('limit twice', { query: { ...options.query, limit: ['1', '2'] } }),
    ...(method === 'GET' ? [] : bodiesOf(id, options).map(([title, body]) => withOptions(title, body))),
  ];
}

function bodiesOf(id: OperationId, { body }: CallOptions): [string, CallOptions][] {
  const odd = ['', '{', '{}', '[]', 'null', '5', '"x"', '{"a":1}{', '\ufeff{}', '[[]]', 'null null'];
  const fields = [...(documented.get(id)?.fields.keys() ?? [])];
  return [
    ...odd.map((rawBody): [string, CallOptions] => [`body ${rawBody}`, { rawBody }]),
    ['body that is no UTF-8', { rawBody: new Uint8Array([0x22, 0xff, 0x22]) }],
    ['body in gzip', { headers: { 'Content-Encoding': 'gzip' }, rawBody: 'x' }],
    ...fields.flatMap((name) =>
      ODD_VALUES.map((value): [string, CallOptions] => [
        `${name}: ${JSON.stringify(value)?.slice(0, 20)}`,
        { body: { ...(isObject(body) ? body : {}), [name]: value } },
      ]),
    ),
  ];
}

describe.each(EXAMPLE_REQUESTS.filter(({ id }) => id !== 'logout').map((one) => [one.id, one] as const))(
  '%s',
  (id, request) => {
    it('is refused as the service refuses it', async () => {
      let compared = 0;
      for (const variant of variantsOf(request)) {
        const [real, mocked] = await bothAnswer(variant);
        if (!isOfTheForm(id, real) && !isOfTheForm(id, mocked)) continue;
        expect(likeness(mocked), variant.title).toEqual(likeness(real));
        compared += 1;
      }
      expect(compared).toBeGreaterThan(10);
    });
  },
);

const MESSAGE = {
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ada@customer.test' }],
  subject: 'Hello',
  body: { text: 'Hello' },
  custom_id: 'mine',
};

it.each<[string, object]>([
  ['no recipient', { to: [] }],
  ['two recipients', { to: [{ email: 'a@b.test' }, { email: 'c@d.test' }] }],
  ['a malformed recipient', { to: [{ email: 'nobody' }] }],
  ['no body', { body: {} }],
  ['a header in the subject', { subject: 'a\r\nBcc: x@y.test' }],
  ['an endless subject', { subject: 'x'.repeat(3000) }],
  ['a custom_id that is no text', { custom_id: {} }],
  ['an endless custom_id', { custom_id: 'x'.repeat(3000) }],
  ['a script for unsubscribing', { list_unsubscribe: 'javascript:alert(1)' }],
  ['tracking that is no boolean', { track_opens: 'yes' }],
])('a mail with %s is rejected as the service rejects it, at its place', async (title, change) => {
  const body = [{ ...MESSAGE, ...change }, null, MESSAGE];
  const answers = await bothAnswer({
    title,
    method: 'POST',
    path: '/v1/send_email',
    options: { basic: { account_id: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3', api_key: 'any' }, body },
  });
  const [real, mocked] = answers.map(({ status, data }) => ({
    status,
    rejected: Array.isArray(data) ? data.slice(0, 2) : data,
  }));
  expect(mocked).toEqual(real);
  expect(mocked?.status).toBe(207);
});
