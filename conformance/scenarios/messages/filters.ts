import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { sameMembers } from '../support/compare.ts';
import { filterCases } from '../support/filter-cases.ts';
import { type Filters, logged, periodOf, search, searchable } from '../support/log.ts';
import { unknownId, withMade } from '../support/made.ts';
import { compareMoments, endOf, later } from '../support/moments.ts';
import { requireAllRefused, requireStatus } from '../support/refused.ts';
import { requireMalformedRefused } from './malformed.ts';

const ALWAYS_ALLOWED = ['new', 'delivery', 'hard_bounce', 'soft_bounce', 'spam_complaint', 'open', 'click'];
const HOUR = 3_600_000_000n;

/** What the filters of the list let through. */
export const filters: readonly Check[] = [
  {
    id: 'messages/filter-by-fields',
    title:
      'The filters by id, custom ID, addresses and subject find the messages that have them, and no others',
    async run(t) {
      const { ids, cases } = await filterCases(t);
      await searchable(t, 'listMessages', ids);
      for (const { requirement, filters, expected, what } of cases) {
        const found = await search(t, 'listMessages', filters, requirement);
        t.require(requirement, sameMembers(found, expected), `${what}: ${counted(expected, found)}`);
      }
    },
  },
  {
    id: 'messages/filter-by-period',
    title:
      'A period finds the messages that were accepted in it, both ends included, in either order of the ends',
    async run(t) {
      const message_custom_id = t.unique('period');
      const [first, second] = await sentApart(t, message_custom_id);
      const finds = async (requirement: string, from: string, to: string, expected: readonly string[]) => {
        const query = { message_custom_id, period_from: from, period_to: to };
        const found = await search(t, 'listMessages', query, requirement);
        const sent = `messages of ${first.created_at} and ${second.created_at}`;
        const message = `${sent}, the period from ${from} to ${to}: ${counted(expected, found)}`;
        t.require(requirement, sameMembers(found, expected), message);
      };
      const both = [first.message_id, second.message_id];
      const [start, end] = [first.created_at, endOf(second.created_at)];
      await searchable(t, 'listMessages', both);
      await finds('messages.filter-by-period', later(start, -HOUR), later(start, -1n), []);
      await finds('messages.filter-by-period', later(end, 1n), later(end, HOUR), []);
      await finds('messages.period-ends-belong', start, end, both);
      await finds('messages.period-ends-belong', start, endOf(start), [first.message_id]);
      await finds('messages.period-ends-belong', second.created_at, end, [second.message_id]);
      await finds('messages.period-in-either-order', end, start, both);
    },
  },
  {
    id: 'messages/filter-by-account-and-domain',
    title: 'The filters by account and domain find what was sent by one of those named',
    run: (t) =>
      withMade(t, async (made) => {
        const message_custom_id = t.unique('owner');
        const ids = await accepted(t, [mail(t, { custom_id: message_custom_id })]);
        const other = await made.account();
        const domain = await made.domain();
        await searchable(t, 'listMessages', ids);
        const query = { message_custom_id, ...(await periodOf(t, ids)) };
        const finds = async (requirement: string, filter: Filters, expected: readonly string[]) => {
          const found = await search(t, 'listMessages', { ...query, ...filter }, requirement);
          t.require(
            requirement,
            sameMembers(found, expected),
            `${Object.keys(filter)}: ${counted(expected, found)}`,
          );
        };
        const { account, domainId } = t.tenant;
        const byAccount = 'messages.filter-by-account';
        await finds(byAccount, { 'account_ids[]': [account.account_id] }, ids);
        await finds(byAccount, { 'account_ids[]': [other.account_id] }, []);
        await finds(byAccount, { 'account_ids[]': [other.account_id, account.account_id] }, ids);
        const byDomain = 'messages.filter-by-domain';
        await finds(byDomain, { 'domain_ids[]': [domainId] }, ids);
        await finds(byDomain, { 'domain_ids[]': [domain.domain_id] }, []);
        await finds(byDomain, { 'domain_ids[]': [domain.domain_id, domainId] }, ids);
      }),
  },
  {
    id: 'messages/filter-by-event',
    title:
      'The filter by events takes every type there is, finds the messages that had one of them, and refuses others',
    async run(t) {
      const message_custom_id = t.unique('event');
      const ids = await accepted(t, [mail(t, { custom_id: message_custom_id })]);
      await searchable(t, 'listMessages', ids);
      const query = { message_custom_id, ...(await periodOf(t, ids)) };
      const requirement = 'messages.filter-by-event';
      const finds = async (types: NonNullable<Filters['events[]']>, expected: readonly string[]) => {
        const found = await search(t, 'listMessages', { ...query, 'events[]': types }, requirement);
        t.require(requirement, sameMembers(found, expected), `events ${types}: ${counted(expected, found)}`);
      };
      await finds(['new'], ids);
      await finds(['spam_complaint'], []);
      await finds(['spam_complaint', 'new'], ids);
      await everyTypeIsTaken(t, requirement);
      await requireAllRefused(
        t,
        { 'messages.unknown-event-refused': ['bounced', 'message.delivery'] },
        (type) => t.call('listMessages', { query: { 'events[]': [String(type)] } }),
      );
    },
  },
  {
    id: 'messages/malformed-filters',
    title: 'A list with a malformed filter is refused',
    run: (t) => requireMalformedRefused(t, 'listMessages', 'messages.malformed-filters'),
  },
  {
    id: 'messages/unknown-account-or-domain-in-filter',
    title:
      'A list or export for an account or domain that never existed is refused, even when another one exists',
    async run(t) {
      const { account, domainId } = t.tenant;
      const unknown: readonly Filters[] = [
        { 'account_ids[]': [unknownId()] },
        { 'account_ids[]': [account.account_id, unknownId()] },
        { 'domain_ids[]': [unknownId()] },
        { 'domain_ids[]': [domainId, unknownId()] },
      ];
      for (const query of unknown)
        for (const operation of ['listMessages', 'exportMessages'] as const) {
          const answer = await t.call(operation, { query });
          const requirements = ['conventions.unknown-id-filter-409', 'http.business-logic-409'];
          requireStatus(
            t,
            requirements,
            answer,
            409,
            `an unknown id in ${Object.keys(query)} of ${operation}`,
          );
        }
    },
  },
];

