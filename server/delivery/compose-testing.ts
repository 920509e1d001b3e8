import { type AddressObject, simpleParser } from 'mailparser';
import type { OutgoingMessage } from '../store/delivery-rows.ts';
import { compose } from './compose.ts';

// For tests of composing: a message, and what a mail reader finds in its mail.

export const IDENTITY = {
  key: 'a key of the test',
  webUrl: 'https://links.sendspec.test',
  mailHostname: 'mail.sendspec.test',
};
export const ID = '0198c5d0-1111-7222-8333-444455556666';

/** A message with HTML and text, and nothing that is optional. */
export function message(change: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    messageId: ID,
    accountId: ID,
    domainId: ID,
    trackOpens: false,
    trackClicks: false,
    acceptedAt: '2026-03-01T10:20:30.123456+00:00',
    attempts: 0,
    from: { email: 'hello@demo.test', name: 'Demo Shop' },
    to: { email: 'ann@example.com', name: 'Ann' },
    replyTo: [],
    subject: 'Your order',
    html: '<p>Thanks</p>',
    text: 'Thanks',
    customId: '',
    listId: '',
    listUnsubscribe: null,
    domainName: 'demo.test',
    returnPathHostname: 'cs-bounces',
    dkimKeyId: ID,
    ...change,
  };
}

/** The mail of such a message: as it is sent, and as mailparser reads it. */
export async function parsed(change: Partial<OutgoingMessage>) {
  const mail = await compose(message(change), IDENTITY);
  return { mail, text: mail.raw.toString('latin1'), parsed: await simpleParser(mail.raw) };
}

export const addressesOf = (value: AddressObject | AddressObject[] | undefined) =>
  [value ?? []].flat().flatMap((object) => object.value.map(({ address, name }) => ({ address, name })));
