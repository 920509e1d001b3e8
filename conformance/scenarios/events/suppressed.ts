import type { QueryParameters } from '../../../generated/operations.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import type { LoggedMessage } from '../support/log.ts';
import type { Suppression } from '../support/made.ts';

const CAUSES = ['events.automatic-suppressions', 'events.suppresses', 'events.matching-suppression'];

/** What the list of suppressions shows for the filters. */
export async function suppressionsOf(
  t: Tester,
  query: QueryParameters<'listSuppressions'>,
): Promise<readonly Suppression[]> {
  return (await t.ok('listSuppressions', 200, { query })).data;
}

/** The event of this message has suppressed its recipient. */
export async function requireSuppressed(
  t: Tester,
  message: LoggedMessage,
  type: Suppression['type'],
): Promise<Suppression> {
  const { account_id, recipient_email, message_id, custom_id } = message;
  const query = { recipient_email, 'account_ids[]': [account_id] };
  const found = await t.poll(async () => (await suppressionsOf(t, query))[0]);
  if (found === undefined) t.fail(CAUSES, `after ${type}, ${recipient_email} is not suppressed`);
  t.require(
    [...CAUSES, 'suppressions.types'],
    found.type === type,
    `expected the type ${type}, got ${found.type}`,
  );
  const wrong = differences(found, { message_id, message_custom_id: custom_id });
  t.require('events.suppression-names-its-message', wrong === '', `in the suppression, ${wrong}`);
  return found;
}

/** Takes the suppression away again; what cannot be deleted stays. */
export async function unsuppressed(t: Tester, { suppression_id }: Suppression): Promise<void> {
  await t.call('deleteSuppression', { path: { suppression_id } });
}
