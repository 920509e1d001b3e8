import type { InboundOutcome } from './inbound.ts';

/** A mail to the address for feedback. `RETURN-PATH` and `LEAVE` stand for the signed addresses of a message, `OTHER` for one of another, `FORGED` for none. */
export interface ComplaintFixture {
  system: string;
  mail: string;
  outcome: InboundOutcome;
}

interface Arf {
  fields: string;
  original: string;
  originalType?: string;
}

/** A report as RFC 5965 wants it. */
function arf({ fields, original, originalType = 'message/rfc822' }: Arf): string {
  return `From: <complaints@provider.example>
To: <fbl@bounces.mail.sendspec.test>
Subject: FW: News
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
     boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP
192.0.2.1 on Fri, 20 Nov 2026 10:00:00 +0000.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

${fields}

--part1_13d.2e68ed54_boundary
Content-Type: ${originalType}
Content-Disposition: inline

${original}
--part1_13d.2e68ed54_boundary--
`;
}

const ABUSE = 'Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1';
const SIGNED_ORIGINAL =
  'Return-Path: <RETURN-PATH>\nFrom: <hello@demo.test>\nTo: <redacted>\nSubject: News\n\nHello.';
const UNSIGNED_ORIGINAL =
  'From: <hello@demo.test>\nTo: <ann@example.com>\nSubject: News\n\nHello. RETURN-PATH';

export const COMPLAINT_FIXTURES: readonly ComplaintFixture[] = [
  {
    system: 'abuse, by Return-Path',
    mail: arf({ fields: ABUSE, original: SIGNED_ORIGINAL }),
    outcome: 'spam_complaint',
  },
  {
    system: 'abuse, by Original-Mail-From',
    mail: arf({
      fields: `${ABUSE}\nOriginal-Mail-From: <RETURN-PATH>\nOriginal-Rcpt-To: <ann@example.com>`,
      original: UNSIGNED_ORIGINAL,
    }),
    outcome: 'spam_complaint',
  },
  {
    system: 'abuse, by List-Unsubscribe, headers only, in capitals',
    mail: arf({
      fields: ABUSE.replace('abuse', 'Abuse'),
      original:
        'FROM: <hello@demo.test>\nLIST-UNSUBSCRIBE: <https://links.sendspec.test/u/x>,\n <MAILTO:LEAVE>\n',
      originalType: 'text/rfc822-headers',
    }),
    outcome: 'spam_complaint',
  },
  {
    system: 'fraud',
    mail: arf({ fields: ABUSE.replace('abuse', 'fraud'), original: SIGNED_ORIGINAL }),
    outcome: 'spam_complaint',
  },
  {
    system: 'virus',
    mail: arf({ fields: ABUSE.replace('abuse', 'virus'), original: SIGNED_ORIGINAL }),
    outcome: 'spam_complaint',
  },
  {
    system: 'not spam after all',
    mail: arf({ fields: ABUSE.replace('abuse', 'not-spam'), original: SIGNED_ORIGINAL }),
    outcome: 'no_complaint',
  },
  {
    system: 'of a type that nobody knows',
    mail: arf({ fields: ABUSE.replace('abuse', 'constructor'), original: SIGNED_ORIGINAL }),
    outcome: 'no_complaint',
  },
  {
    system: 'without a signed address',
    mail: arf({ fields: ABUSE, original: UNSIGNED_ORIGINAL }),
    outcome: 'no_complaint',
  },
  {
    system: 'with a forged address',
    mail: arf({ fields: ABUSE, original: SIGNED_ORIGINAL.replace('RETURN-PATH', 'FORGED') }),
    outcome: 'no_complaint',
  },
  {
    system: 'two reports in one mail',
    mail: arf({
      fields: `${ABUSE}\n\n--part1_13d.2e68ed54_boundary\nContent-Type: message/feedback-report\n\n${ABUSE}`,
      original: SIGNED_ORIGINAL,
    }),
    outcome: 'no_complaint',
  },
  {
    system: 'about two messages',
    mail: arf({ fields: `${ABUSE}\nOriginal-Mail-From: <OTHER>`, original: SIGNED_ORIGINAL }),
    outcome: 'no_complaint',
  },
  {
    system: 'a mail of a person',
    mail: 'From: <ann@example.com>\nSubject: spam\n\nFeedback-Type: abuse\nRETURN-PATH\n',
    outcome: 'no_complaint',
  },
];
