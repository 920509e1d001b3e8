import type { InboundOutcome } from './inbound.ts';

// Mails in the forms in which mail systems send them, to example addresses, and what each is to be taken for. Line ends become CRLF.

/** Raised whenever a row is added or its outcome changes, so that a change of judgement is seen in review. */
export const FIXTURE_MAILS_VERSION = 1;

/** A mail that comes to a return path. */
export interface BounceFixture {
  system: string;
  mail: string;
  outcome: InboundOutcome;
  /** A part of the response that is kept; for bounces. */
  response?: string;
  /** Its envelope sender, where it is not the null sender. */
  from?: string;
}

interface StandardReport {
  from: string;
  subject: string;
  human: string;
  /** The fields of the report as a whole. */
  message: string;
  /** The fields of each recipient. */
  recipients: readonly string[];
  returned?: string;
}

const ORIGINAL = `Return-Path: <b-x@cs-bounces.demo.test>
From: Demo <hello@demo.test>
To: ann@example.com
Subject: 550 5.1.1 is not what this mail is about
Message-Id: <original@demo.test>

Action: failed
Status: 5.1.1
`;

/** A report as RFC 3464 wants it. */
function report({ from, subject, human, message, recipients, returned = ORIGINAL }: StandardReport): string {
  return `From: ${from}
To: b-x@cs-bounces.demo.test
Subject: ${subject}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="=_report_1"

This is a MIME-encapsulated message.

--=_report_1
Content-Type: text/plain; charset=us-ascii

${human}
--=_report_1
Content-Description: Delivery report
Content-Type: message/delivery-status

${[message, ...recipients].join('\n\n')}

--=_report_1
Content-Description: Undelivered Message
Content-Type: message/rfc822

${returned}
--=_report_1--
`;
}

const POSTFIX = {
  from: 'MAILER-DAEMON@mx.example.com (Mail Delivery System)',
  subject: 'Undelivered Mail Returned to Sender',
  human:
    'I am sorry to have to inform you that your message could not\nbe delivered to one or more recipients.',
  message:
    'Reporting-MTA: dns; mx.example.com\nX-Postfix-Queue-ID: 4XyzQ12ABC\nX-Postfix-Sender: rfc822; b-x@cs-bounces.demo.test\nArrival-Date: Fri, 20 Nov 2026 10:00:00 +0000 (UTC)',
};

