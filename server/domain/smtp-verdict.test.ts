import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SMTP_REPLIES, SMTP_REPLIES_VERSION, VERDICT_BY_OUTCOME } from './smtp-replies.ts';
import { parseEnhancedStatus, type SmtpStage, verdictOfFault, verdictOfReply } from './smtp-verdict.ts';

describe(`the table of replies, version ${SMTP_REPLIES_VERSION}`, () => {
  it('is large', () => expect(SMTP_REPLIES.length).toBeGreaterThanOrEqual(60));

  it.each(SMTP_REPLIES)('%s (%s): %s', (_system, stage, reply, outcome) => {
    expect(verdictOfReply({ code: Number(reply.slice(0, 3)), text: reply, stage })).toEqual(
      VERDICT_BY_OUTCOME[outcome],
    );
  });

  it('judges the text the same with and without the code before it', () => {
    for (const [, stage, reply] of SMTP_REPLIES) {
      const code = Number(reply.slice(0, 3));
      expect(verdictOfReply({ code, text: reply.slice(4), stage })).toEqual(
        verdictOfReply({ code, text: reply, stage }),
      );
    }
  });
});

const stages: SmtpStage[] = [
  'connect',
  'greeting',
  'ehlo',
  'starttls',
  'auth',
  'mail',
  'rcpt',
  'data',
  'message',
];
const replyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.stringMatching(/^[0-9. #()-]{0,40}$/),
  fc
    .tuple(fc.stringMatching(/^[245]\.\d{1,4}\.\d{1,4}$/), fc.string())
    .map(([status, text]) => `${status} ${text}`),
);

describe('any reply at all', () => {
  it('has exactly one verdict, and only a permanent refusal of the recipient is a hard bounce', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1, max: 1000 }),
        replyText,
        fc.constantFrom(...stages),
        (code, text, stage) => {
          const verdict = verdictOfReply({ code, text, stage });
          if (verdict.event === 'delivery') expect([stage, Math.floor(code / 100)]).toEqual(['message', 2]);
          if (verdict.event === 'hard_bounce') {
            expect(Math.floor(code / 100)).toBe(5);
            expect(['rcpt', 'data', 'message']).toContain(stage);
          }
          if (verdict.retry) expect(verdict.event).toBe('soft_bounce');
          if (Math.floor(code / 100) === 4) expect(verdict.retry).toBe(true);
        },
      ),
    );
  });

  it('gives an enhanced status in its ranges or none', () => {
    fc.assert(
      fc.property(replyText, (text) => {
        const status = parseEnhancedStatus(text);
        if (status === undefined) return;
        expect([2, 4, 5]).toContain(status.class);
        expect(status.subject).toBeGreaterThanOrEqual(0);
        expect(status.subject).toBeLessThanOrEqual(999);
        expect(status.detail).toBeGreaterThanOrEqual(0);
        expect(status.detail).toBeLessThanOrEqual(999);
      }),
    );
  });

  it('reads back every status that RFC 3463 allows', () => {
    const part = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(fc.constantFrom(2, 4, 5), part, part, (statusClass, subject, detail) => {
        const expected = { class: statusClass, subject, detail };
        const status = `${statusClass}.${subject}.${detail}`;
        for (const text of [
          status,
          `${status} text`,
          `550 ${status} text`,
          `550-${status} a\n550 b`,
          `550 no (#${status})`,
        ]) {
          expect(parseEnhancedStatus(text)).toEqual(expected);
        }
      }),
    );
  });

  it.each([
    '',
    '5',
    '5.1',
    '5.1.',
    '.1.1',
    '5.1.1.1',
    '5.01.1',
    '5.1.1000',
    '3.1.1',
    '5.-1.1',
    '55.1.1',
    '5.1.x',
    'x 5.1.1',
    '٥.١.١',
  ])('finds no status in %j', (text) => expect(parseEnhancedStatus(text)).toBeUndefined());

  it('is judged quickly however long and repetitive it is', () => {
    const text = `550 ${'user '.repeat(200_000)}`;
    expect(verdictOfReply({ code: 550, text, stage: 'rcpt' })).toEqual(VERDICT_BY_OUTCOME.refused);
  });
});

describe('faults without a reply', () => {
  it.each([
    ['4.4.1', 'try again'],
    ['4.4.3', 'try again'],
    ['5.1.2', 'unknown recipient'],
    ['5.1.10', 'unknown recipient'],
    ['5.4.4', 'refused'],
    ['5.6.7', 'refused'],
    ['5.3.4', 'refused'],
  ] as const)('%s: %s', (status, outcome) =>
    expect(verdictOfFault(status)).toEqual(VERDICT_BY_OUTCOME[outcome]),
  );
});
