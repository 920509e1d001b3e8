import { optionalPeriod } from '../domain/periods.ts';
import type { Clock } from '../domain/time.ts';
import { created, given, listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** The operations of the tag Suppressions. */
export function suppressionHandlers({ clock }: { clock: Clock }): HandlersOf<'Suppressions'> {
  return {
    createSuppression: async ({ body, caller }) =>
      created(await caller.store.suppressions.create({ ...body, reason: given(body.reason) })),

    getSuppression: async ({ path, caller }) => ok(await caller.store.suppressions.get(path.suppression_id)),

    deleteSuppression: async ({ path, caller }) =>
      ok(await caller.store.suppressions.delete(path.suppression_id)),

    listSuppressions: async ({ query, caller }) => {
      const filter = {
        period: optionalPeriod(query, clock),
        account_ids: query['account_ids[]'],
        types: query['types[]'],
        recipient_email: query.recipient_email,
        message_id: query.message_id,
        message_custom_id: query.message_custom_id,
        reason: query.reason,
      };
      return listed(await caller.store.suppressions.list(filter, query), query);
    },
  };
}
