import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations as facts } from '../../generated/operations.ts';
import { contractInfo, findOperation, isOperationId, operationOf, operations, webhooks } from './document.ts';
import { writtenOut } from './schema.ts';

const BUNDLE = new URL('../../generated/openapi.json', import.meta.url);

describe('operations', () => {
  test('are all there, core and extensions, with what they answer', () => {
    expect(operations.map(({ id }) => id)).toEqual(Object.keys(facts));
    expect(operations.filter(({ origin }) => origin === 'core')).toHaveLength(24);
    for (const { id, statuses, responses } of operations) {
      expect([id, [...responses.keys()]]).toEqual([id, [...statuses]]);
    }
  });

  test('have their parameters, those of the path included, and their body', () => {
    const list = operationOf('listMessages');
    expect(list.parameters.find(({ name }) => name === 'events[]')).toMatchObject({
      in: 'query',
      array: true,
    });
    expect(list.parameters.find(({ name }) => name === 'limit')).toMatchObject({
      array: false,
      required: false,
    });
    expect(list.body).toBeUndefined();
    const update = operationOf('updateAccount');
    expect(update.parameters).toMatchObject([{ name: 'account_id', in: 'path', required: true }]);
    expect(update.body).toMatchObject({ required: true, schema: { required: ['name'] } });
    expect(operationOf('getStats').parameters.filter(({ required }) => required)).toHaveLength(2);
  });

  test('have responses per status with content types, headers and bodies', () => {
    const { responses } = operationOf('exportMessages');
    expect(responses.get(200)?.contents).toMatchObject([{ type: 'text/csv', schema: { type: 'string' } }]);
    expect(responses.get(429)?.headers.map(({ name }) => name)).toContain('Retry-After');
  });

  test('have no reference left in any schema', () => {
    expect(JSON.stringify({ operations, webhooks })).not.toContain('"$ref"');
  });

  test('are known by their ids', () => {
    expect(isOperationId('sendEmail')).toBe(true);
    expect(isOperationId('toString')).toBe(false);
  });
});

test.each([
  ['GET', '/v1/messages/export', 'exportMessages'],
  ['get', '/v1/messages/export?subject=a%2Fb', 'exportMessages'],
  ['GET', '/v1/messages/exported', 'getMessage'],
  ['GET', '/v1/messages/1/events', 'listMessageEvents'],
  ['POST', '/v1/domains/x/verify_dkim', 'verifyDomainDkim'],
  ['DELETE', '/v1/accounts/1/api_keys/2', 'revokeApiKey'],
  ['GET', '/v1/accounts/', undefined],
  ['PUT', '/v1/accounts/1', undefined],
  ['HEAD', '/v1/accounts', undefined],
  ['GET', '/v2/accounts', undefined],
  ['GET', '/v1/accounts/1/2', undefined],
])('%s %s is %s', (method, path, id) => {
  expect(findOperation(method, path)?.id).toBe(id);
});

test('webhooks have a payload and headers for each event', () => {
  expect(webhooks.map(({ event }) => event)).toEqual([
    'message.delivery',
    'message.hard_bounce',
    'message.soft_bounce',
    'message.spam_complaint',
    'message.unsubscribe',
    'message.open',
    'message.click',
  ]);
  for (const { event, headers, payload } of webhooks) {
    expect(payload.schema.properties?.event?.const).toBe(event);
    expect(headers.map(({ name }) => name)).toContain('webhook-signature');
  }
});

test('the contract is named by title, version and digest', () => {
  const { info } = JSON.parse(readFileSync(BUNDLE, 'utf8'));
  const sha256 = createHash('sha256').update(readFileSync(BUNDLE)).digest('hex');
  expect(contractInfo()).toEqual({ title: info.title, version: info.version, sha256 });
});

test('a schema that cannot be written out is a fault of the bundle', () => {
  const lookUp = () => ({ type: 'object', properties: { again: { $ref: '#/again' } } });
  expect(() => writtenOut({ $ref: '#/again' }, lookUp)).toThrow('#/again contains itself');
  const narrowed = { $ref: '#/text', maxLength: 3 };
  expect(() => writtenOut(narrowed, () => ({ type: 'string' }))).toThrow(
    'maxLength beside the reference #/text',
  );
  const described = { $ref: '#/text', description: 'mine' };
  expect(writtenOut(described, () => ({ type: 'string', description: 'its' }))).toEqual({
    type: 'string',
    description: 'mine',
  });
});
