import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { verifyWebhook, type WebhookPayload } from './verify.ts';
import {
  body,
  common,
  headersFor,
  id,
  now,
  otherSecret,
  payloads,
  reasonOf,
  refusal,
  secret,
} from './verify-testing.ts';

describe('a signed body that is no notification', () => {
  test.each(['', 'null', '[]', '7', '{}', '{"event":7}', JSON.stringify({ event: 'message.delivery' })])(
    '%s',
    (text) => {
      expect(reasonOf(headersFor(text), text, secret)).toBe(text === '' ? 'invalid_json' : 'invalid_payload');
    },
  );

  test.each(['{"event"', `\uFEFF${body}`, `${body}${body}`])('that is not JSON: %.20s', (text) => {
    expect(reasonOf(headersFor(text), text, secret)).toBe('invalid_json');
  });

  test('that is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')]);
    expect(reasonOf(headersFor(bytes), bytes, secret)).toBe('invalid_json');
  });

  test.each(payloads.flatMap((payload) => Object.keys(payload).map((field) => [payload, field] as const)))(
    '$0.event without $1, or with something else there',
    (payload, field) => {
      for (const value of [undefined, null, 7, {}]) {
        const text = JSON.stringify({ ...payload, [field]: value });
        expect(reasonOf(headersFor(text), text, secret)).toBe('invalid_payload');
      }
    },
  );

  test('an event of a later version is told apart, and answered so that it is not repeated', () => {
    for (const event of ['message.read', 'toString', '__proto__', `message.${'x'.repeat(9_000)}`]) {
      const text = JSON.stringify({ ...common, event });
      const error = refusal(headersFor(text), text, secret);
      expect(error).toMatchObject({ reason: 'unknown_event', status: 202 });
      expect(error.message).toContain(event.slice(0, 50));
      expect(error.message.length).toBeLessThan(400);
      expect(reasonOf(headersFor(text, now(), otherSecret), text, secret)).toBe('no_matching_signature');
    }
  });

  test('a field that would become a prototype is dropped; others that are new pass', () => {
    const text = `${body.slice(0, -1)},"__proto__":{"admin":true},"later":{"__proto__":1}}`;
    const payload = verifyWebhook(headersFor(text), text, secret);
    expect(Object.assign({}, payload)).not.toHaveProperty('admin');
    expect(JSON.stringify(payload)).toBe(`${body.slice(0, -1)},"later":{}}`);
  });
});

describe('a receiver that is not set up right', () => {
  test.each<[string, string | string[]]>([
    ['no secrets', []],
    ['an empty one', ''],
    ['an empty one beside a good one', [secret, ' ']],
    ['one without its prefix', secret.slice('whsec_'.length)],
    ['the prefix alone', 'whsec_'],
    ['one that is not Base64', 'whsec_not*base64'],
  ])('%s', (_what, secrets) => {
    expect(refusal(headersFor(body), body, secrets)).toMatchObject({
      reason: 'misconfigured_secret',
      status: 500,
    });
  });

  test('says which of several secrets is wrong, and not what it is', () => {
    const { message } = refusal(headersFor(body), body, [secret, 'hunter2']);
    expect(message).toContain('Secret 2 of 2');
    expect(message).not.toContain('hunter2');
  });

  test('a secret that no setting holds, from a caller without types', () => {
    const absent: unknown = process.env.SENDSPEC_NO_SUCH_SETTING;
    expect(reasonOf(headersFor(body), body, absent as string)).toBe('misconfigured_secret');
  });

  test('a body that a parser has taken, from a caller without types', () => {
    for (const parsed of [payloads[0], undefined, null] as unknown[]) {
      const error = refusal(headersFor(body), parsed as string, secret);
      expect(error).toMatchObject({ reason: 'body_not_raw', status: 500 });
      expect(error.message).toContain('express.raw');
    }
  });
});

test('the example of its documentation does what it says', async () => {
  const source = await readFile(new URL('verify.ts', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(source)?.[1]?.replaceAll(/^ \* ?/gm, '') ?? '';
  const file = join(await mkdtemp(join(tmpdir(), 'receiver-')), 'receiver.ts');
  await writeFile(
    file,
    example.replace("'sendspec/webhooks'", JSON.stringify(import.meta.resolve('./verify.ts'))),
  );
  const { receive } = await import(/* @vite-ignore */ file);
  const post = async (signed: string, sent = signed): Promise<[number, string]> => {
    const headers = headersFor(signed);
    const response = await receive(
      new Request('https://shop.test/', { method: 'POST', headers, body: sent }),
    );
    return [response.status, await response.text()];
  };

  const click = JSON.stringify(payloads[6]);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  expect(await post(click)).toEqual([500, expect.stringContaining('The secret is empty')]);
  vi.stubEnv('WEBHOOK_SECRET', secret);
  expect(await post(click)).toEqual([200, 'ok']);
  expect(await post(body, click)).toEqual([400, expect.stringContaining('No signature matches')]);
  expect(await post('{"event":"message.read"}')).toEqual([202, expect.stringContaining('message.read')]);
  expect(log.mock.calls).toEqual([[id, 'https://demo.test/?a=1&b=2']]);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('the event tells which fields there are', () => {
  const payload = verifyWebhook(headersFor(body), body, secret);
  expectTypeOf(payload).toEqualTypeOf<WebhookPayload>();
  expectTypeOf(payload.recipient_email).toEqualTypeOf<string>();
  // @ts-expect-error only a click has a destination
  payload.tracking_url_destination;
  if (payload.event === 'message.click') {
    expectTypeOf(payload.tracking_url_destination).toEqualTypeOf<string>();
  }
  if (payload.event === 'message.open') {
    expectTypeOf(payload.user_ip).toEqualTypeOf<string>();
    // @ts-expect-error an opening leads nowhere
    payload.tracking_url_destination;
  }
  // @ts-expect-error an event that there is not
  expect(payload.event === 'message.new').toBe(false);
});
