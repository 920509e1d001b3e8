import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MESSAGE_EVENT_TYPES, type MessageEvent, type MessageEventType } from '../domain/events.ts';
import { hourOf, plusMilliseconds, type Timestamp } from '../domain/time.ts';
import { NO_COUNTS } from './counters.ts';
import type { MessageFilter, PageRequest } from './rows.ts';
import type { StatisticsCounters } from './schema.ts';
import {
  createTenant,
  createVerifiedDomain,
  openTestStore,
  type TestStore,
  type TestTenant,
  testMessage,
} from './testing.ts';

// Counters against a recount of the log: whatever happened in whatever order, both say the same.

let test: TestStore;

beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

const HOUR_MS = 3_600_000;

interface LoggedMessage {
  message_id: string;
  account_id: string;
  domain_id: string;
  created_at: Timestamp;
  track_opens: boolean;
  track_clicks: boolean;
}
interface LoggedEvent {
  message_id: string;
  type: MessageEventType;
  received_at: Timestamp;
  is_unique: boolean;
}

const minutes = fc.integer({ min: 0, max: 150 });
const action = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 10, max: 150 }) }),
  fc.record({
    kind: fc.constant('accept' as const),
    account: fc.boolean(),
    domain: fc.boolean(),
    many: fc.integer({ min: 1, max: 6 }),
    isTracked: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('report' as const),
    events: fc.array(
      fc.record({
        message: fc.nat(),
        type: fc.constantFrom(...MESSAGE_EVENT_TYPES.filter((type) => type !== 'new')),
        minutesAgo: minutes,
        automated: fc.boolean(),
        isRepeated: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
);
const cut = fc.record({
  from: fc.integer({ min: -60, max: 900 }),
  length: fc.integer({ min: 0, max: 1500 }),
  account: fc.option(fc.boolean()),
  domain: fc.option(fc.boolean()),
  events: fc.subarray([...MESSAGE_EVENT_TYPES]),
  limit: fc.integer({ min: 1, max: 7 }),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
type Cut = typeof cut extends fc.Arbitrary<infer Value> ? Value : never;

/** Put between the random steps, so that every run fills several hours. */
const SOME_HOUR: Action = { kind: 'accept', account: true, domain: false, many: 3, isTracked: true };
/** Checked in every run, so that pages reach over many hours. */
const EVERYTHING: Cut = { from: -60, length: 60 * 1000, account: null, domain: null, events: [], limit: 4 };

interface World {
  tenant: TestTenant;
  accounts: [string, string];
  domains: { id: string; name: string }[];
  messageIds: string[];
  events: MessageEvent[];
  /** The hour in which its first message may come. */
  start: Timestamp;
}

async function createWorld(): Promise<World> {
  test.clock.advance(HOUR_MS - (test.clock.epochMs() % HOUR_MS));
  const start = hourOf(test.clock.now());
  const tenant = await createTenant(test.store, 'one.test');
  const second = await tenant.store.accounts.create({ name: 'Second', type: 'marketing' });
  const accounts: [string, string] = [tenant.account.account_id, second.account_id];
  const other = await createVerifiedDomain(tenant.store, 'two.test', accounts);
  await tenant.store.domains.update(tenant.domain.domain_id, { accounts });
  const domains = [
    { id: tenant.domain.domain_id, name: 'one.test' },
    { id: other.domain_id, name: 'two.test' },
  ];
  return { tenant, accounts, domains, messageIds: [], events: [], start };
}

async function play(world: World, step: Action): Promise<void> {
  if (step.kind === 'wait') {
    test.clock.advance(step.minutes * 60_000);
  } else if (step.kind === 'accept') {
    const sender = world.domains[step.domain ? 0 : 1];
    const messages = Array.from({ length: step.many }, () =>
      testMessage({
        from: { email: `a@${sender?.name}`, name: null },
        trackOpens: step.isTracked,
        trackClicks: !step.isTracked,
      }),
    );
    const results = await world.tenant.store.messages.accept(world.accounts[step.account ? 0 : 1], messages);
    world.messageIds.push(...results.flatMap((result) => ('messageId' in result ? [result.messageId] : [])));
  } else if (world.messageIds.length > 0) {
    const events = step.events.map((report) => toEvent(world, report));
    const { recorded } = await test.store.delivery.recordEvents(events);
    const known = new Set(world.events.map((event) => event.eventId));
    expect(recorded.toSorted()).toEqual(
      [...new Set(events.map((event) => event.eventId))].filter((id) => !known.has(id)).toSorted(),
    );
    world.events.push(...events);
  }
}

type Report = Extract<Action, { kind: 'report' }>['events'][number];

function toEvent(world: World, report: Report): MessageEvent {
  const repeated = world.events[report.message % Math.max(world.events.length, 1)];
  if (report.isRepeated && repeated !== undefined) return repeated;
  const base = {
    eventId: randomUUIDv7(),
    messageId: world.messageIds[report.message % world.messageIds.length] ?? '',
    receivedAt: plusMilliseconds(test.clock.now(), -report.minutesAgo * 60_000),
  };
  const { type } = report;
  switch (type) {
    case 'open':
      return { ...base, type, userAgent: 'Mail', userIp: '192.0.2.1', automated: report.automated };
    case 'click': {
      const target = 'https://example.com/';
      return {
        ...base,
        type,
        userAgent: 'Mail',
        userIp: '192.0.2.1',
        automated: report.automated,
        trackingUrlDestination: target,
      };
    }
    case 'unsubscribe':
      return { ...base, type, listId: 'news' };
    case 'spam_complaint':
      return { ...base, type };
    case 'delivery':
    case 'soft_bounce':
    case 'hard_bounce':
      return { ...base, type, smtpResponse: '250 \0ok', smtpLogId: randomUUIDv7() };
  }
}

async function logOf(world: World): Promise<{ messages: LoggedMessage[]; events: LoggedEvent[] }> {
  const { db } = test.database;
  const { organisationId } = world.tenant;
  const messages = await sql<LoggedMessage>`
    select message_id, account_id, domain_id, created_at, track_opens, track_clicks from messages
    where organisation_id = ${organisationId} order by created_at desc, message_id desc`.execute(db);
  const events = await sql<LoggedEvent>`
    select message_id, type, received_at, is_unique from message_events where organisation_id = ${organisationId}`.execute(
    db,
  );
  return { messages: messages.rows, events: events.rows };
}

function recount(log: Awaited<ReturnType<typeof logOf>>, from: Timestamp, to: Timestamp): StatisticsCounters {
  const counters = { ...NO_COUNTS };
  const isIn = (moment: Timestamp) => moment >= from && moment <= to;
  for (const message of log.messages.filter(({ created_at }) => isIn(created_at))) {
    counters.messages += 1;
    counters.track_opens += Number(message.track_opens);
    counters.track_clicks += Number(message.track_clicks);
  }
  for (const { type, is_unique } of log.events.filter(({ received_at }) => isIn(received_at))) {
    if (type === 'new') continue;
    counters[type] += 1;
    if (is_unique) counters[type === 'open' ? 'unique_opens' : 'unique_clicks'] += 1;
  }
  return counters;
}

function filterOf(world: World, slice: Cut): MessageFilter {
  const from = plusMilliseconds(world.start, slice.from * 60_000);
  return {
    period: { from, to: plusMilliseconds(from, slice.length * 60_000) },
    account_ids: slice.account === null ? undefined : [world.accounts[slice.account ? 0 : 1]],
    domain_ids: slice.domain === null ? undefined : [world.domains[slice.domain ? 0 : 1]?.id ?? ''],
    events: slice.events,
  };
}

function matching(log: Awaited<ReturnType<typeof logOf>>, filter: MessageFilter): string[] {
  const { period, account_ids: accounts, domain_ids: domains, events = [] } = filter;
  const had = Map.groupBy(log.events, (event) => event.message_id);
  return log.messages
    .filter((message) => message.created_at >= period.from && message.created_at <= period.to)
    .filter((message) => accounts?.includes(message.account_id) ?? true)
    .filter((message) => domains?.includes(message.domain_id) ?? true)
    .filter(
      (message) =>
        events.length === 0 || had.get(message.message_id)?.some((event) => events.includes(event.type)),
    )
    .map((message) => message.message_id);
}

async function allPages(world: World, filter: MessageFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page: PageRequest = { limit, offset: 0 }; ; page = { limit, offset: page.offset + limit }) {
    const { rows, total } = await world.tenant.store.messages.list(filter, page);
    ids.push(...rows.map((row) => row.message_id));
    if (rows.length === 0) {
      expect(total).toBe(ids.length);
      return ids;
    }
  }
}

describe('counters', () => {
  it('equal a recount of the log, and pages its rows, for any period and filter', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 8, maxLength: 20 }),
        fc.array(cut, { minLength: 4, maxLength: 8 }),
        async (steps, cuts) => {
          const world = await createWorld();
          for (const [index, step] of [...steps, ...steps].entries()) {
            await play(world, step);
            if (index % 4 === 0) await play(world, SOME_HOUR);
          }
          const log = await logOf(world);
          for (const slice of [...cuts, EVERYTHING]) {
            const filter = filterOf(world, slice);
            const { from, to } = filter.period;
            const { stats_summary: summary } = await world.tenant.store.statistics.read(filter.period);
            expect(summary).toEqual(recount(log, from, to));
            expect(await allPages(world, filter, slice.limit)).toEqual(matching(log, filter));
          }
          await checkWhole(world, log);
        },
      ),
      { numRuns: 10 },
    );
  });
});

