import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences, show } from '../support/compare.ts';
import { type Account, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';
import { fieldsOf, listed, TYPES } from './account.ts';

/** What the list of accounts shows. */
export const list: readonly Check[] = [
  {
    id: 'accounts/list-shows-the-created',
    title: 'A created account stands in the list as it was created',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const created = await made.account();
        const shown = await listed(t, { name: created.name }, created);
        if (shown === undefined) t.fail('accounts.list', `${created.name} is not in the list of its name`);
        const wrong = differences(shown, fieldsOf(created));
        t.require('accounts.list', wrong === '', `in the list, the account is another: ${wrong}`);
      }),
  },
  {
    id: 'accounts/list-filter-name',
    title: 'The filter by name shows the accounts of that name: a part of it will do, in any letter case',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const wanted = await made.account({ name: `${t.unique('Filter')} of a Name` });
        const other = await made.account({ name: t.unique('Other') });
        await onlyFirst(t, 'accounts.list-filter-name', { name: wanted.name }, wanted, other);
        const part = wanted.name.slice(2, -4);
        for (const name of [part, part.toLowerCase(), part.toUpperCase()])
          await onlyFirst(t, 'conventions.text-filters-contain', { name }, wanted, other);
      }),
  },
  {
    id: 'accounts/list-filter-type',
    title: 'The filter by type shows the accounts of that type, and takes no other value',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const both = await Promise.all(TYPES.map((type) => made.account({ type })));
        for (const account of both)
          for (const type of TYPES) {
            const shown = await listed(t, { name: account.name, type }, account);
            t.require(
              'accounts.list-filter-type',
              (shown !== undefined) === (type === account.type),
              `the list of type ${type} ${shown ? 'shows' : 'does not show'} a ${account.type} account`,
            );
          }
        const answer = await t.call('listAccounts', { query: { type: 'other' } });
        requireStatus(t, 'accounts.list-type-choice', answer, 422, 'the type other');
      }),
  },
];

async function onlyFirst(
  t: Tester,
  requirement: string,
  query: { name: string },
  wanted: Account,
  other: Account,
): Promise<void> {
  const filter = show(query.name);
  const isWanted = (await listed(t, query, wanted)) !== undefined;
  t.require(requirement, isWanted, `the filter by ${filter} does not show ${show(wanted.name)}`);
  const isOther = (await listed(t, query, other)) !== undefined;
  t.require(requirement, !isOther, `the filter by ${filter} shows ${show(other.name)}`);
}
