import { ApiError } from '../domain/errors.ts';
import { resolvePeriod } from '../domain/periods.ts';
import type { Clock } from '../domain/time.ts';
import { ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** The operations of the tag Statistics. */
export function statisticsHandlers({ clock }: { clock: Clock }): HandlersOf<'Statistics'> {
  return {
    getStats: async ({ query, caller }) => {
      const period = resolvePeriod(query, clock);
      const statistics = await caller.store.statistics.read(period, breakdownOf(query));
      return ok({ period_from: period.from, period_to: period.to, ...statistics });
    },
  };
}

/** What is asked for beside the sums. Throws VALIDATION_ERROR for both breakdowns at once. */
export function breakdownOf(query: {
  all_accounts?: 0 | 1;
  all_domains?: 0 | 1;
}): 'accounts' | 'domains' | undefined {
  if (query.all_accounts === 1 && query.all_domains === 1) throw twoBreakdowns();
  if (query.all_accounts === 1) return 'accounts';
  return query.all_domains === 1 ? 'domains' : undefined;
}

function twoBreakdowns(): ApiError {
  const description = 'ask for a breakdown by accounts or by domains, not for both';
  return new ApiError('VALIDATION_ERROR', description, [
    { field: 'all_domains', value: 1, errors: [{ code: 'CONFLICT', description }] },
  ]);
}
