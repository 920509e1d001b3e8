import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, basic, exampleHandlers, type RunningApp, startApp, TOKEN } from './fixtures/example-app.ts';
import { envelope, expectError, MEGABYTE, startImpatientApp } from './fixtures/impatient-app.ts';
import { ask, RawConnection, requestText } from './fixtures/raw-http.ts';

const USER = { Authorization: `Bearer ${TOKEN}` };
const ACCOUNT = { Authorization: basic(API_KEY) };
const KILOBYTE = 1024;

let app: RunningApp;

beforeAll(async () => {
  app = await startImpatientApp();
});

afterAll(() => app.close());

function post(body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  return requestText('POST /v1/accounts', { ...USER, ...headers }, body);
}

describe('bodies', () => {
  const invalid: [string, string | Buffer][] = [
    ['none', ''],
    ['only spaces', ' \r\n\t '],
    ['cut short', '{"name": "a'],
    ['two values', '{}{}'],
    ['single quotes', "{'name': 1}"],
    ['NaN', '{"name": NaN}'],
    ['a trailing comma', '{"name": "a",}'],
    ['a bare line feed in a string', '{"name": "a\nb"}'],
    ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
    ['half a surrogate pair', '{"name": "\\ud800", "type": "marketing"}'],
    ['a NUL byte', Buffer.from([0])],
    ['50,000 open brackets', '['.repeat(50_000)],
  ];
  test.each(invalid)('%s is INVALID_JSON', async (_name, body) => {
    const answer = await expectError(app.port, post(body), 400, 'INVALID_JSON');
    expect(answer.headers['ratelimit-limit']).toBeDefined();
  });

  test.each([
    ['null', 'null'],
    ['a number', '5'],
    ['a string', '"text"'],
    ['a list', '[]'],
    ['500,000 levels of nesting', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['wrong types', '{"name": {"a": [1]}, "type": 7}'],
    ['only __proto__', '{"__proto__": {"name": "a", "type": "marketing"}}'],
    ['NUL in a name', '{"name": "a\\u0000b", "type": "marketing"}'],
    ['CR and LF in a name', '{"name": "a\\r\\nb", "type": "marketing"}'],
    ['a name of a million characters', JSON.stringify({ name: 'n'.repeat(1_000_000), type: 'marketing' })],
    ['a number too large for a double', '{"name": 1e999, "type": "marketing"}'],
  ])('%s is a VALIDATION_ERROR', async (_name, body) => {
    await expectError(app.port, post(body), 422, 'VALIDATION_ERROR');
    expect(app.faults).toEqual([]);
  });

  test('a list of half a million wrong items is answered with a bounded number of errors', async () => {
    const body = `{"name": "demo.test", "accounts": [${'7,'.repeat(500_000)}7]}`;
    const answer = await expectError(
      app.port,
      requestText('POST /v1/domains', USER, body),
      422,
      'VALIDATION_ERROR',
    );
    expect(JSON.parse(answer.body).data.errors.length).toBeLessThanOrEqual(100);
    expect(answer.body.length).toBeLessThan(50_000);
  });

  test('unknown fields, deep nesting in them and __proto__ are ignored, and no prototype changes', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const body = `{"name":"a","type":"marketing","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"x":${deep}}`;
    let received: unknown;
    const answerExample = exampleHandlers().createAccount;
    const keeping = await startApp({
      handlers: exampleHandlers({
        createAccount: (request) => {
          received = (request as { body: unknown }).body;
          return answerExample(request as never);
        },
      }),
    });
    expect((await ask(keeping.port, post(body))).status).toBe(201);
    await keeping.close();
    expect(Object.keys(received as object)).toEqual(['name', 'type', 'constructor', 'x']);
    expect(Object.getPrototypeOf(Object.assign({}, received))).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('the content type does not matter, nor does a byte order mark', async () => {
    const body = '{"name": "a", "type": "marketing"}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'nonsense',
    ]) {
      expect((await ask(app.port, post(body, { 'Content-Type': type }))).status).toBe(201);
    }
    expect((await ask(app.port, post(`\ufeff${body}`))).status).toBe(201);
  });

  test('a body over the limit is MAX, announced or not, and the sender sees the answer', async () => {
    const huge = Buffer.alloc(3 * MEGABYTE, ' ');
    const announced = await expectError(app.port, post(huge), 422, 'VALIDATION_ERROR');
    expect(JSON.parse(announced.body).data.errors).toEqual([
      { field: '', value: '', errors: [{ code: 'MAX', description: 'the body may have 1 MB at most' }] },
    ]);
    const batch = await expectError(
      app.port,
      requestText('POST /v1/send_email', ACCOUNT, huge),
      422,
      'VALIDATION_ERROR',
    );
    expect(JSON.parse(batch.body).data.errors).toEqual([
      { code: 'MAX', description: 'the body may have 2 MB at most' },
    ]);
    const chunk = `${(64 * KILOBYTE).toString(16)}\r\n${' '.repeat(64 * KILOBYTE)}\r\n`;
    const chunked = requestText('POST /v1/accounts', { ...USER, 'Transfer-Encoding': 'chunked' });
    await expectError(
      app.port,
      Buffer.concat([chunked, Buffer.from(chunk.repeat(48))]),
      422,
      'VALIDATION_ERROR',
    );
  });

  test('a public operation takes a megabyte at most', async () => {
    const body = Buffer.alloc(MEGABYTE + 1, ' ');
    await expectError(app.port, requestText('POST /v1/login', {}, body), 422, 'VALIDATION_ERROR');
  });

  test('compressed bodies are read, bombs and nonsense are not', async () => {
    const { gzipSync, brotliCompressSync, deflateSync } = await import('node:zlib');
    const body = Buffer.from('{"name": "a", "type": "marketing"}');
    const encoded = { gzip: gzipSync(body), br: brotliCompressSync(body), deflate: deflateSync(body) };
    for (const [coding, bytes] of Object.entries(encoded)) {
      expect((await ask(app.port, post(bytes, { 'Content-Encoding': coding }))).status).toBe(201);
    }
    const bomb = gzipSync(Buffer.alloc(20 * MEGABYTE));
    await expectError(app.port, post(bomb, { 'Content-Encoding': 'gzip' }), 422, 'VALIDATION_ERROR');
    await expectError(app.port, post(body, { 'Content-Encoding': 'gzip' }), 400, 'INVALID_JSON');
    await expectError(app.port, post(body, { 'Content-Encoding': 'zstd' }), 400, 'INVALID_JSON');
    await expectError(app.port, post(body, { 'Content-Encoding': 'constructor' }), 400, 'INVALID_JSON');
  });

  test('a body may take its time as long as it goes on', async () => {
    const connection = await RawConnection.open(app.port);
    const body = '{"name": "a", "type": "marketing"}';
    connection.write(requestText('POST /v1/accounts', { ...USER, 'Content-Length': String(body.length) }));
    // Longer in all than the longest pause.
    for (const piece of body.match(/.{1,5}/g) ?? []) {
      connection.write(piece);
      await setTimeout(100);
    }
    expect((await connection.answer()).status).toBe(201);
    connection.close();
  });

  test('a body that stalls, or drips for ever, is answered and the connection closed', async () => {
    const stalling = await RawConnection.open(app.port);
    stalling.write(requestText('POST /v1/accounts', { ...USER, 'Content-Length': '100' }));
    stalling.write('{"name"');
    const answer = await stalling.answer();
    expect([answer.status, envelope(answer).code]).toEqual([400, 'INVALID_JSON']);
    await stalling.rest();

    const dripping = await RawConnection.open(app.port);
    dripping.write(requestText('POST /v1/accounts', { ...USER, 'Transfer-Encoding': 'chunked' }));
    const drip = setInterval(() => dripping.write('1\r\n \r\n'), 50);
    const late = await dripping.answer();
    expect([late.status, envelope(late).code]).toEqual([400, 'INVALID_JSON']);
    await dripping.rest();
    clearInterval(drip);
  });

  test('bad chunked encoding is INVALID_JSON, and the connection is closed', async () => {
    const connection = await RawConnection.open(app.port);
    connection.write(requestText('POST /v1/accounts', { ...USER, 'Transfer-Encoding': 'chunked' }));
    connection.write('zz\r\n{}\r\n');
    const answer = await connection.answer();
    expect(answer.status).toBe(400);
    expect(envelope(answer)).toEqual({
      code: 'INVALID_JSON',
      errors: [{ code: 'INVALID_JSON', description: 'the body is not valid HTTP' }],
    });
    await connection.rest();
  });

  test('a client that leaves in the middle of its body is forgotten', async () => {
    const connection = await RawConnection.open(app.port);
    connection.write(requestText('POST /v1/accounts', { ...USER, 'Content-Length': '100' }));
    connection.write('{"name"');
    connection.close();
    expect((await ask(app.port, requestText('GET /v1/accounts', USER))).status).toBe(200);
    expect(app.log).toEqual([]);
  });
});

