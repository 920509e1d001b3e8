import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import {
  type Counts,
  countDifference,
  countsBy,
  countsOf,
  type Period,
  statistics,
} from '../support/counts.ts';
import { logged, periodOf } from '../support/log.ts';
import { withMade } from '../support/made.ts';
import { verifiedDomain } from '../support/verified.ts';

type By = 'account' | 'domain';

const NOTHING = countsBy(() => 0);
const ASKS = { account: { all_accounts: 1 }, domain: { all_domains: 1 } } as const;

/** Statistics by account and by domain. */
export const breakdowns: readonly Check[] = [
  {
    id: 'statistics/breakdown-by-account',
    title: 'all_accounts=1 gives the counters of each account, with its id and name',
    run: (t) => breaksDown(t, 'account'),
  },
  {
    id: 'statistics/breakdown-by-domain',
    title: 'all_domains=1 gives the counters of each domain, with its id and name',
    run: (t) => breaksDown(t, 'domain'),
  },
  {
    id: 'statistics/breakdown-adds-up',
    title: 'A breakdown lists what has nothing to count as well, and adds up to the summary',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const { domain_id } = await made.domain();
        const period = await busyPeriod(t);
        const idle = { account: account_id, domain: domain_id };
        for (const by of ['account', 'domain'] as const) {
          const items = await itemsOf(t, period, by);
          const item = items.find((one) => idOf(one, by) === idle[by]);
          const requirement = 'statistics.breakdown-is-complete';
          if (item === undefined) t.fail(requirement, `the ${by} without messages is not in its breakdown`);
          const wrong = countDifference(countsOf(item), NOTHING);
          t.require(requirement, wrong === '', `of the ${by} without messages, ${wrong}`);
          await addsUp(t, period, by);
        }
      }),
  },
  {
    id: 'statistics/breakdown-keeps-deleted-domains',
    title: 'A deleted domain stays in the breakdown while it has messages',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account } = t.tenant;
        const { domain_id, name } = await verifiedDomain(t, made, [account.account_id]);
        const ids = await accepted(t, [mail(t, { from: { email: `hello@${name}` } })]);
        const period = await periodOf(t, ids);
        await t.ok('deleteDomain', 200, { path: { domain_id } });
        const isThere = await t.poll(async () => {
          const items = await itemsOf(t, period, 'domain');
          const item = items.find((one) => idOf(one, 'domain') === domain_id);
          return item !== undefined && Number(item.messages) >= 1 ? true : undefined;
        });
        const message = 'a domain that was deleted after a message is not in the breakdown with it';
        t.require('statistics.deleted-domains-stay', isThere === true, message);
      }),
  },
];

type Item = NonNullable<Awaited<ReturnType<typeof statistics>>['breakdown']>[number];

async function breaksDown(t: Tester, by: By): Promise<void> {
  const period = await busyPeriod(t);
  const answer = await t.call('getStats', { query: { ...period, ...ASKS[by] } });
  const items = valueAt(answer.json, 'data.breakdown');
  const requirements = ['statistics.summary-always-breakdown-on-request', `statistics.breakdown-by-${by}`];
  if (!Array.isArray(items))
    return t.fail(requirements, `asked by ${by}, the breakdown is ${show(items)}`, answer);
  const { domainId, account } = t.tenant;
  const [id, name] =
    by === 'account' ? [account.account_id, await accountName(t)] : [domainId, await domainName(t)];
  const item: unknown = items.find((one) => valueAt(one, `${by}_id`) === id);
  t.require(
    ['statistics.breakdown-item', `statistics.breakdown-by-${by}`],
    item !== undefined,
    `the ${by} ${id} is not in the breakdown`,
    answer,
  );
  const shown = valueAt(item, `${by}_name`);
  t.require(
    'statistics.breakdown-item',
    shown === name,
    `${by}_name is ${show(shown)} instead of ${name}`,
    answer,
  );
}

async function accountName(t: Tester): Promise<string> {
  return (await t.ok('getAccount', 200, { path: { account_id: t.tenant.account.account_id } })).data.name;
}

async function domainName(t: Tester): Promise<string> {
  return (await t.ok('getDomain', 200, { path: { domain_id: t.tenant.domainId } })).data.name;
}

/** A period that is over, in which something was sent. */
async function busyPeriod(t: Tester): Promise<Period> {
  const [first = ''] = await accepted(t, [mail(t), mail(t)]);
  const [last = ''] = await accepted(t, [mail(t, { track_opens: true })]);
  const from = (await logged(t, first)).created_at;
  return { period_from: from, period_to: (await logged(t, last)).created_at };
}

async function itemsOf(t: Tester, period: Period, by: By): Promise<readonly Item[]> {
  return (await statistics(t, { ...period, ...ASKS[by] })).breakdown ?? [];
}

function idOf(item: Item, by: By): unknown {
  return valueAt(item, `${by}_id`);
}

async function addsUp(t: Tester, period: Period, by: By): Promise<void> {
  let difference = 'nothing was counted';
  // What happened at the end of the period may be counted a little later, here or there.
  await t.poll(async () => {
    const { stats_summary, breakdown = [] } = await statistics(t, { ...period, ...ASKS[by] });
    const summary = countsOf(stats_summary);
    if (summary.messages === 0) return undefined;
    difference = countDifference(sumOf(breakdown.map(countsOf)), summary);
    return difference === '' || undefined;
  });
  const message = `the sum of the breakdown by ${by} is not the summary: ${difference}`;
  t.require('statistics.breakdown-adds-up', difference === '', message);
}

function sumOf(items: readonly Counts[]): Counts {
  return countsBy((name) => items.reduce((sum, item) => sum + item[name], 0));
}
