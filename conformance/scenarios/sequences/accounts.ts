import fc from 'fast-check';
import { enums } from '../../../generated/operations.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, sameMembers, show } from '../support/compare.ts';
import { type Account, type Made, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { anyIndex, bury, type Known, step, stepOnAlive, stepOnAny, trySequences } from './model.ts';

type Fields = Pick<Account, 'account_id' | 'name' | 'type' | 'status'>;
type Model = Known<Fields>;
interface Real {
  readonly t: Tester;
  readonly made: Made;
  /** Stands in the name of every account of this sequence, and of no other. */
  readonly tag: string;
}

const TYPES = enums.AccountType;
const suffixes = fc.constantFrom('', ' one', ' TWO', ' 3');
const types = fc.constantFrom(...TYPES);

const creations = fc.tuple(suffixes, types).map(([suffix, type]) =>
  step<Model, Real>(`create ${type}${suffix}`, async ({ alive }, { t, made, tag }) => {
    const wanted = { name: `${tag}${suffix}`, type };
    const created = await made.account(wanted, 'accounts.list');
    const fields = { ...wanted, account_id: created.account_id, status: 'active' as const };
    requireSame(t, created, fields);
    alive.push(fields);
  }),
);

const renamings = fc.tuple(anyIndex, suffixes).map(([index, suffix]) =>
  stepOnAlive<Fields, Real>(`rename to "${suffix}"`, index, async (one, { alive }, { t, tag }) => {
    const name = `${tag}${suffix}`;
    const path = { account_id: one.account_id };
    const { data } = await t.ok('updateAccount', 200, { path, body: { name } }, 'accounts.list');
    const renamed = { ...one, name };
    alive.splice(alive.indexOf(one), 1, renamed);
    requireSame(t, data, renamed);
  }),
);

const deletions = anyIndex.map((index) =>
  stepOnAlive<Fields, Real>('delete', index, async (one, model, { t }) => {
    const path = { account_id: one.account_id };
    await t.ok('deleteAccount', 200, { path }, 'accounts.delete-permanent');
    bury(model, one);
  }),
);

const retrievals = anyIndex.map((index) =>
  stepOnAny<Fields, Real>('retrieve', index, async (one, { alive }, { t }) => {
    const path = { account_id: one.account_id };
    if (alive.includes(one))
      requireSame(t, (await t.ok('getAccount', 200, { path }, 'accounts.list')).data, one);
    else requireStatus(t, 'accounts.delete-permanent', await t.call('getAccount', { path }), 409);
  }),
);

const lists = fc.option(types, { nil: undefined }).map((type) =>
  step<Model, Real>(`list ${type ?? 'all'}`, async ({ alive }, { t, tag }) => {
    const query = { name: tag, limit: 30, ...(type === undefined ? {} : { type }) };
    const { data } = await t.ok('listAccounts', 200, { query }, 'accounts.list');
    const expected = alive.filter((one) => type === undefined || one.type === type);
    const ids = (list: readonly Fields[]) => list.map(({ account_id }) => account_id);
    const names = (list: readonly Fields[]) => show(list.map(({ name }) => name));
    const message = `${show(query)}: expected ${names(expected)}, got ${names(data)}`;
    t.require('accounts.list', sameMembers(ids(data), ids(expected)), message);
    for (const one of expected) {
      const shown = data.find(({ account_id }) => account_id === one.account_id);
      if (shown !== undefined) requireSame(t, shown, one);
    }
  }),
);

function requireSame(t: Tester, shown: Account, fields: Fields): void {
  const wrong = differences(shown, fields);
  t.require('accounts.list', wrong === '', `an account is not as it was left: ${wrong}`);
}

export const accountSequences: Check = {
  id: 'sequences/accounts',
  title: 'Accounts that are created, renamed, deleted and listed in any order are as a model has them',
  run: (t: Tester) =>
    withMade(t, (made) =>
      trySequences<Model, Real>(t, {
        steps: [creations, creations, renamings, deletions, retrievals, lists],
        begin: async () => ({ model: { alive: [], deleted: [] }, real: { t, made, tag: t.unique('Seq') } }),
      }),
    ),
};
