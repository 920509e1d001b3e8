import type { Timestamp } from './time.ts';
import type { WebhookEvent, WebhookPayload } from './webhooks.ts';

/** What tells one test from another. */
export interface WebhookTestFacts {
  accountId: string;
  /** Of a message that does not exist. */
  messageId: string;
  now: Timestamp;
}

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Of a network that is for documentation only (RFC 5737, section 3). */
const USER_IP = '203.0.113.24';

/** The body of a test of an event: complete and of the contract's form, about nothing that has happened. */
export function testPayload(
  event: WebhookEvent,
  { accountId, messageId, now }: WebhookTestFacts,
): WebhookPayload {
  const common = {
    account_id: accountId,
    custom_id: 'test',
    from_email: 'sender@example.com',
    message_id: messageId,
    received_at: now,
    recipient_email: 'recipient@example.com',
  };
  switch (event) {
    case 'message.delivery':
    case 'message.hard_bounce':
    case 'message.soft_bounce':
    case 'message.spam_complaint':
      return { ...common, event };
    case 'message.unsubscribe':
      return { ...common, event, list_id: 'list.example.com' };
    case 'message.open':
      return { ...common, event, user_agent: USER_AGENT, user_ip: USER_IP };
    case 'message.click':
      return {
        ...common,
        event,
        user_agent: USER_AGENT,
        user_ip: USER_IP,
        tracking_url_destination: 'https://www.example.com/',
      };
  }
}
