import fc from 'fast-check';
import type { LoggedMessage, MessageLog } from './message-log.ts';

// For tests: filters of the message list, as they are asked for, and as a plain reading of the documentation understands them.

/** A filter as it is sent. */
export interface Filter {
  period_from?: string;
  period_to?: string;
  account_ids?: string[];
  domain_ids?: string[];
  events?: string[];
  recipient_email?: string;
  from_email?: string;
  subject?: string;
  message_id?: string;
  message_custom_id?: string;
}

const EVENTS = [
  'new',
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'unsibscribe',
  'spam_complaint',
  'open',
  'click',
];
const HOUR = 3_600_000_000n;
const DAY = 24n * HOUR;
const DEFAULT_DAYS = 60n;

/** Up to three filters at once, with values that occur in the log, nearly occur, or do not. */
export function filters(log: MessageLog): fc.Arbitrary<Filter> {
  const rows = log.messages.map(({ row }) => row);
  const anyOf = (values: string[]) => fc.constantFrom(...new Set(values));
  const anyMoment = momentsAround(rows.map((row) => row.created_at));
  const single: Record<string, fc.Arbitrary<Filter>> = {
    period: periodsAround(rows.map((row) => row.created_at)),
    from: anyMoment.map((period_from) => ({ period_from })),
    // Also those whose 60 days begin at a message.
    to: fc.oneof(anyMoment, daysAfter(rows.map((row) => row.created_at))).map((period_to) => ({ period_to })),
    accounts: fc
      .subarray(
        log.accounts.map(({ id }) => id),
        { minLength: 1 },
      )
      .map((account_ids) => ({ account_ids })),
    domains: fc
      .subarray(
        log.domains.map(({ id }) => id),
        { minLength: 1 },
      )
      .map((domain_ids) => ({ domain_ids })),
    events: fc.subarray(EVENTS, { minLength: 1, maxLength: 3 }).map((events) => ({ events })),
    recipient: anyOf(rows.map((row) => row.recipient_email))
      .chain(inAnyCase)
      .map((recipient_email) => ({ recipient_email })),
    sender: anyOf(rows.map((row) => row.from_email))
      .chain(inAnyCase)
      .map((from_email) => ({ from_email })),
    subject: anyOf(rows.map((row) => row.subject))
      .chain(partOf)
      .chain(inAnyCase)
      .map((subject) => ({ subject })),
    id: anyOf(rows.map((row) => row.message_id)).map((message_id) => ({ message_id })),
    customId: anyOf([...rows.map((row) => row.custom_id), 'order', '%']).map((message_custom_id) => ({
      message_custom_id,
    })),
  };
  const names = Object.keys(single);
  return fc
    .subarray(names, { minLength: 1, maxLength: 3 })
    .chain((chosen) => fc.tuple(...chosen.map((name) => single[name] ?? fc.constant({}))))
    .map((parts) => Object.assign({}, ...parts));
}

/** The filter as a query string. */
export function toQuery({
  account_ids = [],
  domain_ids = [],
  events = [],
  ...scalars
}: Filter): URLSearchParams {
  const query = new URLSearchParams(Object.entries(scalars));
  for (const id of account_ids) query.append('account_ids[]', id);
  for (const id of domain_ids) query.append('domain_ids[]', id);
  for (const type of events) query.append('events[]', type);
  return query;
}

/** Whether the message is one that the filter asks for at the moment `now`. */
export function matches({ row, events }: LoggedMessage, filter: Filter, now: string): boolean {
  const { from, to } = periodOf(filter, now);
  const created = microseconds(row.created_at);
  const types = filter.events?.map((type) => (type === 'unsibscribe' ? 'unsubscribe' : type));
  const same = (one: string, other: string | undefined) =>
    other === undefined || one.toLowerCase() === other.toLowerCase();
  return (
    from <= created &&
    created <= to &&
    (filter.account_ids?.includes(row.account_id) ?? true) &&
    (filter.domain_ids?.includes(row.domain_id) ?? true) &&
    (types === undefined || events.some(({ type }) => types.includes(type))) &&
    same(row.recipient_email, filter.recipient_email) &&
    same(row.from_email, filter.from_email) &&
    row.subject.toLowerCase().includes((filter.subject ?? '').toLowerCase()) &&
    (filter.message_id === undefined || filter.message_id === row.message_id) &&
    (filter.message_custom_id === undefined || filter.message_custom_id === row.custom_id)
  );
}

