import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { clientOf, limited, message, unique } from './request-testing.ts';
import { type Answer, account, getAccount, refusal, success } from './test-service.ts';

const fault = refusal(500, 'INTERNAL_SERVER_ERROR');
const reset = (): never => {
  throw new Error('The connection is reset.');
};

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
