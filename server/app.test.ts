import { afterEach, describe, expect, test } from 'vitest';
import { operations } from '../generated/operations.ts';
import { ApiError } from './domain/errors.ts';
import {
  ACCOUNT_ID,
  API_KEY,
  authorization,
  basic,
  contract,
  DISABLED_KEY,
  document,
  exampleHandlers,
  type RunningApp,
  startApp,
  TOKEN,
  VIEWER_TOKEN,
} from './http/fixtures/example-app.ts';
import { ask, type RawAnswer, RawConnection, requestText } from './http/fixtures/raw-http.ts';
import { createRateLimiter } from './http/rate-limit.ts';

const OWNER = { Authorization: `Bearer ${TOKEN}` };
const VIEWER = { Authorization: `Bearer ${VIEWER_TOKEN}` };
const FOREIGN = () =>
  Promise.reject(new ApiError('ACCESS_DENIED', 'the account belongs to another organisation'));

let app: RunningApp | undefined;
afterEach(async () => {
  expect(app?.faults ?? []).toEqual([]);
  await app?.close();
  app = undefined;
});

async function start(...parts: Parameters<typeof startApp>): Promise<number> {
  app = await startApp(...parts);
  return app.port;
}

function outcome(answer: RawAnswer): [number, string] {
  return [answer.status, JSON.parse(answer.body).data?.code ?? 'success'];
}

describe('every operation', () => {
  test('answers its example, which keeps the contract', async () => {
    const port = await start();
    for (const { id, method, path } of contract.operations) {
      const body = exampleBody(path, method);
      const headers = authorization(id) ? { Authorization: authorization(id) ?? '' } : {};
      const target = path.replace(/\{\w+\}/g, ACCOUNT_ID) + requiredQuery(path, method);
      const answer = await ask(port, requestText(`${method} ${target}`, headers, body));
      expect([id, answer.status]).toEqual([id, operations[id].successStatuses[0]]);
    }
  });

  test('that is not public answers 401 to every other proof of identity', async () => {
    const port = await start();
    const proofs = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer unknown',
      `Bearer ${TOKEN} ${TOKEN}`,
      `Basic ${TOKEN}`,
      `Basic ${Buffer.from(TOKEN).toString('base64')}`,
      basic('wrong'),
      basic(API_KEY, 'no-uuid'),
      basic(API_KEY, '00000000-0000-7000-8000-000000000000'),
      `Digest ${TOKEN}`,
      '\u00ff',
    ];
    for (const { id, method, path, security } of contract.operations) {
      if (security === 'none') continue;
      const confused = security === 'bearer' ? basic(API_KEY) : `Bearer ${TOKEN}`;
      for (const proof of [...proofs, confused]) {
        const headers = { Authorization: proof };
        const answer = await ask(
          port,
          requestText(`${method} ${path.replace(/\{\w+\}/g, ACCOUNT_ID)}`, headers),
        );
        expect([id, proof, ...outcome(answer)]).toEqual([id, proof, 401, 'INVALID_CREDENTIALS']);
        expect(answer.headers['www-authenticate']).toMatch(security === 'bearer' ? /^Bearer / : /^Basic /);
      }
    }
  });
});