/** The period that a filter means, in microseconds since 1970, both ends included. */
export function periodOf({ period_from, period_to }: Filter, now: string): { from: bigint; to: bigint } {
  const today = now.slice(0, 10);
  if (period_from === undefined && period_to === undefined) {
    return { from: ends(today)[0] - DEFAULT_DAYS * DAY, to: ends(today)[1] };
  }
  if (period_from === undefined) {
    const [, to] = ends(period_to ?? today);
    return { from: to - DEFAULT_DAYS * DAY, to };
  }
  const moments = [...ends(period_from), ...ends(period_to ?? now)].sort((one, other) => Number(one - other));
  return { from: moments[0] ?? 0n, to: moments.at(-1) ?? 0n };
}

/** The first and last microsecond of a moment or a day. */
function ends(text: string): [bigint, bigint] {
  if (text.length > 10) return [microseconds(text), microseconds(text)];
  const start = microseconds(`${text}T00:00:00Z`);
  return [start, start + DAY - 1n];
}

/** An RFC 3339 moment in microseconds since 1970. */
export function microseconds(text: string): bigint {
  const [, seconds = '', fraction = '', offset = ''] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  return BigInt(Date.parse(seconds + offset)) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Microseconds since 1970 as RFC 3339, in UTC or another offset. */
export function moment(value: bigint, offsetHours = 0): string {
  const local = new Date(Number(value / 1000n) + offsetHours * 3_600_000).toISOString().slice(0, 23);
  const sign = offsetHours < 0 ? '-' : '+';
  const zone = offsetHours === 0 ? 'Z' : `${sign}${String(Math.abs(offsetHours)).padStart(2, '0')}:00`;
  return `${local}${String(value % 1000n).padStart(3, '0')}${zone}`;
}

/** Moments at, just before and just after those given, the hours around them, and their days. */
function momentsAround(given: string[]): fc.Arbitrary<string> {
  const near = fc.record({
    at: fc.constantFrom(...given),
    shift: fc.constantFrom(0n, -1n, 1n, HOUR, -HOUR / 4n),
    hour: fc.boolean(),
    offset: fc.constantFrom(0, 2, -11),
  });
  const exact = near.map(({ at, shift, hour, offset }) => {
    const value = microseconds(at);
    return moment((hour ? value - (value % HOUR) : value) + shift, offset);
  });
  return fc.oneof(
    { weight: 4, arbitrary: exact },
    { weight: 1, arbitrary: fc.constantFrom(...given.map((at) => at.slice(0, 10))) },
  );
}

/** Periods between any of these moments, and from or to one of them within its hour. */
export function periodsAround(given: string[]): fc.Arbitrary<{ period_from: string; period_to: string }> {
  const anywhere = momentsAround(given);
  const withinHour = fc.constantFrom(...given).chain((at) => {
    const value = microseconds(at);
    const start = value - (value % HOUR);
    const end = fc
      .constantFrom(start, start + HOUR - 1n, value, value - 1n, value + 1n)
      .map((one) => moment(one));
    return fc.record({ period_from: end, period_to: end });
  });
  return fc.oneof(fc.record({ period_from: anywhere, period_to: anywhere }), withinHour);
}

function daysAfter(given: string[]): fc.Arbitrary<string> {
  const near = fc.tuple(fc.constantFrom(...given), fc.constantFrom(-1n, 0n, 1n));
  return near.map(([at, shift]) => moment(microseconds(at) + DEFAULT_DAYS * DAY + shift));
}

function inAnyCase(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(text, text.toUpperCase(), text.toLowerCase());
}

function partOf(text: string): fc.Arbitrary<string> {
  const characters = [...text];
  return fc
    .tuple(fc.nat(characters.length - 1), fc.nat(characters.length))
    .map(([start, length]) => characters.slice(start, start + length + 1).join(''));
}
