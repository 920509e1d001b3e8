import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '../domain/webhooks.ts';
import { loadContract } from './contract.ts';

const contract = loadContract();
const { webhooks } = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
);

const HEADERS = {
  'content-type': 'application/json',
  'webhook-id': '0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875',
  'webhook-timestamp': '1773480414',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
};

function exampleOf(event: string): Record<string, unknown> {
  const [example] = Object.values<{ value: Record<string, unknown> }>(
    webhooks[event].post.requestBody.content['application/json'].examples,
  );
  return { ...example?.value };
}

describe.each(WEBHOOK_EVENTS)('%s', (event) => {
  const faultIn = (change: object, headers: Record<string, string> = HEADERS) =>
    contract.faultInNotification({ event, headers, body: { ...exampleOf(event), ...change } });

  test('the example of the contract keeps it', () => {
    expect(faultIn({})).toBeUndefined();
  });

  test.each(Object.keys(exampleOf(event)))('without %s it does not', (field) => {
    expect(faultIn({ [field]: undefined })).toContain('the body');
  });

  test.each([
    ['a field that is not documented', { reason: 'gone' }],
    ['a message id that is none', { message_id: '1' }],
    ['a moment without an offset', { received_at: '2026-03-14T09:27:05' }],
    ['another event', { event: 'message.new' }],
  ])('nor with %s', (_what, change) => {
    expect(faultIn(change)).toContain('the body');
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('nor with an empty %s', (name) => {
    expect(faultIn({}, { ...HEADERS, [name]: '' })).toContain('the headers');
  });
});

test.each([null, [], 'text', 5, undefined])('the body %j is faulty', (body) => {
  expect(contract.faultInNotification({ event: 'message.open', headers: HEADERS, body })).toContain(
    'the body',
  );
});

test.each(['message.new', '__proto__', ''])('there is no webhook "%s"', (event) => {
  expect(contract.faultInNotification({ event, headers: HEADERS, body: {} })).toContain('not documented');
});
