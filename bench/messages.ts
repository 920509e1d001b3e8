import type { AcceptableMessage } from '../server/store/rows.ts';

const PARAGRAPH = `<p>Thank you for your order. It left our warehouse today and will be with you within two working days.
The carrier will send you a link to follow it; if nobody is at home, a neighbour or the nearest shop will take it.</p>\n`;
const HTML = `<!doctype html><html><body><h1>Your order</h1>\n${PARAGRAPH.repeat(9)}</body></html>`;
const TEXT = HTML.replace(/<[^>]+>/g, '').slice(0, 700);

/** A mail of some 3 kB, as the body of a request has it. */
export function submittedMessage(fromEmail: string, number: number): object {
  return {
    from: { email: fromEmail, name: 'Order desk' },
    to: [{ email: recipientOf(number), name: 'A Customer' }],
    subject: `Your order ${number} is on its way`,
    body: { html: HTML, text: TEXT },
    custom_id: `order-${number}`,
    track_opens: true,
    track_clicks: true,
  };
}

/** The same mail as the store takes it. */
export function acceptableMessage(fromEmail: string, number: number): AcceptableMessage {
  return {
    from: { email: fromEmail, name: 'Order desk' },
    to: { email: recipientOf(number), name: 'A Customer' },
    subject: `Your order ${number} is on its way`,
    html: HTML,
    text: TEXT,
    customId: `order-${number}`,
    customIdUnique: false,
    trackOpens: true,
    trackClicks: true,
    listId: '',
    listUnsubscribe: null,
    replyTo: [],
  };
}

function recipientOf(number: number): string {
  return `customer-${number % 100_000}@example.com`;
}
