import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import {
  type Answer,
  account,
  accountId,
  type Call,
  credentials,
  gate,
  getAccount,
  refusal,
  type Service,
  startService,
  success,
} from './test-service.ts';

const apiKey = { accountId, apiKey: 'key' };
const limited = (retryAfter: string): Answer => ({
  ...refusal(429, 'RATE_LIMIT_EXCEEDED'),
  headers: { 'retry-after': retryAfter },
});
const fault = refusal(500, 'INTERNAL_SERVER_ERROR');
const reset = (): never => {
  throw new Error('The connection is reset.');
};

let service: Service | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** A client that hardly waits, and a service whose first answers are these, and whose others are good. */
async function clientOf(first: (Answer | (() => never))[], options: Partial<ClientOptions> = {}) {
  const left = [...first];
  service = await startService((call: Call) => {
    const next = left.shift();
    if (next) return typeof next === 'function' ? next() : next;
    return call.url.pathname === '/v1/send_email'
      ? { status: 200, body: { data: [], meta: {} } }
      : success(account);
  });
  const { baseUrl, calls } = service;
  const client = createClient({ baseUrl, accessToken: 't', apiKey, maxRetryDelayMs: 1, ...options });
  return { client, calls };
}

/** A server that begins an answer and never ends it. */
async function startHalfAnswer(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((_request, response) => response.writeHead(200).write('{'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close };
}

const message = (more: object = {}) => ({
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ada@customer.test' }],
  subject: 'Your order',
  body: { text: 'It is on its way.' },
  ...more,
});
const unique = (custom_id: string) => message({ custom_id, custom_id_unique: true });

describe('what the service did not process', () => {
  test('is sent again, the same, whatever the operation', async () => {
    const { client, calls } = await clientOf([limited('0'), limited('0')]);
    await client.createAccount({ body: { name: 'Shop', type: 'marketing' } });
    expect(calls.map(({ method, body }) => [method, body])).toEqual(
      Array(3).fill(['POST', { name: 'Shop', type: 'marketing' }]),
    );
  });

  test('even mails that could be accepted twice', async () => {
    const { client, calls } = await clientOf([limited('0')]);
    await client.sendEmail({ body: [message()] });
    expect(calls).toHaveLength(2);
  });

  test('so often and no more', async () => {
    const { client, calls } = await clientOf(Array(9).fill(limited('0')), { retries: 4 });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ status: 429, retryAfter: 0 });
    expect(calls).toHaveLength(5);
  });

  test.each([0, -1, Number.NaN])('never with %d retries', async (retries) => {
    const { client, calls } = await clientOf([limited('0')], { retries });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ status: 429 });
    expect(calls).toHaveLength(1);
  });

  test('unless the wait would be longer than the caller allows', async () => {
    const { client, calls } = await clientOf([limited('2')], { maxRetryDelayMs: 1_999 });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ status: 429, retryAfter: 2 });
    expect(calls).toHaveLength(1);
  });
});