describe('answers before the body', () => {
  test.each([100, 10 * MEGABYTE])('401 is seen although %d bytes of body follow', async (length) => {
    const bytes = requestText('POST /v1/accounts', {}, Buffer.alloc(length, ' '));
    const answer = await expectError(app.port, bytes, 401, 'INVALID_CREDENTIALS');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="sendspec"');
  });

  test('after a short unread body the connection serves on', async () => {
    const connection = await RawConnection.open(app.port);
    connection.write(requestText('POST /v1/accounts', {}, '{}'));
    expect((await connection.answer()).status).toBe(401);
    connection.write(requestText('GET /v1/accounts', USER));
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('an unread body that never comes does not hold the connection', async () => {
    const connection = await RawConnection.open(app.port);
    connection.write(requestText('POST /v1/accounts', { 'Content-Length': '10' }));
    expect((await connection.answer()).status).toBe(401);
    await connection.rest();
  });

  test('100 Continue is said once the caller is known, and not before', async () => {
    const wanted = { Expect: '100-continue', 'Content-Length': '34' };
    const known = await RawConnection.open(app.port);
    known.write(requestText('POST /v1/accounts', { ...USER, ...wanted }));
    expect((await known.answer(true)).status).toBe(100);
    known.write('{"name": "a", "type": "marketing"}');
    expect((await known.answer()).status).toBe(201);
    known.close();

    const unknown = await RawConnection.open(app.port);
    unknown.write(requestText('POST /v1/accounts', wanted));
    expect((await unknown.answer()).status).toBe(401);
    await unknown.rest();
  });

  test('an expectation that nobody knows is ignored', async () => {
    const answer = await ask(app.port, requestText('GET /v1/accounts', { ...USER, Expect: '200-ok' }));
    expect(answer.status).toBe(200);
  });
});
