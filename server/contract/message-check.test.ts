import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contract } from '../http/fixtures/example-app.ts';

const message = {
  from: { email: 'hello@demo.test' },
  to: [{ email: 'ada@customer.test' }],
  subject: 'Your order',
  body: { text: 'Thank you.' },
};
const MEGABYTE = 2 ** 20;

/** `valid`, or the code and what is wrong with which field. */
function verdict(item: unknown): string {
  const found = contract.validateMessage(item);
  if (found.valid) return 'valid';
  const errors = found.errors.map((error) =>
    'field' in error ? `${error.field}:${error.errors.map(({ code }) => code).join('+')}` : error.code,
  );
  return `${found.code} ${errors.sort().join(' ')}`;
}

test('a message needs no more than it must have, and null counts as absent', () => {
  expect(verdict(message)).toBe('valid');
  const nothing = {
    custom_id: null,
    custom_id_unique: null,
    track_opens: null,
    track_clicks: null,
    list_id: null,
    list_unsubscribe: null,
  };
  expect(verdict({ ...message, ...nothing, reply_to: null, from: { ...message.from, name: null } })).toBe(
    'valid',
  );
  expect(verdict({ ...message, reply_to: [] })).toBe('valid');
  expect(verdict({ ...message, reply_to: [{ email: null, name: null }], unknown: [{}] })).toBe('valid');
});

describe('what is wrong is named', () => {
  test.each<[string, unknown, string]>([
    ['nothing', {}, 'VALIDATION_ERROR body:REQUIRED from:REQUIRED subject:REQUIRED to:REQUIRED'],
    ['null', null, 'VALIDATION_ERROR :OBJECT'],
    ['a list', [], 'VALIDATION_ERROR :OBJECT'],
    ['no recipient', { ...message, to: [] }, 'VALIDATION_ERROR to:REQUIRED'],
    ['a recipient that is none', { ...message, to: ['ada@customer.test'] }, 'VALIDATION_ERROR to[0]:OBJECT'],
    [
      'a recipient without address',
      { ...message, to: [{ name: 'Ada' }] },
      'VALIDATION_ERROR to[0].email:REQUIRED',
    ],
    [
      'two recipients',
      { ...message, to: [...message.to, ...message.to] },
      'MULTIPLE_RECIPIENTS_NOT_SUPPORTED to:MULTIPLE_RECIPIENTS_NOT_SUPPORTED',
    ],
    [
      'two recipients and no subject',
      { ...message, to: [...message.to, ...message.to], subject: undefined },
      'VALIDATION_ERROR subject:REQUIRED to:MULTIPLE_RECIPIENTS_NOT_SUPPORTED',
    ],
    ['no content', { ...message, body: {} }, 'VALIDATION_ERROR body:REQUIRED'],
    ['empty content', { ...message, body: { html: '', text: null } }, 'VALIDATION_ERROR body:REQUIRED'],
    ['content that is no text', { ...message, body: { html: 5 } }, 'VALIDATION_ERROR body.html:STRING'],
    ['content in place of an object', { ...message, body: 'text' }, 'VALIDATION_ERROR body:OBJECT'],
    [
      'a header injected by the subject',
      { ...message, subject: 'a\r\nBcc: b' },
      'VALIDATION_ERROR subject:CONTROL_CHARACTER',
    ],
    [
      'NUL in the text',
      { ...message, body: { text: 'a\0' } },
      'VALIDATION_ERROR body.text:CONTROL_CHARACTER',
    ],
    [
      'a header injected by a name',
      { ...message, from: { email: 'hello@demo.test', name: 'a\nb' } },
      'VALIDATION_ERROR from.name:CONTROL_CHARACTER',
    ],
    ['a long custom_id', { ...message, custom_id: 'x'.repeat(256) }, 'VALIDATION_ERROR custom_id:MAX'],
    ['a number for true', { ...message, track_opens: 1 }, 'VALIDATION_ERROR track_opens:BOOL'],
    [
      'a script for a link',
      { ...message, list_unsubscribe: 'javascript:a()' },
      'VALIDATION_ERROR list_unsubscribe:INVALID_LIST_UNSUBSCRIBE',
    ],
    [
      'a number for a link',
      { ...message, list_unsubscribe: 5 },
      'VALIDATION_ERROR list_unsubscribe:INVALID_LIST_UNSUBSCRIBE',
    ],
    [
      'an address without a dot',
      { ...message, from: { email: 'a@localhost' } },
      'VALIDATION_ERROR from.email:INVALID_EMAIL',
    ],
  ])('%s', (_name, item, expected) => {
    expect(verdict(item)).toBe(expected);
  });
});

test('html and text have 10 MB together, counted in UTF-8', () => {
  const half = 'é'.repeat(2.5 * MEGABYTE);
  expect(verdict({ ...message, body: { html: half, text: half } })).toBe('valid');
  expect(verdict({ ...message, body: { html: `${half}a`, text: half } })).toBe('VALIDATION_ERROR MAX');
  expect(verdict({ ...message, body: { html: 'a'.repeat(10 * MEGABYTE) } })).toBe('valid');
});

test('the custom ID comes back, unless it is faulty, however much else is wrong', () => {
  const customIdOf = (item: unknown) => {
    const found = contract.validateMessage(item);
    return found.valid ? 'valid' : found.customId;
  };
  const crowd = Array.from({ length: 500 }, () => ({ email: 'nobody' }));
  const faults = [{ body: { html: 'é'.repeat(6 * MEGABYTE) } }, { to: crowd }, { subject: '' }];
  for (const fault of faults) {
    const having = (customId: unknown) => customIdOf({ ...message, ...fault, custom_id: customId });
    expect(having('order-1')).toBe('order-1');
    for (const faulty of ['x'.repeat(256), 'a\r\nBcc: b', 'a\0', 5, null, {}])
      expect(having(faulty)).toBe('');
    expect(having('😀'.repeat(255))).toBe('😀'.repeat(255));
  }
});

test('any JSON at all gets a verdict', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(verdict(value)).toMatch(/^(valid|VALIDATION_ERROR|MULTIPLE)/);
      expect(verdict({ ...message, to: value, body: value, reply_to: value })).toMatch(/^VALIDATION_ERROR/);
    }),
  );
});