describe('what the service may have processed', () => {
  test.each<[string, Answer | (() => never)]>([
    ['a fault of the network', reset],
    ['a 500', fault],
    ['a 502 of a proxy', { status: 502, body: 'Bad gateway' }],
    ['a 503 of a proxy', { status: 503, body: 'Busy', headers: { 'retry-after': '0' } }],
    ['a 504 of a proxy', { status: 504, body: 'Too slow' }],
  ])('is asked again when it only reads: %s', async (_what, failure) => {
    const { client, calls } = await clientOf([failure, failure]);
    await expect(client.getAccount(getAccount)).resolves.toMatchObject({ status: 200 });
    expect(calls).toHaveLength(3);
  });

  test.each<[string, Answer | (() => never)]>([
    ['a fault of the network', reset],
    ['a 500', fault],
    ['a 502 of a proxy', { status: 502, body: 'Bad gateway' }],
  ])('is not made twice when it writes: %s', async (_what, failure) => {
    for (const write of ['createAccount', 'updateAccount', 'deleteAccount'] as const) {
      const { client, calls } = await clientOf([failure]);
      const input = { ...getAccount, body: { name: 'Shop', type: 'marketing' as const } };
      await expect(client[write](input)).rejects.toThrow();
      expect(calls, write).toHaveLength(1);
      await service?.stop();
      service = undefined;
    }
  });

  test('is not sent twice when a mail could be', async () => {
    const batches = [
      [message()],
      [unique('a'), message()],
      [message({ custom_id: 'a' })],
      [message({ custom_id: '', custom_id_unique: true })],
      [message({ custom_id: 'a', custom_id_unique: false })],
    ];
    for (const body of batches) {
      const { client, calls } = await clientOf([reset]);
      await expect(client.sendEmail({ body })).rejects.toThrow();
      expect(calls).toHaveLength(1);
      await service?.stop();
      service = undefined;
    }
  });

  test.each<[string, Answer | (() => never)]>([
    ['a fault of the network', reset],
    ['a 500', fault],
  ])('is sent again when the service keeps every mail apart: %s', async (_what, failure) => {
    const { client, calls } = await clientOf([failure]);
    await client.sendEmail({ body: [unique('a'), unique('b')] });
    expect(calls.map(({ body }) => body)).toEqual(Array(2).fill([unique('a'), unique('b')]));
  });

  test('a refusal is final', async () => {
    const { client, calls } = await clientOf([refusal(409, 'ACCOUNT_NOT_FOUND')]);
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ status: 409 });
    expect(calls).toHaveLength(1);
  });
});

describe('the wait', () => {
  const answers: Response[] = [];
  const fetch = vi.fn(async () => answers.shift() ?? Response.json(success(account).body));
  const client = createClient({ baseUrl: 'http://service.test', accessToken: 't', fetch });
  const refuse = (status: number, headers: Record<string, string> = {}): void => {
    answers.push(Response.json(refusal(status, 'X').body, { status, headers }));
  };

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    fetch.mockClear();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** The virtual milliseconds between the attempts of a call. */
  async function waits(): Promise<number[]> {
    const times: number[] = [];
    fetch.mockImplementation(async () => {
      times.push(Date.now());
      return answers.shift() ?? Response.json(success(account).body);
    });
    const call = client.getAccount(getAccount);
    await vi.runAllTimersAsync();
    await call;
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }

  test('grows from attempt to attempt', async () => {
    refuse(503);
    refuse(503);
    expect(await waits()).toEqual([250, 500]);
  });

  test('is jittered by up to a half', async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    refuse(503);
    refuse(503);
    expect(await waits()).toEqual([125, 250]);
  });

  test('is never shorter than Retry-After says, in seconds or as a date', async () => {
    refuse(429, { 'retry-after': '7' });
    refuse(503, { 'retry-after': new Date(Date.now() + 20_000).toUTCString() });
    const [first, second] = await waits();
    expect(first).toBe(7_250);
    expect(second).toBeGreaterThan(10_000);
  });

  test('of months is begun only by whoever allows it, and then it is as long as a timer can be', async () => {
    refuse(429, { 'retry-after': '99999999999' });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ status: 429 });
    const patient = createClient({
      baseUrl: 'http://service.test',
      accessToken: 't',
      maxRetryDelayMs: Number.POSITIVE_INFINITY,
      fetch,
    });
    refuse(429, { 'retry-after': '99999999999' });
    const call = patient.getAccount(getAccount);
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.runAllTimersAsync();
    await expect(call).resolves.toMatchObject({ status: 200 });
  });

  test.each(['', 'soon', '-1', '1.5e3'])('is the usual one after a Retry-After of "%s"', async (value) => {
    refuse(429, { 'retry-after': value });
    expect(await waits()).toEqual([250]);
  });
});

