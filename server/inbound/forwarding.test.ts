import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReceivedMail } from './destination.ts';
import { forwardOf } from './forwarding.ts';
import { readMime } from './mime.ts';

function forwarded(raw: string, to: string | null = 'leave@demo.test', name = 'mx.example.com') {
  const mail: ReceivedMail = {
    from: '',
    to: [],
    receivedAt: '2026-11-20T10:00:00.000000+00:00',
    raw: Buffer.from(raw),
    isComplete: true,
    client: { name, address: '192.0.2.1' },
  };
  return forwardOf(mail, readMime(mail.raw), to, 'mail.sendspec.test');
}

it('has no line end but CRLF, and a trace header that nobody can add to, whatever comes in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (body, name) => {
      const raw = forwarded(`a\rb\nc\r\n${body}`, undefined, name)?.raw.toString('latin1') ?? '';
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(raw).toMatch(
        /^Received: from [\w.:[\]-]+ \(\[192\.0\.2\.1\]\)\r\n\tby mail\.sendspec\.test with ESMTP;\r\n\tFri, 20 Nov 2026 10:00:00 \+0000\r\na\r\nb\r\nc\r\n/,
      );
    }),
  );
});

it.each([
  ['leave@demo.test', 'leave@demo.test'],
  ['mailto:leave@demo.test', 'leave@demo.test'],
  ['https://demo.test/leave', undefined],
  ['https://user@demo.test', undefined],
  ['leave@demo.test\r\nBcc: x@y.test', undefined],
  ['leave', undefined],
  ['', undefined],
  [null, undefined],
])('goes from %j to %j', (target, recipient) => {
  expect(forwarded('x', target)?.recipient).toBe(recipient);
});

it('ends after twenty-five servers', () => {
  expect(forwarded(`${'Received: from x\r\n'.repeat(24)}\r\nx`)).toBeDefined();
  expect(forwarded(`${'Received: from x\r\n'.repeat(25)}\r\nx`)).toBeUndefined();
});