/** What holds of everything together: unique visits, breakdowns, the export. */
async function checkWhole(world: World, log: Awaited<ReturnType<typeof logOf>>): Promise<void> {
  const period = {
    from: plusMilliseconds(world.start, -3 * HOUR_MS),
    to: plusMilliseconds(world.start, 1000 * HOUR_MS),
  };
  const { statistics, messages } = world.tenant.store;
  const byAccount = await statistics.read(period, 'accounts');
  const byDomain = await statistics.read(period, 'domains');
  const opened = new Set(
    world.events.filter((event) => event.type === 'open' && !event.automated).map((event) => event.messageId),
  );
  expect(byAccount.stats_summary.unique_opens).toBe(opened.size);
  expect(byAccount.breakdown).toHaveLength(2);
  expect(byDomain.breakdown).toHaveLength(2);
  for (const { breakdown = [], stats_summary: summary } of [byAccount, byDomain]) {
    expect(breakdown.reduce((sum, row) => sum + row.messages, 0)).toBe(summary.messages);
    expect(breakdown.reduce((sum, row) => sum + row.open, 0)).toBe(summary.open);
  }
  const exported: string[] = [];
  for await (const rows of await messages.exportPages({ period })) {
    exported.push(...rows.map((row) => row.message_id));
  }
  expect(exported).toEqual(log.messages.map((message) => message.message_id));
}
