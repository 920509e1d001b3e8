import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, basic, type RunningApp, TOKEN } from './fixtures/example-app.ts';
import { envelope, expectError, startImpatientApp } from './fixtures/impatient-app.ts';
import { ask, RawConnection, requestText } from './fixtures/raw-http.ts';
import { createAuthority, createServerCertificate } from './local-ca.ts';

const USER = { Authorization: `Bearer ${TOKEN}` };
const ACCOUNT = { Authorization: basic(API_KEY) };
const KILOBYTE = 1024;

let app: RunningApp;

beforeAll(async () => {
  app = await startImpatientApp();
});

afterAll(() => app.close());

describe('requests that are none', () => {
  test.each([
    ['an unknown method', 'FETCH /v1/accounts HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['TRACE', 'TRACE /v1/accounts HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['a target that is no URL', 'GET http://[::1/v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['no HTTP at all', 'hello\r\n\r\n', 404],
    ['an unknown version', 'GET /v1/accounts HTTP/9.9\r\n\r\n', 400],
    ['a space in a header name', 'GET /v1/accounts HTTP/1.1\r\nBad Header: a\r\n\r\n', 400],
    ['a bare CR in a header', 'GET /v1/accounts HTTP/1.1\r\nHost: a\rb\r\n\r\n', 400],
    ['NUL in a header', 'GET /v1/accounts HTTP/1.1\r\nHost: a\0b\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks',
      'POST /v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'an unknown transfer coding',
      'POST /v1/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: zip\r\n\r\n',
      400,
    ],
    ['a negative length', 'POST /v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
  ])('%s', async (_name, bytes, status) => {
    const answer = await ask(app.port, bytes);
    expect(answer.status).toBe(status);
    expect(envelope(answer).code).toBe(status === 404 ? 'ENDPOINT_NOT_FOUND' : 'INVALID_JSON');
  });

  test.each([33, 64, 120])('a URL of %d kB is no endpoint', async (kilobytes) => {
    const url = `/v1/${'a'.repeat(kilobytes * KILOBYTE)}`;
    await expectError(app.port, requestText(`GET ${url}`, USER), 404, 'ENDPOINT_NOT_FOUND');
  });

  test.each([40, 100, 200, 400])('a header of %d kB is INVALID_JSON', async (kilobytes) => {
    const headers = { ...USER, 'X-Long': 'a long word and '.repeat(kilobytes * 64) };
    await expectError(app.port, requestText('GET /v1/accounts', headers), 400, 'INVALID_JSON');
  });

  test('so are three thousand headers', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`X-${index}`, '1']));
    await expectError(app.port, requestText('GET /v1/accounts', many), 400, 'INVALID_JSON');
  });

  test('headers that never end are answered and the connection closed', async () => {
    const connection = await RawConnection.open(app.port);
    connection.write('GET /v1/accounts HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const answer = await connection.answer();
    expect([answer.status, envelope(answer).code]).toEqual([400, 'INVALID_JSON']);
    await connection.rest();
  });

  test('an offer to upgrade is ignored', async () => {
    const headers = { ...USER, Connection: 'Upgrade', Upgrade: 'websocket' };
    expect((await ask(app.port, requestText('GET /v1/accounts', headers))).status).toBe(200);
  });

  test('pipelined requests are answered in their order, and garbage after them in its turn', async () => {
    const connection = await RawConnection.open(app.port);
    connection.write(
      Buffer.concat([
        requestText('GET /v1/accounts', USER),
        requestText('POST /v1/send_email', ACCOUNT, '[{}]'),
        requestText('GET /v1/nothing'),
        Buffer.from('garbage\0\r\n\r\n'),
      ]),
    );
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await connection.answer()).status);
    expect(statuses).toEqual([200, 200, 404, 404]);
    await connection.rest();
  });
});

describe('over TLS', () => {
  let secure: RunningApp;
  let ca: string;

  beforeAll(async () => {
    const authority = await createAuthority(new Date());
    const tls = await createServerCertificate(authority, new Date());
    ca = authority.cert;
    secure = await startImpatientApp({ tls });
  });
  afterAll(() => secure.close());

  test('the answers are the same', async () => {
    const long = 'a'.repeat(100 * KILOBYTE);
    const requests: [Buffer, number][] = [
      [requestText('GET /v1/accounts', USER), 200],
      [requestText(`GET /v1/${long}`, USER), 404],
      [requestText('GET /v1/accounts', { ...USER, 'X-Long': long }), 400],
      [requestText('GET /v1/accounts', { ...USER, 'X-Long': long.repeat(4) }), 400],
      [requestText('POST /v1/accounts', {}, Buffer.alloc(4 * 2 ** 20, ' ')), 401],
      [Buffer.from('nonsense\r\n\r\n'), 404],
    ];
    for (const [bytes, status] of requests) {
      expect((await ask(secure.port, bytes, ca)).status).toBe(status);
    }
  });

  test('plain HTTP gets no answer at all', async () => {
    const connection = await RawConnection.open(secure.port);
    connection.write(requestText('GET /v1/accounts', USER));
    expect(await connection.rest()).not.toContain('HTTP/');
  });
});
