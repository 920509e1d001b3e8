import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, it, test } from 'vitest';
import { signMail } from './dkim.ts';

const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const published = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const identity = { domain: 'demo.test', selector: 'cs1', key };

/** What a verifier that we did not write says: `pass`, `fail`, or whatever else it finds. */
async function verdict(mail: Buffer): Promise<string> {
  const resolver = async (name: string) => {
    expect(name).toBe('cs1._domainkey.demo.test');
    return [[published]];
  };
  const { results } = await dkimVerify(mail, { resolver });
  expect(results).toHaveLength(1);
  const [result] = results;
  return result?.status.aligned === 'demo.test' ? result.status.result : 'not aligned';
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const HEAD = ['From: Demo <hello@demo.test>', 'To: ann@example.com', 'Subject: Your order'];
const mailOf = (headers: readonly string[], body: string) =>
  bytes(`${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`);
const signed = (headers: readonly string[], body = 'Hello\r\n') => signMail(mailOf(headers, body), identity);
const tagsOf = (mail: Buffer) => {
  const [header = ''] = mail.toString('latin1').split(/\r\n(?![ \t])/, 1);
  const tags = header.slice('DKIM-Signature:'.length).replace(/\s+/g, '').split(';');
  return new Map(tags.map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]));
};

describe('a signature', () => {
  test('stands before the mail, which stays as it was', async () => {
    const mail = await signed(HEAD);
    expect(mail.toString('latin1').startsWith('DKIM-Signature: v=1; ')).toBe(true);
    expect(mail.subarray(-mailOf(HEAD, 'Hello\r\n').length)).toEqual(mailOf(HEAD, 'Hello\r\n'));
    for (const line of mail.toString('latin1').split('\r\n')) expect(line.length).toBeLessThan(100);
    expect(await verdict(mail)).toBe('pass');
  });

  test('covers what readers and mail programs go by, and once more what there may be only one of', async () => {
    const headers = [
      ...HEAD,
      'Reply-To: help@demo.test',
      'Date: Sun, 01 Mar 2026 10:20:30 +0000',
      'Message-ID: <1@demo.test>',
      'List-Id: <news.demo.test>',
      'List-Unsubscribe: <mailto:u@demo.test>, <https://demo.test/u>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      'X-Message-Custom-Id: 42',
      'X-Other: no',
    ];
    const tags = tagsOf(await signed(headers));
    expect(Object.fromEntries(tags)).toMatchObject({
      a: 'rsa-sha256',
      c: 'relaxed/relaxed',
      d: 'demo.test',
      s: 'cs1',
    });
    expect(tags.has('l')).toBe(false);
    expect(tags.get('h')?.split(':')).toEqual([
      ...['from', 'from', 'reply-to', 'reply-to', 'to', 'to', 'subject', 'subject', 'date', 'date'],
      ...['message-id', 'message-id', 'mime-version', 'mime-version', 'content-type', 'content-type'],
      ...['content-transfer-encoding', 'content-transfer-encoding', 'list-id', 'list-unsubscribe'],
      ...['list-unsubscribe-post', 'x-message-custom-id'],
    ]);
    expect(await verdict(await signed(headers))).toBe('pass');
  });

  test.each([
    ['another From', 'From: Someone <else@demo.test>'],
    ['another Subject', 'Subject: Something else'],
    ['another Content-Type', 'Content-Type: text/html'],
  ])('is broken by %s above it', async (_what, header) => {
    const mail = await signed([...HEAD, 'Content-Type: text/plain']);
    expect(await verdict(Buffer.concat([bytes(`${header}\r\n`), mail]))).not.toBe('pass');
  });

  test.each([
    ['the body', 'Hello', 'Hullo'],
    ['a header', 'Your order', 'Your odder'],
    ['a line more', 'Hello\r\n', 'Hello\r\nand more\r\n'],
  ])('is broken by a change of %s', async (_what, from, to) => {
    const mail = bytes((await signed(HEAD)).toString('latin1').replace(from, to));
    expect(await verdict(mail)).not.toBe('pass');
  });

  test('outlives what mail servers on the way may do', async () => {
    const mail = (await signed([...HEAD, 'X-Trace: a'], 'Hello  there \r\n\r\n\r\n')).toString('latin1');
    const relayed = mail
      .replace('Subject: Your order', 'SUBJECT:Your\r\n\t order  ')
      .replace('Hello  there \r\n\r\n\r\n', 'Hello there\r\n');
    expect(await verdict(bytes(`Received: from x by y\r\n${relayed}`))).toBe('pass');
  });
});

describe('any mail at all', () => {
  const byte = fc.string({
    unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 200,
  });
  const text = fc.oneof(
    byte,
    fc.string({ unit: fc.constantFrom(' ', '\t', 'a', '.', '\xe9', '=', ':'), maxLength: 60 }),
    fc.constantFrom('', ' ', '\t', 'x'.repeat(998), ` ${'y'.repeat(5000)} `, 'a \t b', '\u00c3\u00a9'),
  );
  const line = text.map((value) => value.replace(/[\r\n]/g, ''));
  const body = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', '\r\n', '\r\n\r\n\r\n', ' \r\n\t\r\n'))
    .map(([lines, end]) => lines.join('\r\n') + end);
  const name = fc.constantFrom(
    'Subject',
    'to',
    'Reply-To',
    'LIST-ID',
    'List-Unsubscribe',
    'X-Other',
    'Date',
    'Message-ID',
  );
  // A folded line that is empty but for white space ends the header for some readers, so nobody writes one.
  const visible = line.map((value) => value.replace(/^[\s\x80-\xa0]*$/, 'z'));
  const value = fc.array(visible, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\r\n '));
  const header = fc
    .tuple(name, fc.constantFrom(':', ': ', ':\t'), value)
    .map(([key, colon, content]) => `${key}${colon}${content}`);

  it('verifies: folded, repeated and empty headers, 8-bit bytes, long lines, white space and empty lines at the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(header, { maxLength: 8 }), body, async (headers, content) => {
        const [from = ''] = HEAD;
        expect(await verdict(await signed([from, ...headers], content))).toBe('pass');
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['no body', ''],
    ['only empty lines', '\r\n\r\n\r\n'],
    ['only white space', ' \t \r\n \r\n'],
    ['no line end', 'Hello'],
    ['a dot alone', '.\r\n..\r\n'],
  ])('verifies with %s', async (_what, content) => {
    expect(await verdict(await signed(HEAD, content))).toBe('pass');
  });

  it('verifies without a body at all', async () => {
    expect(await verdict(await signMail(bytes(`${HEAD.join('\r\n')}\r\n\r\n`), identity))).toBe('pass');
  });

  it('takes no longer than it has to for hostile white space', async () => {
    const mail = await signed(
      [...HEAD, `Reply-To: ${' \t'.repeat(100_000)}x`],
      `${' \t'.repeat(2_000_000)}x\r\n`,
    );
    expect(mail.length).toBeGreaterThan(4_000_000);
  });
});
