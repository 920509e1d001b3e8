import type { RecordedEvents } from '../store/events.ts';
import type { SystemStore } from '../store/store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

/**
 * The same store, which wakes the dispatcher of this process when something became due: notifications were written, or somebody asked for
 * a test, a replay, or a webhook to be enabled. The dispatchers of other processes look several times a second (DECISIONS,
 * operation-wake).
 */
export function withWake(store: SystemStore, wake: () => void): SystemStore {
  const { delivery } = store;
  const told = (recorded: RecordedEvents) => {
    if (recorded.notifications > 0) wake();
    return recorded;
  };
  return {
    ...store,
    delivery: {
      ...delivery,
      record: async (records) => told(await delivery.record(records)),
      recordEvents: async (events) => told(await delivery.recordEvents(events)),
    },
    forOrganisation(id) {
      const organisation = store.forOrganisation(id);
      return { ...organisation, webhooks: wakingWebhooks(organisation.webhooks, wake) };
    },
  };
}

function wakingWebhooks(webhooks: WebhookStore, wake: () => void): WebhookStore {
  const thenWake = async <Result>(done: Promise<Result>) => {
    const result = await done;
    wake();
    return result;
  };
  return {
    ...webhooks,
    update: (...request) => thenWake(webhooks.update(...request)),
    test: (...request) => thenWake(webhooks.test(...request)),
    replay: (...request) => thenWake(webhooks.replay(...request)),
  };
}