export const BOUNCE_FIXTURES: readonly BounceFixture[] = [
  {
    system: 'Postfix, unknown user at the next server',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nOriginal-Recipient: rfc822;ann@example.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; store.example.com\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.com>: Recipient address rejected:\n    User unknown in virtual mailbox table',
      ],
    }),
    outcome: 'hard_bounce',
    response:
      '550 5.1.1 <ann@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    system: 'Postfix, unknown user of its own',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: X-Postfix; unknown user: "ann"',
      ],
    }),
    outcome: 'hard_bounce',
    response: '5.1.1 unknown user: "ann"',
  },
  {
    system: 'Postfix, gave up after five days',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nAction: failed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; connect to store.example.com[192.0.2.9]:25:\n    Connection timed out',
      ],
    }),
    outcome: 'soft_bounce',
    response: '4.4.1 connect to store.example.com',
  },
  {
    system: 'Postfix, delayed',
    mail: report({
      ...POSTFIX,
      subject: 'Delayed Mail (still being retried)',
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; Connection timed out\nWill-Retry-Until: Wed, 25 Nov 2026 10:00:00 +0000 (UTC)',
      ],
    }),
    outcome: 'not_final',
  },
  {
    system: 'Postfix, delivered (somebody asked for it)',
    mail: report({
      ...POSTFIX,
      subject: 'Successful Mail Delivery Report',
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nAction: delivered\nStatus: 2.0.0\nDiagnostic-Code: X-Postfix; delivery via dovecot service',
      ],
    }),
    outcome: 'not_final',
  },
  {
    system: 'Exim 4.9x, with a report',
    mail: `X-Failed-Recipients: ann@example.com
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.com>
To: b-x@cs-bounces.demo.test
Content-Type: multipart/report; report-type=delivery-status; boundary=1767225600-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1767225600-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error.

  ann@example.com
    host store.example.com [192.0.2.9]
    SMTP error from remote mail server after RCPT TO:<ann@example.com>:
    550 No such user here
--1767225600-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Action: failed
Final-Recipient: rfc822;ann@example.com
Status: 5.0.0
Remote-MTA: dns; store.example.com
Diagnostic-Code: smtp; 550 No such user here

--1767225600-eximdsn-1804289383
Content-type: message/rfc822

${ORIGINAL}
--1767225600-eximdsn-1804289383--
`,
    outcome: 'hard_bounce',
    response: '550 No such user here',
  },
  {
    system: 'Exim 3, in words',
    mail: `X-Failed-Recipients: ann@example.com
From: Mail Delivery System <Mailer-Daemon@mx.example.com>
To: b-x@cs-bounces.demo.test
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software (Exim).

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.com:
    unrouteable address

------ This is a copy of the message, including all the headers. ------

${ORIGINAL}`,
    outcome: 'hard_bounce',
    response: 'unrouteable address',
  },
  {
    system: 'Exim, a warning that it goes on trying',
    mail: `From: Mail Delivery System <Mailer-Daemon@mx.example.com>
Auto-Submitted: auto-replied
Subject: Warning: message 1tBcDe-0001Ab-2C delayed 24 hours

This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.example.com.

No action is required on your part. Delivery attempts will continue for
some time, and this warning may be repeated. The error was: 451 4.7.1 Try later
`,
    outcome: 'not_final',
  },
  {
    system: 'qmail',
    mail: `From: MAILER-DAEMON@mx.example.com
To: b-x@cs-bounces.demo.test
Subject: failure notice

Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

${ORIGINAL}`,
    outcome: 'hard_bounce',
    response: 'Sorry, no mailbox here by that name. (#5.1.1)',
  },
  {
    system: 'qmail, refused by the next server',
    mail: `From: MAILER-DAEMON@mx.example.com
Subject: failure notice

Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.

<ann@example.com>:
192.0.2.9 failed after I sent the message.
Remote host said: 552 5.2.2 Mailbox of ann is over quota

--- Below this line is a copy of the message.

${ORIGINAL}`,
    outcome: 'soft_bounce',
    response: '552 5.2.2 Mailbox of ann is over quota',
  },
  {
    system: 'Gmail',
    mail: report({
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
      subject: 'Delivery Status Notification (Failure)',
      human:
        "** Address not found **\n\nYour message wasn't delivered to ann@example.com because the address couldn't be found.",
      message:
        'Reporting-MTA: dns; googlemail.example\nArrival-Date: Fri, 20 Nov 2026 02:00:00 -0800 (PST)\nX-Original-Message-ID: <original@demo.test>',
      recipients: [
        "Final-Recipient: rfc822; ann@example.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; aspmx.example. (192.0.2.27, the server for the domain example.com.)\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces. 5b1f17b1804b1 - gsmtp\nLast-Attempt-Date: Fri, 20 Nov 2026 02:00:01 -0800 (PST)",
      ],
    }),
    outcome: 'hard_bounce',
    response: '550-5.1.1 The email account',
  },
  {
    system: 'Exchange Online, localized, HTML and a report',
    mail: `From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com>
To: b-x@cs-bounces.demo.test
Subject: =?utf-8?B?VW56dXN0ZWxsYmFyOiBOZXVpZ2tlaXRlbg==?=
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="d0a1f0ac-5f5b-4b8a-9a6d-000000000001"

--d0a1f0ac-5f5b-4b8a-9a6d-000000000001
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="d0a1f0ac-5f5b-4b8a-9a6d-000000000002"

--d0a1f0ac-5f5b-4b8a-9a6d-000000000002
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: quoted-printable

Ihre Nachricht an ann@example.com konnte nicht zugestellt werden.

--d0a1f0ac-5f5b-4b8a-9a6d-000000000002
Content-Type: text/html; charset="utf-8"
Content-Transfer-Encoding: base64

PGh0bWw+PGJvZHk+SWhyZSBOYWNocmljaHQga29ubnRlIG5pY2h0IHp1Z2VzdGVsbHQgd2VyZGVuLjwvYm9keT48L2h0bWw+

--d0a1f0ac-5f5b-4b8a-9a6d-000000000002--

--d0a1f0ac-5f5b-4b8a-9a6d-000000000001
Content-Type: message/delivery-status

Reporting-MTA: dns;DB9PR01MB0001.eurprd01.prod.exchangelabs.example
Received-From-MTA: dns;DB9PR01MB0002.eurprd01.prod.exchangelabs.example
Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822;ann@example.com
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.com not found by SMTP address lookup

--d0a1f0ac-5f5b-4b8a-9a6d-000000000001
Content-Type: text/rfc822-headers

From: Demo <hello@demo.test>

--d0a1f0ac-5f5b-4b8a-9a6d-000000000001--
`,
    outcome: 'hard_bounce',
    response: '550 5.1.10 RESOLVER.ADR.RecipientNotFound',
  },
  {
    system: 'Exchange Online, policy',
    mail: report({
      from: 'postmaster@example.com',
      subject: 'Undeliverable: News',
      human: 'Your message to ann@example.com was blocked.',
      message: 'Reporting-MTA: dns;DB9PR01MB0001.exchangelabs.example',
      recipients: [
        'Final-Recipient: rfc822;ann@example.com\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp;550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
      ],
    }),
    outcome: 'soft_bounce',
    response: 'organization policy',
  },
  {
    system: 'Exchange 2003, no diagnostic',
    mail: report({
      from: 'postmaster@example.com',
      subject: 'Delivery Status Notification (Failure)',
      human: 'Delivery to the following recipients failed.\n\n       ann@example.com',
      message: 'Reporting-MTA: dns;mail.example.com',
      recipients: [
        'Final-Recipient: rfc822;ann@example.com\nAction: failed\nStatus: 5.1.1\nX-Display-Name: Ann',
      ],
    }),
    outcome: 'hard_bounce',
    response: '5.1.1',
  },
  {
    system: 'Sendmail, which calls every 550 a 5.1.1',
    mail: report({
      from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.example.com>',
      subject: 'Returned mail: see transcript for details',
      human: '   ----- The following addresses had permanent fatal errors -----\n<ann@example.com>',
      message: 'Reporting-MTA: dns; mx.example.com\nReceived-From-MTA: DNS; out.demo.test',
      recipients: [
        'Final-Recipient: RFC822; ann@example.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: DNS; store.example.com\nDiagnostic-Code: SMTP; 550 Message content rejected as spam\nLast-Attempt-Date: Fri, 20 Nov 2026 10:00:00 GMT',
      ],
    }),
    outcome: 'soft_bounce',
    response: '550 Message content rejected as spam',
  },
  {
    system: 'Yahoo, in words',
    mail: `From: MAILER-DAEMON@mx.example.com
To: b-x@cs-bounces.demo.test
Subject: Failure Notice

Sorry, we were unable to deliver your message to the following address.

<ann@example.com>:
554: delivery error: dd Not a valid recipient - mta1.mail.example.com

--- Below this line is a copy of the message.

${ORIGINAL}`,
    outcome: 'soft_bounce',
    response: 'delivery error: dd Not a valid recipient',
  },
  {
    system: 'IBM Domino',
    mail: report({
      from: 'Mail Router <mailrouter@example.com>',
      subject: 'DELIVERY FAILURE: User ann (ann@example.com) not listed in Domino Directory',
      human: 'Your message\n\n  Subject: News\n\nwas not delivered to:\n\n  ann@example.com',
      message: 'Reporting-MTA: dns;domino.example.com',
      recipients: [
        'Final-Recipient: rfc822;ann@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: X-Notes; User ann (ann@example.com) not listed in Domino D\n irectory',
      ],
    }),
    outcome: 'hard_bounce',
    response: 'not listed in Domino',
  },
  {
    system: 'an appliance that calls its report plain mail, in base64',
    mail: `From: postmaster@example.com
Subject: Undeliverable
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=frontier

--frontier
Content-Type: text/plain
Content-Transfer-Encoding: base64

${Buffer.from('Reporting-MTA: dns; gate.example.com\r\n\r\nFinal-Recipient: rfc822; ann@example.com\r\nAction: failed\r\nStatus: 5.1.1 (bad destination mailbox address)\r\n').toString('base64')}
--frontier--
`,
    outcome: 'hard_bounce',
    response: '5.1.1',
  },
  {
    system: 'a server that forgets to say its boundary',
    mail: `From: Mail Delivery System <MAILER-DAEMON@mx.example.com>
Subject: Undelivered Mail
Content-Type: multipart/report; report-type=delivery-status

--XX.1
Content-Type: text/plain

It did not work.
--XX.1
Content-Type: message/delivery-status

Final-Recipient: rfc822; ann@example.com
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 Over quota
--XX.1--
`,
    outcome: 'soft_bounce',
    response: '552 5.2.2 Over quota',
  },
  {
    system: 'a server that writes garbage into Status',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nAction: FAILED (permanent)\nStatus: 5.999999.banana\nDiagnostic-Code: smtp; 550 5.1.1.1.1 huh \u00ff\u0001 User unknown',
      ],
    }),
    outcome: 'hard_bounce',
    response: 'User unknown',
  },
  {
    system: 'a server that says what failed and not why',
    mail: report({ ...POSTFIX, recipients: ['Final-Recipient: rfc822; ann@example.com\nAction: failed'] }),
    outcome: 'soft_bounce',
    response: 'The report gives no reason',
  },
  {
    system: 'a list that expanded the address: one of two is unknown',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: rfc822; bob@example.net\nAction: relayed\nStatus: 2.0.0',
        'Final-Recipient: rfc822; old@example.net\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user',
      ],
    }),
    outcome: 'soft_bounce',
    response: '550 5.1.1 No such user',
  },
  {
    system: 'a forwarding address whose target is unknown',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Original-Recipient: rfc822; ann@example.com\nFinal-Recipient: rfc822; ann@new.example.net\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <ann@new.example.net> does not exist',
      ],
    }),
    outcome: 'hard_bounce',
    response: 'ann@new.example.net',
  },
  {
    system: 'a report in UTF-8 (RFC 6533)',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: utf-8; j\u00f8rgen@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <j\u00f8rgen@example.com> ukjent',
      ],
    }).replace('message/delivery-status', 'message/global-delivery-status'),
    outcome: 'hard_bounce',
    response: '<j\u00f8rgen@example.com> ukjent',
  },
  {
    system: 'a French provider, in words and without a code',
    mail: `From: MAILER-DAEMON@mx.example.com
Subject: =?iso-8859-1?Q?=C9chec_de_la_remise?=
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Votre message n'a pas pu =EAtre remis : adresse refus=E9e.
`,
    outcome: 'soft_bounce',
    response: 'chec de la remise',
  },
  {
    system: 'an HTML-only bounce',
    mail: `From: "Mail Administrator" <postmaster@example.com>
Subject: Mail System Error - Returned Mail
MIME-Version: 1.0
Content-Type: text/html

<html><body><p>This Message was undeliverable due to the following reason:</p>
<p>host store.example.com [192.0.2.9]: 550 &lt;ann@example.com&gt;... User unknown</p></body></html>
`,
    outcome: 'hard_bounce',
    response: '550 <ann@example.com>... User unknown',
  },
  {
    system: 'a bounce whose envelope sender is not empty',
    mail: report({
      ...POSTFIX,
      recipients: [
        'Final-Recipient: rfc822; ann@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 unknown',
      ],
    }),
    from: 'MAILER-DAEMON@mx.example.com',
    outcome: 'hard_bounce',
    response: '550 5.1.1 unknown',
  },
  {
    system: 'an out-of-office note',
    mail: `From: Ann <ann@example.com>
To: b-x@cs-bounces.demo.test
Subject: Automatic reply: News
Auto-Submitted: auto-replied
X-Auto-Response-Suppress: All

I am away until Monday. The error 550 5.1.1 User unknown has nothing to do with it.
`,
    outcome: 'automatic_reply',
  },
  {
    system: 'an out-of-office note of an old kind',
    mail: `From: Ann <ann@example.com>
Subject: Abwesend
X-Autoreply: yes
Precedence: bulk

Ich bin nicht da. Das Konto ist unter 550 Musterstadt zu finden.
`,
    outcome: 'automatic_reply',
  },
  {
    system: 'a person who answers to the wrong address',
    mail: `From: Ann <ann@example.com>
Subject: Re: News

Somebody told me: 550 5.1.1 User unknown. What is that?
`,
    from: 'ann@example.com',
    outcome: 'not_a_report',
  },
  { system: 'nothing at all', mail: '', outcome: 'not_a_report' },
];
