import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/operations.ts';
import { ApiError } from '../domain/errors.ts';
import {
  authorization,
  contract,
  exampleHandlers,
  exampleReply,
  type RunningApp,
  startApp,
} from './fixtures/example-app.ts';
import { RawConnection, requestText } from './fixtures/raw-http.ts';

type Misbehaviour = (request: unknown) => unknown;

let app: RunningApp | undefined;

beforeAll(() => contract.warm());
afterEach(() => app?.close());

async function call(
  id: OperationId,
  misbehaviour: Misbehaviour,
): Promise<{ answer: Response; started: RunningApp }> {
  const started = await startApp({ handlers: exampleHandlers({ [id]: misbehaviour }) });
  app = started;
  const { method, path } = contract.operations.find((operation) => operation.id === id) ?? {
    method: '',
    path: '',
  };
  const headers = { authorization: authorization(id) ?? '' };
  const body = id === 'createAccount' ? '{"name": "Shop", "type": "marketing"}' : undefined;
  const url = `http://127.0.0.1:${started.port}${path.replace(/\{\w+\}/g, '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3')}`;
  return { answer: await fetch(url, { method, headers, ...(body ? { body } : {}) }), started };
}

const account = exampleReply('getAccount');
const { data } = account.body as { data: Record<string, unknown> };

describe('a response that breaks the contract is caught and leaves as a valid 500', () => {
  const holes: [string, OperationId, Misbehaviour][] = [
    ['a 5xx body of its own', 'getAccount', async () => ({ status: 500, body: { message: 'Oops' } })],
    ['an undocumented status', 'getAccount', async () => ({ status: 418, body: account.body })],
    ['an undocumented success', 'getAccount', async () => ({ status: 201, body: account.body })],
    [
      'a documented error with a body of its own',
      'getAccount',
      async () => ({ status: 409, body: { error: 'no' } }),
    ],
    [
      'an error of another operation',
      'getAccount',
      () => Promise.reject(new ApiError('DOMAIN_NOT_FOUND', 'none')),
    ],
    ['a string for a body', 'getAccount', async () => ({ status: 200, body: 'OK' })],
    ['an empty end', 'getAccount', async () => ({ status: 200, body: undefined })],
    ['null for a body', 'getAccount', async () => ({ status: 200, body: null })],
    ['no reply at all', 'getAccount', async () => undefined],
    ['the wrong content type', 'getAccount', async () => exampleReply('exportMessages')],
    ['JSON where CSV is documented', 'exportMessages', async () => account],
    [
      'an extra property',
      'getAccount',
      async () => ({ status: 200, body: { data: { ...data, password: 'x' } } }),
    ],
    [
      'an extra property of the envelope',
      'getAccount',
      async () => ({ status: 200, body: { data, debug: 1 } }),
    ],
    [
      'a missing property',
      'getAccount',
      async () => ({ status: 200, body: { data: { ...data, name: undefined } } }),
    ],
    [
      'a malformed value',
      'getAccount',
      async () => ({ status: 200, body: { data: { ...data, account_id: '1' } } }),
    ],
    [
      'a value that JSON does not have',
      'listAccounts',
      async () => {
        const { status, body } = exampleReply('listAccounts');
        return { status, body: { ...(body as object), meta: { limit: 30, offset: 0, total: Number.NaN } } };
      },
    ],
    [
      'an invalid header',
      'exportMessages',
      async () => ({
        ...exampleReply('exportMessages'),
        stream: none(),
        headers: { 'Content-Disposition': '' },
      }),
    ],
  ];
  test.each(holes)('%s', async (_name, id, misbehaviour) => {
    const { answer, started } = await call(id, misbehaviour);
    await expectFailure(answer);
    expect(started.requests).toEqual([`${id} 500`]);
    if (_name !== 'no reply at all') expect(started.faults).toEqual([id]);
    expect(started.log).toHaveLength(1);
  });

  test('a missing header', async () => {
    // Without a rate limiter's word the required RateLimit headers are missing.
    app = await startApp({ rateLimiter: { spend: async () => ({ allowed: true }) as never } });
    const answer = await fetch(`http://127.0.0.1:${app.port}/v1/accounts`, {
      headers: { authorization: authorization('listAccounts') ?? '' },
    });
    await expectFailure(answer);
    expect(app.faults).toEqual(['listAccounts']);
  });
});

