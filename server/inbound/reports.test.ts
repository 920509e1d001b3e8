import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBounce } from './delivery-report.ts';
import { readFeedbackReport } from './feedback-report.ts';
import { BOUNCE_FIXTURES, FIXTURE_MAILS_VERSION } from './fixture-bounces.ts';
import { COMPLAINT_FIXTURES } from './fixture-complaints.ts';
import { leaves, type MimePart, readMime } from './mime.ts';

const MEGABYTE = 1024 * 1024;
const read = (mail: string, isNullSender = true) =>
  readBounce(readMime(Buffer.from(mail.replace(/\r?\n/g, '\r\n'))), isNullSender);

it('has a table of mails, whose judgements change only with its version', () => {
  const outcomes = [...BOUNCE_FIXTURES, ...COMPLAINT_FIXTURES].map(({ outcome }) => outcome);
  expect(FIXTURE_MAILS_VERSION).toBe(1);
  expect(outcomes).toHaveLength(BOUNCE_FIXTURES.length + 12);
});

describe('a mail to a return path', () => {
  it.each(BOUNCE_FIXTURES)('$system: $outcome', ({ mail, outcome, response, from }) => {
    const bounce = read(mail, from === undefined);
    expect(bounce.kind === 'bounce' ? bounce.verdict : bounce.reason).toBe(outcome);
    if (bounce.kind === 'bounce') expect(bounce.response).toContain(response);
  });

  it('is read the same with bare line ends', () => {
    for (const { mail, from } of BOUNCE_FIXTURES) {
      const isNullSender = from === undefined;
      expect(readBounce(readMime(Buffer.from(mail)), isNullSender)).toEqual(read(mail, isNullSender));
    }
  });

  it('is read without a fault wherever it is cut off', () => {
    for (const { mail } of BOUNCE_FIXTURES) {
      for (let length = 0; length < mail.length; length += 13) {
        expect(['bounce', 'none']).toContain(read(mail.slice(0, length)).kind);
      }
    }
  });

  it('gives a response on one line, without control characters, of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (noise) => {
        const mail = `From: <mailer-daemon@x.test>\n\nFinal-Recipient: x\nAction: failed\nDiagnostic-Code: smtp; 550 5.1.1 ${noise}`;
        const bounce = read(mail);
        expect(bounce.kind).toBe('bounce');
        if (bounce.kind === 'bounce') expect(bounce.response).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,500}$/u);
      }),
    );
  });

  it('is never a fault, whatever it is', () => {
    const pieces = fc.constantFrom(
      ...[
        '--b',
        '--b--',
        'Content-Type: multipart/mixed; boundary=b',
        'Content-Type: message/delivery-status',
      ],
      ...[
        'Action: failed',
        'Status: 5.1.1',
        'Final-Recipient: rfc822; x',
        '',
        '\t',
        '=?utf-8?q?=ff?=',
        '550 5.1.1 x',
      ],
      ...['Content-Transfer-Encoding: base64', 'Content-Type: text/plain; charset=nonsense', '=', '\0', 'é'],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))), (lines) => {
        read(lines.join('\n'));
        readFeedbackReport(readMime(Buffer.from(lines.join('\n'))));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a feedback report', () => {
  it.each(COMPLAINT_FIXTURES)('is read: $system', ({ mail, outcome }) => {
    const report = readFeedbackReport(readMime(Buffer.from(mail.replaceAll('RETURN-PATH', 'b-1@x.test'))));
    if (outcome === 'spam_complaint') expect(report).toMatchObject({ isComplaint: true });
  });
});

describe('the structure of a mail', () => {
  it.each([
    ['nested multiparts', nested(10_000)],
    ['many parts', `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(50_000)}--b--\n`],
    ['nested messages', `${'Content-Type: message/rfc822\n\n'.repeat(10_000)}x`],
    ['one endless line', 'x'.repeat(MEGABYTE)],
    ['one endless header', `Subject: ${'x'.repeat(MEGABYTE)}\n\nx`],
    ['endlessly folded', `Subject: x\n${' x\n'.repeat(300_000)}\nx`],
    ['endless headers', `${'X: y\n'.repeat(200_000)}\nx`],
    ['endless white space', `Content-Type: text/plain${' '.repeat(MEGABYTE)}\n\n${' '.repeat(MEGABYTE)}`],
    ['endless parameters', `Content-Type: multipart/mixed${'; a="b'.repeat(150_000)}\n\nx`],
    ['endless backslashes', `Content-Type: multipart/mixed; boundary="${'\\'.repeat(MEGABYTE)}\n\nx`],
    ['endless tags', `Content-Type: text/html\n\n<p>${'<a '.repeat(300_000)}`],
    ['endless encoded words', `From: mailer-daemon\nSubject: ${'=?utf-8?q?'.repeat(100_000)}\n\nx`],
    ['endless groups', `From: mailer-daemon\n\n${'Action: failed\nStatus: 5\n\n'.repeat(40_000)}`],
    ['endless replies', `From: mailer-daemon\n\n${'said: '.repeat(150_000)}`],
    ['endless equals signs', `Content-Transfer-Encoding: quoted-printable\n\n${'= '.repeat(500_000)}`],
    ['endless commas', `From: mailer-daemon\n\n${'user '.repeat(200_000)}`],
  ])(
    'is bounded: %s',
    (_name, mail) => {
      const content = readMime(Buffer.from(mail));
      expect(leaves(content).length).toBeLessThanOrEqual(100);
      expect(depthOf(content)).toBeLessThanOrEqual(9);
      readBounce(content, true);
      readFeedbackReport(content);
    },
    20_000,
  );

  it('keeps the beginning of a header, folded or not', () => {
    for (const lines of [
      'a'.repeat(MEGABYTE),
      `a\n ${'a'.repeat(MEGABYTE)}`,
      `a\n${' a\n'.repeat(9000)} end`,
    ]) {
      const { headers } = readMime(Buffer.from(`Subject: ${lines}\n\nText`));
      expect(headers[0]?.value.length).toBe(headers[0]?.value.startsWith('aa') ? 16_375 : 16_384);
    }
  });

  it('does not look into a mail that is enclosed', () => {
    const enclosed =
      'Content-Type: message/delivery-status\n\nFinal-Recipient: x\nAction: failed\nStatus: 5.1.1\n';
    const mail = `From: mailer-daemon\nContent-Type: multipart/report; boundary=b\n\n--b\n\nHello.\n--b\nContent-Type: message/rfc822\n\n${enclosed}--b--\n`;
    expect(read(mail)).toEqual({ kind: 'none', reason: 'not_a_report' });
  });
});

function nested(levels: number): string {
  let mail = '';
  for (let level = 0; level < levels; level++) {
    mail += `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`;
  }
  return mail;
}

function depthOf({ parts }: MimePart): number {
  return 1 + Math.max(0, ...parts.map(depthOf));
}
