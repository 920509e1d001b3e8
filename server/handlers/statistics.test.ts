import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../generated/types.ts';
import { microseconds, moment, periodOf, periodsAround } from '../testing/message-filters.ts';
import { buildLog, type LoggedMessage, type MessageLog } from '../testing/message-log.ts';
import { startApi, type TestApi } from '../testing.ts';

type Counters = components['schemas']['StatisticsCounters'];
type Statistics = components['schemas']['Statistics'];
interface Period {
  period_from: string;
  period_to: string;
}

let api: TestApi;
let log: MessageLog;

beforeAll(async () => {
  api = await startApi();
  await api.stopDelivery();
  log = await buildLog(api, 23);
});
afterAll(() => api.close());
afterEach(() => expect(api.takeFaults()).toEqual([]));

async function read(query: Record<string, string | number>): Promise<Statistics> {
  const { status, data } = await log.owner.call('GET', '/v1/stats', { query });
  expect(status).toBe(200);
  return data as Statistics;
}

async function refusal(query: Record<string, string | number>, faultOf = 0): Promise<unknown[]> {
  const { status, code, errors } = await log.owner.call('GET', '/v1/stats', { query });
  const faults = errors as { field: string; errors: { code: string }[] }[];
  return [status, code, faults[faultOf]?.field, faults[faultOf]?.errors[0]?.code];
}

/** All counters, counted one by one from what the test did. */
function recount(messages: readonly LoggedMessage[], period: Period): Counters {
  const { from, to } = periodOf(period, api.clock.now());
  const within = (at: string) => from <= microseconds(at) && microseconds(at) <= to;
  const events = messages.flatMap((message) => message.events).filter(({ receivedAt }) => within(receivedAt));
  const accepted = messages.filter(({ row }) => within(row.created_at));
  const happened = (type: string) => events.filter((event) => event.type === type).length;
  const unique = (type: string) => events.filter((event) => event.type === type && event.isUnique).length;
  return {
    messages: accepted.length,
    delivery: happened('delivery'),
    hard_bounce: happened('hard_bounce'),
    soft_bounce: happened('soft_bounce'),
    spam_complaint: happened('spam_complaint'),
    unsubscribe: happened('unsubscribe'),
    open: happened('open'),
    track_opens: accepted.filter(({ trackOpens }) => trackOpens).length,
    click: happened('click'),
    track_clicks: accepted.filter(({ trackClicks }) => trackClicks).length,
    unique_opens: unique('open'),
    unique_clicks: unique('click'),
  };
}

const ALWAYS = { period_from: '2000-01-01', period_to: '2100-01-01' };
const NEVER = { period_from: '2001-01-01', period_to: '2001-01-02' };