describe('a handler that fails', () => {
  test('is logged with the id that the caller is told, and nothing else is told', async () => {
    const { answer, started } = await call('getAccount', () =>
      Promise.reject(new Error('relation "x" is missing')),
    );
    const body = await expectFailure(answer);
    const [entry] = started.log;
    expect(JSON.stringify(entry)).toContain('relation');
    expect(body).toContain(String(entry?.requestId));
    expect(body).not.toContain('relation');
  });

  test('may fail synchronously, or throw what is no error', async () => {
    for (const misbehaviour of [
      () => {
        throw new TypeError('x');
      },
      () => Promise.reject('x'),
      () => Promise.reject(undefined),
    ]) {
      const { answer, started } = await call('getAccount', misbehaviour);
      await expectFailure(answer);
      await started.close();
    }
  });

  test('keeps a documented error as it is', async () => {
    const { answer, started } = await call('getAccount', () =>
      Promise.reject(new ApiError('ACCOUNT_NOT_FOUND', 'the account does not exist')),
    );
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      data: {
        code: 'ACCOUNT_NOT_FOUND',
        errors: [{ code: 'ACCOUNT_NOT_FOUND', description: 'the account does not exist' }],
      },
    });
    expect(started.faults).toEqual([]);
  });
});

describe('a stream', () => {
  const stream = (pieces: AsyncIterable<string>) => async () => ({
    status: 200,
    stream: pieces,
    headers: exportHeaders,
  });
  const exportHeaders = (exampleReply('exportMessages') as { headers?: Record<string, string> }).headers;

  test('is sent whole', async () => {
    const { answer } = await call('exportMessages', stream(many(50_000)));
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await answer.text()).split('\n')).toHaveLength(50_001);
  });

  test('may be empty', async () => {
    const { answer } = await call('exportMessages', stream(none()));
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test('that fails before its first piece is a 500', async () => {
    const { answer } = await call('exportMessages', stream(failingAfter(0)));
    await expectFailure(answer);
  });

  test('that fails in the middle breaks the connection off: the client does not take it for whole', async () => {
    const { promise: begun, resolve: fail } = Promise.withResolvers<void>();
    const { answer, started } = await call('exportMessages', stream(failingAfter(3, begun)));
    expect(answer.status).toBe(200);
    fail();
    await expect(answer.text()).rejects.toThrow();
    expect(started.log.map(({ msg }) => msg)).toEqual(['a response broke off in the middle']);
  });

  test('ends when the client leaves', async () => {
    const { promise: closed, resolve: ended } = Promise.withResolvers<void>();
    app = await startApp({ handlers: exampleHandlers({ exportMessages: stream(endless(ended)) }) });
    const connection = await RawConnection.open(app.port);
    connection.write(
      requestText('GET /v1/messages/export', { Authorization: authorization('exportMessages') ?? '' }),
    );
    await new Promise((resolve) => connection.socket.once('data', resolve));
    connection.close();
    await closed;
    expect(app.log).toEqual([]);
  });
});

async function expectFailure(answer: Response): Promise<string> {
  expect(answer.status).toBe(500);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const text = await answer.text();
  const check = contract.operations.find(({ id }) => id === 'getAccount')?.response;
  const response = { status: 500, headers: {}, contentType: 'application/json', body: JSON.parse(text) };
  expect(check?.faultIn(response)).toBeUndefined();
  return text;
}

async function* many(lines: number): AsyncGenerator<string> {
  for (let line = 0; line < lines; line += 1) yield `${line}\n`;
}

async function* none(): AsyncGenerator<string> {}

async function* failingAfter(pieces: number, begun?: Promise<void>): AsyncGenerator<string> {
  yield* many(pieces);
  await begun;
  throw new Error('the database went away');
}

async function* endless(onEnd: () => void): AsyncGenerator<string> {
  try {
    for (;;) yield 'x'.repeat(10_000);
  } finally {
    onEnd();
  }
}
