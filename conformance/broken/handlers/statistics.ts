import { type Answer, ok, readParameters, type UserCall } from '../call.ts';
import { stamp } from '../clock.ts';
import { periodEnd } from '../period-parameters.ts';
import { between, isWithin, type Range } from '../periods.ts';
import { invalid } from '../refusal.ts';
import type { Message, World } from '../state.ts';
import { integer, optional, problem, type Rule, required } from '../validate.ts';

const EVENT_COUNTERS = [
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
] as const;
const COUNTERS = [
  'messages',
  ...EVENT_COUNTERS,
  'track_opens',
  'track_clicks',
  'unique_opens',
  'unique_clicks',
] as const;
export type Counter = (typeof COUNTERS)[number];
type Counts = Record<Counter, number | string>;

export function getStats(call: UserCall): Answer {
  const { world } = call;
  const end: Rule<Range | undefined> = world.has('stats.period-optional')
    ? optional(periodEnd(world))
    : required(periodEnd(world));
  const given = readParameters(call, {
    period_from: end,
    period_to: end,
    all_accounts: optional(zeroOrOne),
    all_domains: optional(zeroOrOne),
  });
  if (given.all_accounts === 1 && given.all_domains === 1 && !world.has('stats.both-breakdowns-accepted')) {
    throw invalid(problem('all_domains', 1, 'CONFLICT', 'only one breakdown can be asked for').problems);
  }
  const now = world.clock.now();
  const moment = { from: now, to: now };
  const from = given.period_from ?? moment;
  const to = given.period_to ?? moment;
  const period = world.has('stats.swapped-period-empty') ? { from: from.from, to: to.to } : between(from, to);
  const messages = visibleMessages(call);
  const breakdown = breakdownOf(call, messages, period, given.all_accounts === 1, given.all_domains === 1);
  return ok({
    period_from: stamp(period.from),
    period_to: stamp(period.to),
    stats_summary: countsOf(world, messages, period),
    ...(breakdown === undefined ? {} : { breakdown }),
  });
}

const zeroOrOne: Rule<number> = (value, field) => {
  const number = integer(0, 1)(value, field);
  return 'value' in number ? number : problem(field, value, 'CHOICE', 'must be 0 or 1');
};

function visibleMessages({ world, user }: UserCall): Message[] {
  return [...world.messages.values()].filter(
    ({ organisation_id }) => organisation_id === user.organisation_id || world.has('stats.leaks'),
  );
}

function countsOf(world: World, messages: readonly Message[], period: Range): Counts {
  const isCounted = (at: bigint) =>
    at >= period.from && (world.has('stats.period-end-excluded') ? at < period.to : at <= period.to);
  const accepted = messages.filter(({ created_at }) => isCounted(created_at));
  const happened = messages.flatMap((message) =>
    message.events
      .filter(({ received_at }) =>
        isCounted(world.has('stats.period-by-acceptance') ? message.created_at : received_at),
      )
      .map(({ type }) => type),
  );
  const events = EVENT_COUNTERS.map((type) => [type, happened.filter((one) => one === type).length] as const);
  const counts: Counts = {
    ...zeros(),
    ...Object.fromEntries(events),
    messages: accepted.length,
    track_opens: accepted.filter(({ track_opens }) => track_opens).length,
    track_clicks: accepted.filter(({ track_clicks }) => track_clicks).length,
    unique_opens: messages.filter(({ opened_at }) => opened_at !== null && isWithin(opened_at, period))
      .length,
    unique_clicks: messages.filter(({ clicked_at }) => clicked_at !== null && isWithin(clicked_at, period))
      .length,
  };
  if (world.has('stats.unique-opens-count-all')) counts.unique_opens = counts.open;
  for (const counter of COUNTERS) {
    if (world.has(`stats.${counter}-drifts`) && counts[counter] !== 0)
      counts[counter] = Number(counts[counter]) + 1;
    if (world.varies('counters-as-text')) counts[counter] = String(counts[counter]);
  }
  return counts;
}

function zeros(): Counts {
  return {
    messages: 0,
    delivery: 0,
    hard_bounce: 0,
    soft_bounce: 0,
    spam_complaint: 0,
    unsubscribe: 0,
    open: 0,
    click: 0,
    track_opens: 0,
    track_clicks: 0,
    unique_opens: 0,
    unique_clicks: 0,
  };
}

function breakdownOf(
  call: UserCall,
  messages: readonly Message[],
  period: Range,
  byAccount: boolean,
  byDomain: boolean,
): object[] | undefined {
  const { world } = call;
  if (world.has('stats.breakdown-never')) return undefined;
  const swapped = world.has('stats.breakdowns-swapped');
  if (swapped ? byDomain : byAccount) return byAccounts(call, messages, period);
  if (swapped ? byAccount : byDomain) return byDomains(call, messages, period);
  return world.has('stats.breakdown-always') ? byAccounts(call, messages, period) : undefined;
}

function byAccounts({ world, user }: UserCall, messages: readonly Message[], period: Range): object[] {
  const accounts = [...world.accounts.values()].filter(
    ({ organisation_id }) => organisation_id === user.organisation_id || world.has('stats.breakdown-leaks'),
  );
  const items = accounts.map(({ account_id, name }) => ({
    account_id,
    account_name: name,
    ...countsOf(
      world,
      partOf(world, messages, (one) => one.account_id === account_id),
      period,
    ),
  }));
  return withoutZeros(world, items);
}

function byDomains({ world, user }: UserCall, messages: readonly Message[], period: Range): object[] {
  const former = world.has('stats.former-domains-missing') ? [] : world.formerDomains.values();
  const domains = [...world.domains.values(), ...former].filter(
    ({ organisation_id, domain_id }) =>
      organisation_id === user.organisation_id &&
      (world.domains.has(domain_id) || messages.some((message) => message.domain_id === domain_id)),
  );
  const items = domains.map(({ domain_id, name }) => ({
    domain_id,
    domain_name: name,
    ...countsOf(
      world,
      partOf(world, messages, (one) => one.domain_id === domain_id),
      period,
    ),
  }));
  return withoutZeros(world, items);
}

function partOf(world: World, messages: readonly Message[], belongs: (message: Message) => boolean) {
  return world.has('stats.breakdown-repeats-summary') ? messages : messages.filter(belongs);
}

function withoutZeros<T extends Counts>(world: World, items: T[]): T[] {
  return world.has('stats.zeros-missing') ? items.filter(({ messages }) => Number(messages) > 0) : items;
}