describe('statistics', () => {
  it('are what a recount gives', async () => {
    const { stats_summary: summary } = await read(ALWAYS);
    expect(summary).toEqual(recount(log.messages, ALWAYS));
    expect(Math.min(...Object.values(summary))).toBeGreaterThan(0);
    expect(summary.unique_opens).toBeLessThan(summary.open);
  });

  it('are so for every period, in either order of its ends, with and without breakdowns', async () => {
    const moments = log.messages.flatMap(({ events }) => events.map(({ receivedAt }) => receivedAt));
    const breakdown = fc.constantFrom(
      {},
      { all_accounts: 1 },
      { all_domains: 1 },
      { all_accounts: 0, all_domains: 0 },
    );
    await fc.assert(
      fc.asyncProperty(periodsAround(moments), breakdown, async (period, wanted) => {
        const statistics = await read({ ...period, ...wanted });
        expect(statistics.stats_summary).toEqual(recount(log.messages, period));
        expect(statistics.breakdown).toEqual(expectedBreakdown(wanted, period));
        const { from, to } = periodOf(period, api.clock.now());
        expect(microseconds(statistics.period_from)).toBe(from);
        expect(microseconds(statistics.period_to)).toBe(to);
      }),
      { numRuns: 150 },
    );
  });

  it('count an end of the period in, to the microsecond', async () => {
    for (const message of log.messages.slice(0, 10)) {
      const created = microseconds(message.row.created_at);
      const there = log.messages.filter(({ row }) => row.created_at === message.row.created_at).length;
      const counted = async (from: bigint, to: bigint) =>
        (await read({ period_from: moment(from), period_to: moment(to) })).stats_summary.messages;
      expect(await counted(created, created)).toBe(there);
      expect((await counted(created, created + 1n)) - (await counted(created + 1n, created + 1n))).toBe(
        there,
      );
      expect((await counted(created - 1n, created)) - (await counted(created - 1n, created - 1n))).toBe(
        there,
      );
    }
  });

  it('list every account and domain, zeros included', async () => {
    const quiet = await api.createAccount(log.owner, 'Quiet');
    const accounts = await read({ ...NEVER, all_accounts: 1 });
    const zeros = recount([], NEVER);
    expect(accounts.stats_summary).toEqual(zeros);
    expect(accounts.breakdown).toEqual([
      { account_id: quiet.account_id, account_name: 'Quiet', ...zeros },
      ...log.accounts.toReversed().map(({ id, name }) => ({ account_id: id, account_name: name, ...zeros })),
    ]);
    // A deleted domain with messages stays; one without any goes.
    const { domain_id } = await api.createDomain(log.owner, 'unused.test', []);
    const domains = async () => (await read({ ...NEVER, all_domains: 1 })).breakdown;
    const known = log.domains
      .toReversed()
      .map(({ id, name }) => ({ domain_id: id, domain_name: name, ...zeros }));
    expect(await domains()).toEqual([{ domain_id, domain_name: 'unused.test', ...zeros }, ...known]);
    await log.owner.client.deleteDomain({ path: { domain_id } });
    expect(await domains()).toEqual(known);
    await log.owner.client.deleteAccount({ path: { account_id: quiet.account_id } });
  });

  it('have no breakdown unless one is asked for, and never two', async () => {
    expect(await read(ALWAYS)).not.toHaveProperty('breakdown');
    expect(await read({ ...ALWAYS, all_accounts: 0, all_domains: 0 })).not.toHaveProperty('breakdown');
    expect(await refusal({ ...ALWAYS, all_accounts: 1, all_domains: 1 })).toEqual([
      422,
      'VALIDATION_ERROR',
      'all_domains',
      'CONFLICT',
    ]);
  });

  it('need both ends of the period, and values that are some', async () => {
    const { period_from, period_to } = ALWAYS;
    expect(await refusal({ period_to })).toEqual([422, 'VALIDATION_ERROR', 'period_from', 'REQUIRED']);
    expect(await refusal({ period_from })).toEqual([422, 'VALIDATION_ERROR', 'period_to', 'REQUIRED']);
    expect(await refusal({})).toEqual([422, 'VALIDATION_ERROR', 'period_from', 'REQUIRED']);
    expect(await refusal({ period_from: 'now', period_to })).toEqual([
      422,
      'VALIDATION_ERROR',
      'period_from',
      'TIMESTAMP',
    ]);
    expect(await refusal({ period_from: '2026-01-01T00:00:00', period_to })).toEqual([
      422,
      'VALIDATION_ERROR',
      'period_from',
      'TIMESTAMP',
    ]);
    expect(await refusal({ ...ALWAYS, all_accounts: 2 })).toEqual([
      422,
      'VALIDATION_ERROR',
      'all_accounts',
      'CHOICE',
    ]);
    expect(await refusal({ ...ALWAYS, all_domains: 'yes' })).toEqual([
      422,
      'VALIDATION_ERROR',
      'all_domains',
      'INTEGER',
    ]);
  });

  it('are one organisation’s, and lose a deleted account', async () => {
    const { owner, account } = log.foreign;
    const summary = async () => (await owner.client.getStats({ query: ALWAYS })).data.stats_summary;
    expect(await summary()).toMatchObject({ messages: 1, delivery: 0 });
    await owner.client.deleteAccount({ path: { account_id: account.account_id } });
    expect(await summary()).toEqual(recount([], ALWAYS));
  });
});

function expectedBreakdown(wanted: { all_accounts?: number; all_domains?: number }, period: Period) {
  if (wanted.all_accounts === 1) {
    return log.accounts.toReversed().map(({ id, name }) => ({
      account_id: id,
      account_name: name,
      ...recount(
        log.messages.filter(({ row }) => row.account_id === id),
        period,
      ),
    }));
  }
  if (wanted.all_domains !== 1) return undefined;
  return log.domains.toReversed().map(({ id, name }) => ({
    domain_id: id,
    domain_name: name,
    ...recount(
      log.messages.filter(({ row }) => row.domain_id === id),
      period,
    ),
  }));
}
