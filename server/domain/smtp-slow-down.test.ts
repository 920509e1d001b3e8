import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SMTP_REPLIES } from './smtp-replies.ts';
import { asksToSlowDown } from './smtp-slow-down.ts';
import type { SmtpStage } from './smtp-verdict.ts';

const asks = (stage: SmtpStage, reply: string) =>
  asksToSlowDown({ code: Number(reply.slice(0, 3)), text: reply, stage });

/** Of the replies in the table, those that are about our pace. */
const ABOUT_PACE = [
  'Gmail, rate',
  'Yahoo, deferred',
  'Office 365, throttled',
  'Exchange',
  'Shutting down',
  'Too many connections',
];

describe('a reply', () => {
  it('asks to slow down, or it does not: every reply of the table', () => {
    const found = SMTP_REPLIES.filter(([, stage, reply]) => asks(stage, reply)).map(([system]) => system);
    expect([...new Set(found)]).toEqual(ABOUT_PACE);
  });

  it.each<[SmtpStage, string]>([
    ['greeting', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred'],
    ['mail', '421 4.7.0 Too many messages from your host'],
    ['mail', '451 4.7.1 Sending rate exceeded, slow down'],
    [
      'message',
      '421-4.7.0 This message does not pass\n421-4.7.0 our limits, rate limit exceeded.\n421 4.7.0 gsmtp',
    ],
    ['rcpt', '452 4.5.3 Too many recipients'],
    ['message', '450 4.7.1 You are sending too fast'],
    ['message', '421 4.7.0 Connection closed'],
    ['ehlo', '450 4.3.2 Not now'],
  ])('asks to slow down at %s: %s', (stage, reply) => expect(asks(stage, reply)).toBe(true));

  it.each<[SmtpStage, string]>([
    ['rcpt', '450 4.2.0 Greylisted, try again in 5 minutes'],
    ['rcpt', '451 4.7.1 Greylisting in action, please come back later'],
    ['rcpt', '452 4.2.2 The recipient’s inbox is out of storage space'],
    [
      'rcpt',
      '450-4.2.1 The user you are trying to contact is receiving mail at a rate that\n450 4.2.1 prevents',
    ],
    ['rcpt', '450 4.1.8 Sender address rejected: Domain not found'],
    ['message', '451 4.3.0 Temporary failure'],
    ['message', '554 5.7.1 Too many messages: rate limit exceeded'],
    ['message', '250 2.0.0 Ok, too many friends'],
    ['auth', '454 4.7.0 Too many login attempts'],
  ])('only asks for this message to come later at %s: %s', (stage, reply) =>
    expect(asks(stage, reply)).toBe(false),
  );

  it('is read without a fault, and quickly, whatever it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1, max: 1000 }), fc.string({ unit: 'binary' }), (code, text) => {
        if (asksToSlowDown({ code, text, stage: 'rcpt' })) expect(Math.floor(code / 100)).toBe(4);
      }),
    );
    expect(asks('rcpt', `450 ${'exceeds the exceeded '.repeat(100_000)}`)).toBe(false);
  });
});
