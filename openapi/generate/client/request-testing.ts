import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import {
  type Answer,
  account,
  accountId,
  type Call,
  refusal,
  type Service,
  startService,
  success,
} from './test-service.ts';

// For tests of how the client repeats and ends its requests.

export const apiKey = { accountId, apiKey: 'key' };

export const limited = (retryAfter: string): Answer => ({
  ...refusal(429, 'RATE_LIMIT_EXCEEDED'),
  headers: { 'retry-after': retryAfter },
});

/** startService for the test that asks for it. */
export async function serviceOf(answer: Parameters<typeof startService>[0]): Promise<Service> {
  const service = await startService(answer);
  onTestFinished(() => service.stop());
  return service;
}

/** A client that hardly waits, and a service whose first answers are these, and whose others are good. */
export async function clientOf(first: (Answer | (() => never))[], options: Partial<ClientOptions> = {}) {
  const left = [...first];
  const { baseUrl, calls } = await serviceOf((call: Call) => {
    const next = left.shift();
    if (next) return typeof next === 'function' ? next() : next;
    return call.url.pathname === '/v1/send_email'
      ? { status: 200, body: { data: [], meta: {} } }
      : success(account);
  });
  const client = createClient({ baseUrl, accessToken: 't', apiKey, maxRetryDelayMs: 1, ...options });
  return { client, calls };
}

export const message = (more: object = {}) => ({
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ada@customer.test' }],
  subject: 'Your order',
  body: { text: 'It is on its way.' },
  ...more,
});

/** A message that the service accepts only once. */
export const unique = (custom_id: string) => message({ custom_id, custom_id_unique: true });
