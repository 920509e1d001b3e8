import fc from 'fast-check';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, sameMembers, show } from '../support/compare.ts';
import { type Made, type Suppression, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { anyIndex, bury, type Known, step, stepOnAlive, stepOnAny, trySequences } from './model.ts';

type Model = Known<Suppression>;
interface Real {
  readonly t: Tester;
  readonly made: Made;
  readonly accounts: readonly string[];
  readonly addresses: readonly string[];
}

const ACCOUNTS = 2;
const ADDRESSES = 3;
const places = fc.nat({ max: ACCOUNTS - 1 });
const addresses = fc.nat({ max: ADDRESSES - 1 });

/** An address is suppressed once in an account, whatever other accounts do. */
const additions = fc.tuple(places, addresses).map(([place, which]) =>
  step<Model, Real>(`suppress address ${which} in account ${place}`, async ({ alive }, real) => {
    const { t, made, accounts } = real;
    const account_id = accounts[place] ?? '';
    const recipient_email = real.addresses[which] ?? '';
    const isThere = alive.some(
      (one) => one.account_id === account_id && one.recipient_email === recipient_email,
    );
    if (isThere) {
      const answer = await t.call('createSuppression', { body: { account_id, recipient_email } });
      requireStatus(t, 'suppressions.twice-409', answer, 409, 'an address that is suppressed already');
      return;
    }
    const created = await made.suppression({ account_id, recipient_email }, 'suppressions.list');
    const wrong = differences(created, { account_id, recipient_email });
    t.require('suppressions.list', wrong === '', `the suppression is another: ${wrong}`);
    alive.push(created);
  }),
);

const deletions = anyIndex.map((index) =>
  stepOnAlive<Suppression, Real>('delete', index, async (one, model, { t }) => {
    const path = { suppression_id: one.suppression_id };
    const { data } = await t.ok('deleteSuppression', 200, { path }, 'suppressions.delete-permanent');
    requireSame(t, data, one);
    bury(model, one);
  }),
);

const retrievals = anyIndex.map((index) =>
  stepOnAny<Suppression, Real>('retrieve', index, async (one, { alive }, { t }) => {
    const path = { suppression_id: one.suppression_id };
    if (alive.includes(one))
      requireSame(t, (await t.ok('getSuppression', 200, { path }, 'suppressions.list')).data, one);
    else requireStatus(t, 'suppressions.delete-permanent', await t.call('getSuppression', { path }), 409);
  }),
);

const lists = fc
  .tuple(fc.subarray([0, 1], { minLength: 1 }), fc.option(addresses, { nil: undefined }))
  .map(([chosen, which]) =>
    step<Model, Real>(`list accounts [${chosen}], address ${which ?? 'any'}`, async ({ alive }, real) => {
      const { t } = real;
      const accounts = chosen.flatMap((place) => real.accounts[place] ?? []);
      const address = which === undefined ? undefined : real.addresses[which];
      const isAsked = (one: Suppression) =>
        accounts.includes(one.account_id) && (address === undefined || one.recipient_email === address);
      const query = {
        'account_ids[]': accounts,
        limit: 30,
        ...(address === undefined ? {} : { recipient_email: address }),
      };
      const { data } = await t.ok('listSuppressions', 200, { query }, 'suppressions.list');
      const lines = (list: readonly Suppression[]) =>
        list.map(({ suppression_id, recipient_email }) => `${suppression_id} ${recipient_email}`);
      const [is, expected] = [lines(data), lines(alive.filter(isAsked))];
      const message = `${show(query)}: expected ${show(expected)}, got ${show(is)}`;
      t.require('suppressions.list', sameMembers(is, expected), message);
    }),
  );

function requireSame(t: Tester, shown: Suppression, expected: Suppression): void {
  const wrong = differences(shown, expected);
  t.require('suppressions.list', wrong === '', `a suppression is not as it was made: ${wrong}`);
}

export const suppressionSequences: Check = {
  id: 'sequences/suppressions',
  title: 'Suppressions that are made, deleted and listed in any order are as a model has them',
  run: (t: Tester) =>
    withMade(t, (made) =>
      trySequences<Model, Real>(t, {
        steps: [additions, deletions, retrievals, lists],
        async begin() {
          const own = await Promise.all(Array.from({ length: ACCOUNTS }, () => made.account()));
          const accounts = own.map(({ account_id }) => account_id);
          const addresses = Array.from({ length: ADDRESSES }, () => t.address());
          return { model: { alive: [], deleted: [] }, real: { t, made, accounts, addresses } };
        },
      }),
    ),
};
