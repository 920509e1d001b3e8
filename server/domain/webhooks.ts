import type { components } from '../../generated/types.ts';
import type { MessageEvent } from './events.ts';

type Schemas = components['schemas'];

export type WebhookEvent = Schemas['WebhookEvent'];
export type WebhookStatus = Schemas['WebhookStatus'];
export type WebhookStatusChange = Schemas['WebhookStatusChange'];
export type WebhookDeliveryStatus = Schemas['WebhookDeliveryStatus'];
export type WebhookAttempt = Schemas['WebhookAttempt'];
export type WebhookPayload = Schemas['WebhookPayload'];

/** All events that are sent, in the order of the contract. */
export const WEBHOOK_EVENTS = [
  'message.delivery',
  'message.hard_bounce',
  'message.soft_bounce',
  'message.spam_complaint',
  'message.unsubscribe',
  'message.open',
  'message.click',
] as const satisfies readonly WebhookEvent[];

/** What a notification tells of its message. */
export interface NotifiedMessage {
  account_id: string;
  custom_id: string;
  from_email: string;
  message_id: string;
  recipient_email: string;
}

/** The body of the notification of an event; undefined for `new`, of which none is sent (DECISIONS, notifications-new). */
export function payloadOf(event: MessageEvent, message: NotifiedMessage): WebhookPayload | undefined {
  const { account_id, custom_id, from_email, message_id, recipient_email } = message;
  const common = {
    account_id,
    custom_id,
    from_email,
    message_id,
    received_at: event.receivedAt,
    recipient_email,
  };
  switch (event.type) {
    case 'new':
      return undefined;
    case 'delivery':
    case 'hard_bounce':
    case 'soft_bounce':
    case 'spam_complaint':
      return { ...common, event: `message.${event.type}` };
    case 'unsubscribe':
      return { ...common, event: 'message.unsubscribe', list_id: event.listId };
    case 'open':
      return { ...common, event: 'message.open', user_agent: event.userAgent, user_ip: event.userIp };
    case 'click':
      return {
        ...common,
        event: 'message.click',
        user_agent: event.userAgent,
        user_ip: event.userIp,
        tracking_url_destination: event.trackingUrlDestination,
      };
  }
}
