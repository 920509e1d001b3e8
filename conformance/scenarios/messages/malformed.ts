import type { Tester } from '../../suite/tester.ts';
import type { Search } from '../support/log.ts';
import { requireStatus } from '../support/refused.ts';

const NO_TIME = [
  'yesterday',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01T25:00:00Z',
];
const MALFORMED_ID = 'not-a-uuid';
const IDS = ['account_ids[]', 'domain_ids[]', 'message_id'];

/** Filters that say nothing are refused: 422, for ids 409 as well. */
export async function requireMalformedRefused(
  t: Tester,
  operation: Search,
  requirement: string,
): Promise<void> {
  for (const end of ['period_from', 'period_to'])
    for (const value of NO_TIME)
      requireStatus(
        t,
        requirement,
        await t.call(operation, { query: { [end]: value } }),
        422,
        `${end}=${value}`,
      );
  const event = await t.call(operation, { query: { 'events[]': ['new', 'bounced'] } });
  requireStatus(t, requirement, event, 422, 'events[]=bounced');
  for (const name of IDS) {
    const answer = await t.call(operation, { query: { [name]: MALFORMED_ID } });
    const isRefused = answer.status === 422 || answer.status === 409;
    t.require(
      requirement,
      isRefused,
      `expected 422 (or 409) for ${name}=${MALFORMED_ID}, got ${answer.status}`,
      answer,
    );
  }
}
