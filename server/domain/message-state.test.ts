import { describe, expect, it } from 'vitest';
import type { MessageEvent } from './events.ts';
import { acceptedState, applyEvent, type MessageState } from './message-state.ts';

const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}.000000+00:00`;
const smtp = { smtpResponse: '250 ok', smtpLogId: 'log' };
const visit = { userAgent: 'Mail', userIp: '192.0.2.1', automated: false };
const base = { eventId: 'event', messageId: 'message' };

function stateAfter(...events: MessageEvent[]): MessageState {
  return events.reduce((state, event) => applyEvent(state, event).state, acceptedState(at(0)));
}

describe('applyEvent', () => {
  it('follows the last outcome of the delivery', () => {
    const soft: MessageEvent = { ...base, ...smtp, type: 'soft_bounce', receivedAt: at(1) };
    const delivered: MessageEvent = { ...base, ...smtp, type: 'delivery', receivedAt: at(2) };
    expect(stateAfter(soft).delivery_status).toBe('soft_bounce');
    expect(stateAfter(soft, delivered)).toMatchObject({ delivery_status: 'delivery', updated_at: at(2) });
    expect(stateAfter(soft, delivered).event_mask).toBe(0b1011);
  });

  it('never calls a message delivered that bounced for good', () => {
    const hard: MessageEvent = { ...base, ...smtp, type: 'hard_bounce', receivedAt: at(1) };
    const delivered: MessageEvent = { ...base, ...smtp, type: 'delivery', receivedAt: at(2) };
    expect(stateAfter(hard, delivered).delivery_status).toBe('hard_bounce');
    expect(stateAfter(delivered, hard).delivery_status).toBe('hard_bounce');
  });

  it('keeps the earliest moment when reports arrive in another order', () => {
    const late: MessageEvent = { ...base, ...visit, type: 'open', receivedAt: at(9) };
    const early: MessageEvent = { ...base, ...visit, type: 'open', receivedAt: at(3) };
    expect(stateAfter(late, early)).toMatchObject({ opened_at: at(3), updated_at: at(9) });
  });

  it('counts only the first visit of a person as unique', () => {
    const bot: MessageEvent = { ...base, ...visit, automated: true, type: 'open', receivedAt: at(1) };
    const person: MessageEvent = { ...base, ...visit, type: 'open', receivedAt: at(2) };
    const afterBot = applyEvent(acceptedState(at(0)), bot);
    expect(afterBot).toMatchObject({ isUnique: false, state: { opened_at: null } });
    const afterPerson = applyEvent(afterBot.state, person);
    expect(afterPerson).toMatchObject({ isUnique: true, state: { opened_at: at(2) } });
    expect(applyEvent(afterPerson.state, person).isUnique).toBe(false);
  });

  it('notes complaints and unsubscriptions', () => {
    const complaint: MessageEvent = { ...base, type: 'spam_complaint', receivedAt: at(4) };
    const unsubscribe: MessageEvent = { ...base, type: 'unsubscribe', listId: 'news', receivedAt: at(5) };
    expect(stateAfter(complaint, unsubscribe)).toMatchObject({
      spam_complaint_at: at(4),
      unsubscribed_at: at(5),
      delivery_status: 'new',
    });
  });
});
