import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type RawAnswer } from '../server/http/fixtures/raw-http.ts';
import { nested } from '../server/testing/hostile-bodies.ts';
import { faultsOf } from '../server/testing/judge.ts';
import { startTestMock, type TestMock } from './testing/mock.ts';
import { EXAMPLE_REQUESTS } from './testing/requests.ts';

// Nothing leaves that the service would not send: in particular no problem+json of Prism, and nothing of Node's own.

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

const HOST = 'Host: mock.test\r\n';
const BEARER = 'Authorization: Bearer any\r\n';

function expectOurs(method: string, path: string, { status, headers, body }: RawAnswer): void {
  const response = { status, headers: new Headers(headers), text: body };
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(body).not.toContain('stoplight');
  expect(faultsOf(method, path, response)).toEqual([]);
}

const LISTED = `GET /v1/accounts HTTP/1.1\r\n${HOST}${BEARER}`;
const CREATED = `POST /v1/accounts HTTP/1.1\r\n${HOST}${BEARER}`;

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', [400, 404]],
  ['a method that does not exist', `BREW /v1/accounts HTTP/1.1\r\n${HOST}\r\n`, [404]],
  ['CONNECT', `CONNECT mock.test:443 HTTP/1.1\r\n${HOST}\r\n`, [404]],
  ['TRACE', `TRACE /v1/accounts HTTP/1.1\r\n${HOST}\r\n`, [404]],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, [404]],
  ['an endless URL', `GET /v1/${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`, [404]],
  ['endless headers', `${LISTED}X-A: ${'a'.repeat(40_000)}\r\n\r\n`, [400]],
  ['a header with a control character', `${LISTED}X-A: a\u0001b\r\n\r\n`, [400]],
  ['a negative length', `${CREATED}Content-Length: -1\r\n\r\n`, [400]],
  ['a length that is no number', `${CREATED}Content-Length: many\r\n\r\n`, [400]],
  ['two lengths', `${CREATED}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, [400]],
  [
    'a length and chunks',
    `${CREATED}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  ['a length beyond all limits', `${CREATED}Content-Length: 99999999999\r\n\r\n`, [422]],
  ['chunks that are none', `${CREATED}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, [400]],
  ['an unknown coding', `${CREATED}Content-Encoding: zstd\r\nContent-Length: 2\r\n\r\n{}`, [400]],
  ['an expectation', `${LISTED}Expect: the-unexpected\r\n\r\n`, [200]],
  ['an upgrade', `${LISTED}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, [200]],
  ['a media type that nobody has', `${LISTED}Accept: application/xml\r\n\r\n`, [200]],
  [
    "Prism's own wishes",
    `GET /v1/accounts?__code=404&__example=x&__dynamic=x HTTP/1.1\r\n${HOST}${BEARER}\r\n`,
    [200],
  ],
  ['a form', `${CREATED}Content-Type: multipart/form-data\r\nContent-Length: 1\r\n\r\nx`, [400]],
  ['bytes that are not encoded', `GET /v1/accounts/\u00e4\u00ff HTTP/1.1\r\n${HOST}${BEARER}\r\n`, [404]],
  ['an encoding that is none', `GET /v1/accounts/%zz?name=%zz HTTP/1.1\r\n${HOST}${BEARER}\r\n`, [422]],
  ['a path that climbs', `GET /v1/../../etc/passwd HTTP/1.1\r\n${HOST}${BEARER}\r\n`, [404]],
])('%s is answered by the contract', async (_title, text, statuses) => {
  const answer = await ask(mock.port, text);
  expect(statuses).toContain(answer.status);
  const [method = '', target = ''] = text.split(' ');
  if (answer.status === 200 || answer.status === 422) expectOurs(method, target, answer);
  else
    expect(JSON.parse(answer.body)).toMatchObject({
      data: { code: answer.status === 404 ? 'ENDPOINT_NOT_FOUND' : 'INVALID_JSON' },
    });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test.each([
  ['deep nesting', nested(50_000)],
  ['deep nesting in a field', `{"name":${nested(20_000)},"type":"marketing"}`],
  ['a prototype', '{"__proto__":{"type":"marketing"},"constructor":{"prototype":{"name":"x"}}}'],
  ['a huge number', '{"name":1e999,"type":-1e999}'],
  ['a long text', JSON.stringify({ name: 'x'.repeat(900_000), type: 'marketing' })],
  ['more than a megabyte', JSON.stringify({ name: 'x'.repeat(1_100_000), type: 'marketing' })],
  ['a name with everything in it', JSON.stringify({ name: '\u0000\u202e\ud83d', type: 'marketing' })],
])('a body with %s is refused in the envelope', async (_title, rawBody) => {
  const answer = await mock.call('POST', '/v1/accounts', { token: 'any', rawBody });
  expect([400, 422]).toContain(answer.status);
});

test.each(EXAMPLE_REQUESTS.map((request) => [request.id, request] as const))(
  '%s never answers in the form of Prism',
  async (_id, { method, path, options, answers }) => {
    const statuses = answers.map(({ status }) => status);
    for (const change of [
      {},
      { headers: { Accept: 'application/problem+json' } },
      { rawBody: '{"' },
      { rawBody: 'null' },
      { body: { extra: true } },
      { token: undefined, basic: undefined },
      { query: { limit: 'x', offset: '-1', 'events[]': '' } },
    ]) {
      const answer = await mock.call(method, path, { ...options, ...change });
      expect(statuses).toContain(answer.status);
      expect(answer.headers.get('content-type')).toMatch(/^(application\/json|text\/csv); charset=utf-8$/);
      expect(answer.text).not.toMatch(/stoplight|"title"|"detail"/);
    }
  },
);

test('a body of 50 MB for a batch is taken, and one byte more is not', async () => {
  const limit = 50 * 2 ** 20;
  const text = (length: number) => Buffer.from(`["${'x'.repeat(length - 4)}"]`);
  const basic = { account_id: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3', api_key: 'any' };
  expect((await mock.call('POST', '/v1/send_email', { basic, rawBody: text(limit) })).status).toBe(207);
  const over = await mock.call('POST', '/v1/send_email', { basic, rawBody: text(limit + 1) });
  expect(over).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
});

test('requests at the same time do not meet', async () => {
  const ids = Array.from({ length: 50 }, () => crypto.randomUUID());
  const answers = await Promise.all(
    ids.map((id) => mock.call('GET', `/v1/accounts/${id}`, { token: 'any' })),
  );
  expect(answers.map(({ data }) => Object(data).account_id)).toEqual(ids);
});