describe('a deadline', () => {
  const hang = (): Promise<Response> => new Promise(() => {});

  test('ends an attempt that gets no answer; what only reads is asked again', async () => {
    const answers = [hang, hang, async () => Response.json(success(account).body)];
    const fetch = vi.fn(() => answers.shift()?.() ?? hang());
    const options = {
      baseUrl: 'http://service.test',
      accessToken: 't',
      timeoutMs: 1,
      maxRetryDelayMs: 1,
      fetch,
    };
    await expect(createClient(options).getAccount(getAccount)).resolves.toMatchObject({ status: 200 });
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('is told by name, and a mail is not sent twice for it', async () => {
    const fetch = vi.fn(hang);
    const client = createClient({ baseUrl: 'http://service.test', apiKey, timeoutMs: 1, fetch });
    await expect(client.sendEmail({ body: [message()] })).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'sendEmail: no answer within 1 ms',
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('covers the body of an answer, which a server may break off without a word', async () => {
    const { port, close } = await startHalfAnswer();
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      accessToken: 't',
      retries: 0,
      timeoutMs: 200,
    });
    await expect(client.getAccount(getAccount)).rejects.toMatchObject({ name: 'TimeoutError' });
    await close();
  });

  test('lets go of the callers when a renewal hangs', async () => {
    const fetch = vi.fn(hang);
    const client = createClient({
      baseUrl: 'http://service.test',
      credentials,
      timeoutMs: 1,
      retries: 0,
      fetch,
    });
    const results = await Promise.allSettled([client.getAccount(getAccount), client.getAccount(getAccount)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('further away than a timer can be does not come at once', async () => {
    const slow = async (): Promise<Response> => {
      await setTimeout(50);
      return Response.json(success(account).body);
    };
    const options = { baseUrl: 'http://service.test', accessToken: 't', retries: 0, fetch: slow };
    const client = createClient({ ...options, timeoutMs: Number.POSITIVE_INFINITY });
    await expect(client.getAccount(getAccount)).resolves.toMatchObject({ status: 200 });
  });

  test('is none after an answer, nor with 0', async () => {
    vi.useFakeTimers();
    const fetch = async () => Response.json(success(account).body);
    for (const timeoutMs of [0, 60_000, Number.POSITIVE_INFINITY]) {
      await createClient({ baseUrl: 'http://service.test', accessToken: 't', timeoutMs, fetch }).getAccount(
        getAccount,
      );
      expect(vi.getTimerCount()).toBe(0);
    }
    vi.useRealTimers();
  });
});

describe('a signal', () => {
  test('that is aborted already lets nothing out', async () => {
    const { client, calls } = await clientOf([]);
    const signal = AbortSignal.abort(new Error('left'));
    await expect(client.getAccount({ ...getAccount, signal })).rejects.toThrow('left');
    await expect(client.sendEmail({ body: [unique('a')], signal })).rejects.toThrow('left');
    expect(calls).toEqual([]);
  });

  test('ends a call on its way, and it is not tried again', async () => {
    const arrived = gate();
    const never = gate();
    service = await startService(async () => {
      arrived.open();
      await never.passed;
      return success(account);
    });
    const client = createClient({ baseUrl: service.baseUrl, accessToken: 't' });
    const controller = new AbortController();
    const call = client.getAccount({ ...getAccount, signal: controller.signal });
    await arrived.passed;
    controller.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    expect(service.calls).toHaveLength(1);
    never.open();
  });

  test('ends the wait for another attempt', async () => {
    const { client, calls } = await clientOf([limited('50')], { maxRetryDelayMs: 60_000 });
    const controller = new AbortController();
    const call = client.getAccount({ ...getAccount, signal: controller.signal });
    await expect.poll(() => calls).toHaveLength(1);
    controller.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    expect(calls).toHaveLength(1);
  });

  test('that is kept for many calls has nothing left to listen for', async () => {
    const { client } = await clientOf([limited('0'), limited('0')]);
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    await client.getAccount({ ...getAccount, signal });
    const ours = (calls: unknown[][]) => calls.map(([, listener]) => listener);
    for (const listener of ours(remove.mock.calls)) expect(ours(add.mock.calls)).toContain(listener);
    expect(remove.mock.calls.length).toBeGreaterThanOrEqual(2);
  });
});
