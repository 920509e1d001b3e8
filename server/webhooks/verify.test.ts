import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError, webhookId } from './verify.ts';
import {
  body,
  headersFor,
  id,
  now,
  otherSecret,
  payloads,
  reasonOf,
  refusal,
  secret,
  signatureOf,
} from './verify-testing.ts';

describe('a genuine notification', () => {
  test.each(payloads.map((payload) => [payload.event, payload] as const))('%s', (_event, payload) => {
    const text = JSON.stringify(payload);
    expect(verifyWebhook(headersFor(text), text, secret)).toEqual(payload);
  });

  test('as bytes, whatever kind', () => {
    const text = JSON.stringify(payloads[5]);
    const bytes = new TextEncoder().encode(text);
    const inAPool = Buffer.concat([Buffer.from('before'), bytes]).subarray(6);
    for (const raw of [bytes, Buffer.from(text), inAPool, bytes.buffer]) {
      expect(verifyWebhook(headersFor(text), raw, secret)).toEqual(payloads[5]);
    }
  });

  test.each<[string, (headers: Record<string, string>) => WebhookHeaders]>([
    ['of Fetch', (headers) => new Headers(headers)],
    [
      'in capitals',
      (headers) => ({
        'Webhook-Id': id,
        'WEBHOOK-TIMESTAMP': headers['webhook-timestamp'],
        'Webhook-Signature': headers['webhook-signature'],
      }),
    ],
    [
      'in arrays, among others',
      (headers) => ({
        'set-cookie': ['a', 'b'],
        host: undefined,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      }),
    ],
    ['of no prototype', (headers) => Object.assign(Object.create(null), headers)],
    ['beside one that is called get', (headers) => ({ ...headers, get: 'it' })],
  ])('with headers %s', (_kind, shape) => {
    expect(verifyWebhook(shape(headersFor(body)), body, secret)).toEqual(payloads[0]);
    expect(webhookId(shape(headersFor(body)))).toBe(id);
  });

  test('that a real HTTP server received, its signatures on several lines', async () => {
    const wrong = signatureOf(body, now(), otherSecret);
    const sent = headersFor(body);
    const server = createServer(async (request, response) => {
      const raw = Buffer.concat(await request.toArray());
      response.end(JSON.stringify(verifyWebhook(request.headers, raw, secret)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const request = httpRequest({
      port,
      method: 'POST',
      headers: { ...sent, 'webhook-signature': [wrong, sent['webhook-signature']] },
    });
    request.end(body);
    const [response] = await once(request, 'response');
    expect(JSON.parse((await response.toArray()).join(''))).toEqual(payloads[0]);
    server.close();
  });

  test('signed by the old secret, the new one, or both, while it rotates', () => {
    const timestamp = now();
    const both = `${signatureOf(body, timestamp, otherSecret)} ${signatureOf(body, timestamp)}`;
    for (const known of [[secret], [otherSecret], [secret, otherSecret]]) {
      const headers = { ...headersFor(body, timestamp), 'webhook-signature': both };
      expect(verifyWebhook(headers, body, known)).toEqual(payloads[0]);
    }
    for (const key of [secret, otherSecret]) {
      expect(verifyWebhook(headersFor(body, timestamp, key), body, [secret, otherSecret])).toEqual(
        payloads[0],
      );
    }
    expect(reasonOf(headersFor(body, timestamp, otherSecret), body, secret)).toBe('no_matching_signature');
  });

  test('beside signatures of other kinds, and nonsense', () => {
    const headers = headersFor(body);
    const among = `v1a,AAAA v1 , v1, ${headers['webhook-signature']} v2,x`;
    expect(verifyWebhook({ ...headers, 'webhook-signature': among }, body, secret)).toEqual(payloads[0]);
  });

  test('with a secret that was read from a file with its line end', () => {
    expect(verifyWebhook(headersFor(body), body, ` ${secret}\n`)).toEqual(payloads[0]);
  });

  test('within five minutes of this machine’s clock, and no more', () => {
    for (const shift of [-290, 290]) {
      expect(verifyWebhook(headersFor(body, now() + shift), body, secret)).toEqual(payloads[0]);
    }
    expect(reasonOf(headersFor(body, now() - 310), body, secret)).toBe('too_old');
    expect(reasonOf(headersFor(body, now() + 310), body, secret)).toBe('too_new');
  });
});

describe('a forged or changed one', () => {
  test.each<[string, string | Uint8Array]>([
    ['another recipient', body.replace('ada@', 'eve@')],
    ['a line end behind it', `${body}\n`],
    ['other white space', JSON.stringify(payloads[0], null, 2)],
    ['a byte order mark', `\uFEFF${body}`],
    ['a byte order mark, in bytes', Buffer.from(`\uFEFF${body}`)],
    ['nothing', ''],
  ])('the body: %s', (_what, changed) => {
    expect(reasonOf(headersFor(body), changed, secret)).toBe('no_matching_signature');
  });

  test('the id and the time belong to what is signed', () => {
    const headers = headersFor(body, now() - 5);
    expect(reasonOf({ ...headers, 'webhook-id': 'msg_other' }, body, secret)).toBe('no_matching_signature');
    expect(reasonOf({ ...headers, 'webhook-timestamp': String(now()) }, body, secret)).toBe(
      'no_matching_signature',
    );
  });

  test.each([
    'v1,',
    'v1',
    ',',
    'v2,AAAA',
    `v1,${'A'.repeat(43)}=`,
    'x'.repeat(1_000_000),
    'v1,AAAA '.repeat(100_000),
  ])('the signature: %.20s', (signature) => {
    const headers = { ...headersFor(body), 'webhook-signature': signature };
    expect(reasonOf(headers, body, secret)).toBe('no_matching_signature');
  });

  test('the right signature under another scheme', () => {
    const headers = headersFor(body);
    const relabelled = headers['webhook-signature'].replace('v1,', 'v1a,');
    expect(reasonOf({ ...headers, 'webhook-signature': relabelled }, body, secret)).toBe(
      'no_matching_signature',
    );
  });

  test.each(['', ' ', 'soon', '1e9', '-5', '0x6A', '1773480414.5', '9'.repeat(400)])(
    'the timestamp: %.20s',
    (timestamp) => {
      const headers = { ...headersFor(body, timestamp), 'webhook-timestamp': timestamp };
      expect(reasonOf(headers, body, secret)).toBe(
        timestamp === '' ? 'missing_header' : 'malformed_timestamp',
      );
    },
  );

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', (name) => {
    const headers = Object.entries(headersFor(body)).filter(([key]) => key !== name);
    const error = refusal(Object.fromEntries(headers), body, secret);
    expect(error.reason).toBe('missing_header');
    expect(error.message).toContain(name);
    expect(reasonOf(new Headers(headers), body, secret)).toBe('missing_header');
    const found = new Map(headers);
    expect(reasonOf({ get: (key) => found.get(key) }, body, secret)).toBe('missing_header');
  });

  test('an id or a time that comes twice is not one of them', () => {
    const headers = headersFor(body);
    const timestamp = headers['webhook-timestamp'];
    expect(reasonOf({ ...headers, 'webhook-id': [id, 'msg_other'] }, body, secret)).toBe('repeated_header');
    expect(reasonOf({ ...headers, 'Webhook-Id': 'msg_other' }, body, secret)).toBe('repeated_header');
    expect(reasonOf({ ...headers, 'webhook-timestamp': `${timestamp}, 1` }, body, secret)).toBe(
      'malformed_timestamp',
    );
    expect(() => webhookId({ ...headers, 'webhook-id': [id, 'msg_other'] })).toThrow(
      WebhookVerificationError,
    );
  });
});