describe('the order of the checks', () => {
  // Every request is wrong in all the ways that come later, too.
  test('404, 401, 429, 400, 422, 403, 409', async () => {
    const missing = () => Promise.reject(new ApiError('ACCOUNT_NOT_FOUND', 'the account does not exist'));
    const port = await start({
      rateLimiter: createRateLimiter(5),
      handlers: exampleHandlers({ updateAccount: missing }),
    });
    const patch = (path: string, headers: Record<string, string>, body: string) =>
      ask(port, requestText(`PATCH ${path}`, headers, body)).then(outcome);
    const path = `/v1/accounts/${ACCOUNT_ID}`;

    expect(await patch('/v1/accounts/42/nothing', {}, '{')).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    expect(await patch('/v1/accounts/42', {}, '{')).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(await patch('/v1/accounts/42', VIEWER, '{')).toEqual([400, 'INVALID_JSON']);
    expect(await patch('/v1/accounts/42', VIEWER, '{"name": "a"}')).toEqual([422, 'VALIDATION_ERROR']);
    expect(await patch(path, VIEWER, '{}')).toEqual([422, 'VALIDATION_ERROR']);
    expect(await patch(path, VIEWER, '{"name": "a"}')).toEqual([403, 'ACCESS_DENIED']);
    expect(await patch(path, OWNER, '{"name": "a"}')).toEqual([409, 'ACCOUNT_NOT_FOUND']);
    for (let spent = 4; spent < 5; spent += 1) await patch(path, VIEWER, '{');
    expect(await patch('/v1/accounts/42', VIEWER, '{')).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(await patch('/v1/accounts/42', {}, '{')).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('of a login: 429, 400, 422, and 401 last', async () => {
    const wrong = () => Promise.reject(new ApiError('INVALID_CREDENTIALS', 'wrong'));
    const port = await start({
      rateLimiter: createRateLimiter(3),
      handlers: exampleHandlers({ login: wrong }),
    });
    const login = (body: string) => ask(port, requestText('POST /v1/login', {}, body));
    const credentials = '{"email": "ada@demo.test", "password": "secret", "grant_type": "password"}';

    expect(outcome(await login('{'))).toEqual([400, 'INVALID_JSON']);
    expect(outcome(await login('{}'))).toEqual([422, 'VALIDATION_ERROR']);
    const last = await login(credentials);
    expect(outcome(last)).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(last.headers).toMatchObject({
      'ratelimit-remaining': '0',
      'www-authenticate': 'Bearer realm="sendspec"',
    });
    const limited = await login('{');
    expect(outcome(limited)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(limited.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  test('a foreign resource is 403, and a viewer may read it no more than an owner', async () => {
    const port = await start({ handlers: exampleHandlers({ getAccount: FOREIGN }) });
    for (const headers of [OWNER, VIEWER]) {
      const answer = await ask(port, requestText(`GET /v1/accounts/${ACCOUNT_ID}`, headers));
      expect(outcome(answer)).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  test("a viewer's writes are refused, reading and logging out are not", async () => {
    const port = await start();
    for (const { id, method, path, security } of contract.operations) {
      if (security !== 'bearer') continue;
      const target = path.replace(/\{\w+\}/g, ACCOUNT_ID) + requiredQuery(path, method);
      const answer = await ask(port, requestText(`${method} ${target}`, VIEWER, exampleBody(path, method)));
      const allowed = method === 'GET' || id === 'logout';
      expect([id, answer.status < 300]).toEqual([id, allowed]);
      if (!allowed) expect(outcome(answer)).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  test('a disabled account is known, and refused', async () => {
    const port = await start();
    const send = (body: string) =>
      ask(port, requestText('POST /v1/send_email', { Authorization: basic(DISABLED_KEY) }, body));
    expect(outcome(await send('[]'))).toEqual([422, 'BODY_EMPTY_ARRAY']);
    expect(outcome(await send('[{}]'))).toEqual([403, 'ACCESS_DENIED']);
  });
});

describe('endpoints', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/accounts/'],
    ['GET', '//v1/accounts'],
    ['GET', '/v1//accounts'],
    ['GET', '/V1/accounts'],
    ['GET', '/v1/%61ccounts'],
    ['GET', '/v1/accounts%2F6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3'],
    ['GET', '/v1/accounts/../accounts'],
    ['GET', '/v1/accounts/__proto__/constructor'],
    ['PUT', '/v1/accounts'],
    ['DELETE', '/v1/accounts'],
    ['OPTIONS', '/v1/accounts'],
    ['PROPFIND', '/v1/accounts'],
    ['GET', '/v1/send_email'],
  ])('%s %s is none', async (method, path) => {
    const port = await start();
    expect(outcome(await ask(port, requestText(`${method} ${path}`, OWNER)))).toEqual([
      404,
      'ENDPOINT_NOT_FOUND',
    ]);
  });

  test.each(['a%2Fb', '%', '%zz', '%ff', '%ed%a0%80', '%00', '..%2f', 'x'.repeat(5000)])(
    'an id such as %s is malformed, and no other endpoint',
    async (id) => {
      const port = await start();
      const answer = await ask(port, requestText(`GET /v1/accounts/${id}`, OWNER));
      expect(outcome(answer)).toEqual([422, 'VALIDATION_ERROR']);
    },
  );

  test('HEAD never is one, and its answer has no body', async () => {
    const port = await start();
    const connection = await RawConnection.open(port);
    for (const path of ['/v1/accounts', '/v1/nothing']) {
      connection.write(requestText(`HEAD ${path}`, OWNER));
      expect((await connection.answer(true)).status).toBe(404);
    }
    connection.write(requestText('GET /v1/accounts', OWNER));
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('a target in absolute form is one, and export is not the id of a message', async () => {
    const port = await start();
    expect((await ask(port, requestText('GET http://api.test/v1/accounts?limit=1', OWNER))).status).toBe(200);
    const csv = await ask(port, requestText('GET /v1/messages/export', OWNER));
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  });
});

/** The first example of a request body. */
function exampleBody(path: string, method: string): string {
  const examples =
    document.paths[path][method.toLowerCase()].requestBody?.content['application/json'].examples;
  if (examples === undefined) return '';
  const [first] = Object.values(examples) as { value?: unknown; $ref?: string }[];
  const value = first?.value ?? document.components.examples[first?.$ref?.split('/').at(-1) ?? ''].value;
  return JSON.stringify(value);
}

/** The required query parameters with their examples. */
function requiredQuery(path: string, method: string): string {
  const pairs = (document.paths[path][method.toLowerCase()].parameters ?? [])
    .map((parameter: { $ref?: string }) =>
      parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
    )
    .filter((parameter: { in: string; required?: boolean }) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }: { name: string; example: unknown }) => [name, String(example)]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}
