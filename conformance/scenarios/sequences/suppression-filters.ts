import fc from 'fast-check';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { sameMembers, show } from '../support/compare.ts';
import { type Made, type Suppression, unknownId, withMade } from '../support/made.ts';
import type { Filters } from '../suppressions/suppression.ts';

const REASONS = ['alpha', 'beta', 'Gamma ray', ''];
const RUNS = 30;

function sometimes<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(values, { freq: 2 });
}

interface Pool {
  readonly accounts: readonly string[];
  readonly addresses: readonly string[];
  readonly all: readonly Suppression[];
}

/** What may stand in a request, each part or none. Indices are places in the pool. */
const requests = fc.record({
  accounts: fc.subarray([0, 1], { minLength: 1 }),
  address: sometimes(fc.record({ place: fc.nat({ max: 4 }), isShouted: fc.boolean() })),
  reason: sometimes(fc.constantFrom('alpha', 'beta', 'Gamma ray', 'a', 'MA R', 'delta')),
  types: sometimes(
    fc.subarray(['manual', 'hard_bounce', 'spam_complaint', 'unsubscribe'] as const, { minLength: 1 }),
  ),
  message: sometimes(sometimes(fc.constantFrom('message_id', 'message_custom_id'))),
});
type Request = typeof requests extends fc.Arbitrary<infer T> ? T : never;

export const suppressionFilters: Check = {
  id: 'sequences/suppression-filters',
  title: 'Any combination of filters finds the suppressions that each of them finds, and no other',
  run: (t: Tester) =>
    withMade(t, async (made) => {
      const pool = await fill(t, made);
      await t.property(requests, (request) => requireFound(t, pool, request), RUNS);
    }),
};

/** Two accounts; most addresses are suppressed in both of them, with different reasons. */
async function fill(t: Tester, made: Made): Promise<Pool> {
  const own = [await made.account(), await made.account()];
  const accounts = own.map(({ account_id }) => account_id);
  const addresses = Array.from({ length: 4 }, () => t.address('Filter'));
  const all = [];
  for (const [place, account_id] of accounts.entries())
    for (const [index, recipient_email] of addresses.slice(place).entries())
      all.push(await made.suppression({ account_id, recipient_email, reason: REASONS[index] ?? '' }));
  return { accounts, addresses, all };
}

async function requireFound(t: Tester, pool: Pool, request: Request): Promise<void> {
  const { accounts, address, reason, types, message } = request;
  const ids = accounts.flatMap((place) => pool.accounts[place] ?? []);
  const wanted = address === null ? undefined : (pool.addresses[address.place] ?? t.address());
  const query: Filters = {
    'account_ids[]': ids,
    limit: 30,
    ...(wanted === undefined ? {} : { recipient_email: address?.isShouted ? wanted.toUpperCase() : wanted }),
    ...(reason === null ? {} : { reason }),
    ...(types === null ? {} : { 'types[]': types }),
    ...(message === null ? {} : { [message]: unknownId() }),
  };
  const expected = pool.all.filter(
    (one) =>
      ids.includes(one.account_id) &&
      (wanted === undefined || one.recipient_email.toLowerCase() === wanted.toLowerCase()) &&
      (reason === null || one.reason.toLowerCase().includes(reason.toLowerCase())) &&
      (types === null || types.includes('manual')) &&
      message === null,
  );
  // Letter case and parts of a text are decided by the contract; the description alone says that there are these filters.
  const isPlain = address?.isShouted !== true && (reason === null || REASONS.includes(reason));
  const requirement = isPlain ? 'suppressions.filters' : 'conventions.filters-combine';
  const { data } = await t.ok('listSuppressions', 200, { query }, requirement);
  const lines = (list: readonly Suppression[]) =>
    list.map(
      ({ account_id, recipient_email, reason: why }) => `${recipient_email} in ${account_id} (${why})`,
    );
  const message_ = `${show(query)}: expected ${show(lines(expected))}, got ${show(lines(data))}`;
  t.require(requirement, sameMembers(lines(data), lines(expected)), message_);
}
