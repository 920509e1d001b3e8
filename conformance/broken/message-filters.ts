import { findAll, foreignRefusal, isForeign, missing, readParameters, type UserCall } from './call.ts';
import type { FaultId } from './faults.ts';
import { containsText, email, isSameAddress } from './names.ts';
import { periodEnd } from './period-parameters.ts';
import { isWithin, logPeriod } from './periods.ts';
import type { Message, World } from './state.ts';
import { choice, list, NUL, optional, type Rule, type Shape, text, uuid } from './validate.ts';

/** The two operations that share their filters, as their faults are named. */
type LogName = 'messages' | 'export';

const MOST_VALUES = 100;
const EVENTS = [
  'new',
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
] as const;

function eventRule(world: World): Rule<(typeof EVENTS)[number]> {
  const spelledWell = choice(EVENTS);
  return (value, field) => {
    if (world.has('messages.unsubscribe-event-refused') && value === 'unsubscribe')
      return spelledWell('', field);
    if (world.has('messages.unsubscribe-event-refused') && value === 'unsibscribe')
      return spelledWell('', field);
    return spelledWell(value === 'unsibscribe' ? 'unsubscribe' : value, field);
  };
}

function filterShape(world: World) {
  return {
    period_from: optional(periodEnd(world)),
    period_to: optional(periodEnd(world)),
    'account_ids[]': optional(list(uuid, MOST_VALUES)),
    'domain_ids[]': optional(list(uuid, MOST_VALUES)),
    'events[]': optional(list(eventRule(world), MOST_VALUES)),
    recipient_email: optional(email),
    from_email: optional(email),
    subject: optional(text({ max: 998, forbidden: NUL })),
    message_id: optional(uuid),
    message_custom_id: optional(text({ max: 255, forbidden: NUL })),
  };
}

/** The messages of the organisation, oldest first: those that the filters let through, and all. */
export function searchLog(
  call: UserCall,
  name: LogName,
  more: Shape = {},
): { found: Message[]; all: Message[] } {
  const { world, user } = call;
  const { ...filters } = readParameters(call, { ...more, ...filterShape(world) });
  const accounts = filters['account_ids[]'] ?? [];
  const domains = filters['domain_ids[]'] ?? [];
  checkIds(call, name, accounts, domains);
  const named = (message: Message) =>
    (world.has(`${name}.account-filter-leaks`) && accounts.includes(message.account_id)) ||
    (world.has(`${name}.domain-filter-leaks`) && domains.includes(message.domain_id));
  const all = [...world.messages.values()].filter(
    (message) =>
      message.organisation_id === user.organisation_id || world.has(`${name}.leaks`) || named(message),
  );
  const tests = testsOf(world, name, filters);
  const isWidened = world.has('messages.filters-widen') && tests.length > 1;
  const passes = (message: Message) =>
    isWidened ? tests.some((test) => test(message)) : tests.every((test) => test(message));
  return { found: all.filter(passes), all };
}

function checkIds(
  call: UserCall,
  name: LogName,
  accounts: readonly string[],
  domains: readonly string[],
): void {
  const { world } = call;
  const domainRecords = domains.map((id) => world.domains.get(id) ?? formerDomain(world, id));
  const isDomainForeign = domainRecords.some(
    (record) => record !== undefined && isForeign(call, `${name}.domain-filter-leaks`, record),
  );
  if (isDomainForeign) throw foreignRefusal(call, 'DOMAIN_NOT_FOUND');
  const knownAccounts = world.has(`${name}.unknown-account-empty`)
    ? accounts.filter((id) => world.accounts.has(id))
    : accounts;
  findAll(
    call,
    { records: world.accounts, missing: 'ACCOUNT_NOT_FOUND', leak: `${name}.account-filter-leaks` },
    knownAccounts,
  );
  if (domainRecords.includes(undefined) && !world.has(`${name}.unknown-domain-empty`)) {
    throw missing(call, 'DOMAIN_NOT_FOUND');
  }
}

/** A deleted domain is known as long as there are messages of it. */
function formerDomain(world: World, id: string) {
  const isInLog = [...world.messages.values()].some(({ domain_id }) => domain_id === id);
  return isInLog ? world.formerDomains.get(id) : undefined;
}

