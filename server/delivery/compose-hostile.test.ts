import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { addressesOf, parsed } from './compose-testing.ts';

/** mailparser decodes the headers that it knows; any other one is read as if it were a subject. */
async function decoded(header: unknown): Promise<string> {
  const { subject } = await simpleParser(`Subject: ${header ?? ''}\r\n\r\n`);
  return subject ?? '';
}

const HEADERS = [
  'From',
  'To',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'X-Message-Custom-Id',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
];

describe('whatever stands in the fields', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 255 }),
    fc.string({
      unit: fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '\u0000',
        '\u0085',
        '\u2028',
        '\t',
        ' ',
        ':',
        '"',
        '\\',
        '<',
        '>',
        ',',
        ';',
        '(',
        '=?UTF-8?Q?',
        '?=',
        'Bcc: x@y.z',
        '@',
        '🐎',
        'ž',
        '.',
      ),
      maxLength: 30,
    }),
    fc.constantFrom(
      'x'.repeat(255),
      '🐎'.repeat(127),
      'y'.repeat(5000),
      '\r\n.\r\n',
      '=?utf-8?q?=0D=0ABcc:_x@y.z?=',
    ),
  );
  // Names and list ids are limited by the contract, subjects and URLs are not.
  const limited = hostile.map((text) => text.slice(0, 255).toWellFormed());
  const readable = (text: string) =>
    text
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .trim();

  it('keeps to the headers that belong there, on lines of legal length, and reads back the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        limited,
        hostile,
        hostile,
        limited,
        hostile,
        async (name, subject, customId, listId, listUnsubscribe) => {
          const replyTo = [{ email: 'help@demo.test', name }];
          const from = { email: 'hello@demo.test', name };
          const {
            mail,
            text,
            parsed: back,
          } = await parsed({
            from,
            to: { email: 'ann@example.com', name },
            replyTo,
            subject,
            customId,
            listId,
            listUnsubscribe,
          });
          const head = text.slice(0, text.indexOf('\r\n\r\n'));
          for (const header of head.replace(/\r\n[ \t]/g, ' ').split('\r\n'))
            expect(HEADERS).toContain(header.split(':')[0]);
          for (const line of text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
          expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/);
          expect(mail.headersNeedUtf8).toBe(false);
          expect(addressesOf(back.to)).toMatchObject([{ address: 'ann@example.com' }]);
          expect(addressesOf(back.from)).toMatchObject([{ address: 'hello@demo.test' }]);
          expect(addressesOf(back.replyTo)).toMatchObject([{ address: 'help@demo.test' }]);
          expect(back.subject ?? '').not.toMatch(/\p{Cc}/u);
          expect(back.cc).toBeUndefined();
          expect(back.bcc).toBeUndefined();
          expect(readable(back.subject ?? '')).toBe(readable(subject));
          expect(readable(await decoded(back.headers.get('x-message-custom-id')))).toBe(readable(customId));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads back ordinary names exactly', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
      .filter((text) => !/=\?/.test(text));
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const { parsed: back } = await parsed({ to: { email: 'ann@example.com', name: text } });
        expect(readable(addressesOf(back.to)[0]?.name ?? '')).toBe(readable(text));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps bodies whole, in lines that SMTP can carry', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (body) => {
        const { text, parsed: back } = await parsed({ text: body || 'x', html: null });
        expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/);
        const plain = (value: string) =>
          value
            .replace(/\r\n|\r|\n/g, '\n')
            .toWellFormed()
            .trimEnd();
        expect(plain(back.text ?? '')).toBe(plain(body || 'x'));
      }),
      { numRuns: 200 },
    );
  });
});