/** Either spelling of `unsubscribe` will do. */
async function everyTypeIsTaken(t: Tester, requirement: string): Promise<void> {
  const ask = (type: string) => t.call('listMessages', { query: { 'events[]': [type] } });
  for (const type of ALWAYS_ALLOWED) requireStatus(t, requirement, await ask(type), 200, `events[]=${type}`);
  const spellings = await Promise.all(['unsibscribe', 'unsubscribe'].map(ask));
  t.require(
    requirement,
    spellings.some(({ status }) => status === 200),
    `expected unsibscribe or unsubscribe to be taken, got ${spellings.map(({ status }) => status).join(' and ')}`,
    ...spellings,
  );
}

/** Two messages that were accepted at different times, the first of them no longer as it was then. */
async function sentApart(t: Tester, custom_id: string) {
  const [id = ''] = await accepted(t, [mail(t, { custom_id })]);
  // So that a period of another timestamp would miss it; if nothing changes here, there is no other.
  await t.poll(async () => {
    const { created_at, updated_at } = await logged(t, id);
    return compareMoments(created_at, updated_at) < 0 ? true : undefined;
  });
  const first = await logged(t, id);
  const isOver = await t.poll(async () => {
    const [probe = ''] = await accepted(t, [mail(t)]);
    return compareMoments(first.created_at, (await logged(t, probe)).created_at) < 0 ? true : undefined;
  });
  if (isOver !== true) throw new SetupFailed('no message is accepted later than the first');
  const [next = ''] = await accepted(t, [mail(t, { custom_id })]);
  return [first, await logged(t, next)] as const;
}

function counted(expected: readonly string[], found: readonly string[]): string {
  return `expected ${expected.length} message${expected.length === 1 ? '' : 's'}, got ${found.length}${
    expected.length === found.length ? ', others' : ''
  }`;
}