interface Filters {
  period_from: Parameters<typeof logPeriod>[0];
  period_to: Parameters<typeof logPeriod>[1];
  'account_ids[]': string[] | undefined;
  'domain_ids[]': string[] | undefined;
  'events[]': (typeof EVENTS)[number][] | undefined;
  recipient_email: string | undefined;
  from_email: string | undefined;
  subject: string | undefined;
  message_id: string | undefined;
  message_custom_id: string | undefined;
}
type Test = (message: Message) => boolean;

/** A test for the period, and one for every filter that is given. */
function testsOf(world: World, name: LogName, filters: Filters): Test[] {
  const { recipient_email, from_email, subject, message_id, message_custom_id } = filters;
  const firstOf = <T>(values: readonly T[]) =>
    world.has('lists.array-filter-takes-first') ? values.slice(0, 1) : values;
  const accounts = filters['account_ids[]'];
  const domains = filters['domain_ids[]'];
  const events = filters['events[]'];
  const tests: [FaultId, Test | undefined][] = [
    [`${name}.period-ignored`, periodTest(world, filters)],
    [`${name}.account-filter-ignored`, accounts && ((one) => firstOf(accounts).includes(one.account_id))],
    [`${name}.domain-filter-ignored`, domains && ((one) => firstOf(domains).includes(one.domain_id))],
    [
      `${name}.events-filter-ignored`,
      events && ((one) => firstOf(events).some((type) => hasEvent(world, one, type))),
    ],
    [
      `${name}.recipient-filter-ignored`,
      recipient_email === undefined ? undefined : (one) => isRecipient(world, one, recipient_email),
    ],
    [
      `${name}.from-filter-ignored`,
      from_email === undefined ? undefined : (one) => isSameAddress(one.from_email, from_email),
    ],
    [
      `${name}.subject-filter-ignored`,
      subject === undefined ? undefined : (one) => hasSubject(world, one, subject),
    ],
    [
      `${name}.message-filter-ignored`,
      message_id === undefined ? undefined : (one) => one.message_id === message_id,
    ],
    [
      `${name}.custom-id-filter-ignored`,
      message_custom_id === undefined ? undefined : (one) => hasCustomId(world, one, message_custom_id),
    ],
  ];
  return tests.flatMap(([fault, test]) => (test === undefined || world.has(fault) ? [] : [test]));
}

function periodTest(world: World, { period_from, period_to }: Filters): Test {
  const period = logPeriod(period_from, period_to, world);
  if (world.has('messages.period-end-excluded'))
    return (one) => one.created_at >= period.from && one.created_at < period.to;
  if (world.has('messages.period-start-excluded'))
    return (one) => one.created_at > period.from && one.created_at <= period.to;
  if (world.has('messages.period-by-update')) return (one) => isWithin(one.updated_at, period);
  return (one) => isWithin(one.created_at, period);
}

function hasEvent(world: World, message: Message, type: string): boolean {
  if (world.has('messages.events-filter-by-last')) return message.events.at(-1)?.type === type;
  if (world.has('messages.events-filter-by-status')) return message.delivery_status === type;
  return message.events.some((event) => event.type === type);
}

function isRecipient(world: World, { recipient_email }: Message, wanted: string): boolean {
  if (world.has('messages.recipient-filter-case-sensitive')) return recipient_email === wanted;
  if (world.has('messages.recipient-filter-contains')) return containsText(recipient_email, wanted);
  return isSameAddress(recipient_email, wanted);
}

function hasSubject(world: World, { subject }: Message, wanted: string): boolean {
  if (world.has('messages.subject-filter-case-sensitive')) return subject.includes(wanted);
  if (world.has('messages.subject-filter-whole')) return subject.toLowerCase() === wanted.toLowerCase();
  return containsText(subject, wanted);
}

function hasCustomId(world: World, { custom_id }: Message, wanted: string): boolean {
  if (world.has('messages.custom-id-filter-contains')) return containsText(custom_id, wanted);
  return custom_id === wanted;
}
