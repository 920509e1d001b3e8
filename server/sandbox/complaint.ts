import { randomUUID } from 'node:crypto';
import type { Transport } from '../delivery/mail.ts';
import { feedbackAddressOf } from '../inbound/addresses.ts';
import type { CapturedMail } from '../store/delivery-rows.ts';

const PROVIDER = 'complaints@simulator.test';

/**
 * Complains about a mail as a mailbox provider does when its user calls it spam: sends a feedback report (RFC 5965) with the mail in
 * it to the service's address for them. Rejects when the report was not taken.
 */
export async function complainAbout(
  mail: CapturedMail,
  { transport, mailHostname }: { transport: Pick<Transport, 'send'>; mailHostname: string },
): Promise<void> {
  const recipient = feedbackAddressOf(mailHostname);
  const raw = feedbackReport(mail, recipient);
  const { verdict, response } = await transport.send({
    mailFrom: PROVIDER,
    recipient,
    raw,
    headersNeedUtf8: false,
  });
  if (verdict.event !== 'delivery') throw new Error(`The feedback report was not taken: ${response}`);
}

function feedbackReport({ from, to, raw }: CapturedMail, recipient: string): Buffer {
  const boundary = `report-${randomUUID()}`;
  const head = [
    `From: <${PROVIDER}>`,
    `To: <${recipient}>`,
    'Subject: A user of the simulator calls this mail spam',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=feedback-report; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is an abuse report for the mail below.',
    `--${boundary}`,
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: sendspec-simulator/1',
    'Version: 1',
    `Original-Mail-From: <${from}>`,
    ...to.map((address) => `Original-Rcpt-To: <${address}>`),
    '',
    `--${boundary}`,
    'Content-Type: message/rfc822',
    '',
    `Return-Path: <${from}>`,
    '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), raw, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
