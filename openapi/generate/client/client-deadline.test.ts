import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { apiKey, clientOf, limited, message, serviceOf, unique } from './request-testing.ts';
import { account, credentials, gate, getAccount, success } from './test-service.ts';

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
    onTestFinished(() => void vi.useRealTimers());
    const fetch = async () => Response.json(success(account).body);
    for (const timeoutMs of [0, 60_000, Number.POSITIVE_INFINITY]) {
      await createClient({ baseUrl: 'http://service.test', accessToken: 't', timeoutMs, fetch }).getAccount(
        getAccount,
      );
      expect(vi.getTimerCount()).toBe(0);
    }
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
    const service = await serviceOf(async () => {
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
