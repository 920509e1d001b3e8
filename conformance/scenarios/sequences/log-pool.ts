import fc from 'fast-check';
import { isDeclared } from '../../suite/runner.ts';
import { accepted, type Message, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import type { TargetAccount } from '../../target/target.ts';
import {
  type EventType,
  type Filters,
  type LoggedMessage,
  logged,
  periodOf,
  searchable,
} from '../support/log.ts';
import { type Domain, unknownId } from '../support/made.ts';
import { compareMoments, endOf, inOrder } from '../support/moments.ts';
import { texts } from '../support/values.ts';

const WORDS = ['Spring', 'spring Sale', 'Winter', 'sale of Winter'];
const RECIPIENTS = 4;
const CUSTOM_IDS = 3;
const MESSAGES = { minLength: 8, maxLength: 12 };
const BATCH = 3;

/** Messages of one sender that nobody else has, as they were sent and as they are in the log. */
export interface Pool {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly customIds: readonly string[];
  readonly accounts: readonly TargetAccount[];
  readonly domains: readonly string[];
  readonly entries: readonly LoggedMessage[];
  /** Around everything that is in it. */
  readonly period: { readonly period_from: string; readonly period_to: string };
}

const plans = fc.array(
  fc.record({
    word: fc.constantFrom(...WORDS),
    text: texts(30),
    recipient: fc.nat({ max: RECIPIENTS - 1 }),
    customId: fc.nat({ max: CUSTOM_IDS - 1 }),
  }),
  MESSAGES,
);

/** Sends generated messages, the same for the same seed, by the accounts in turn; `other` is a domain that sends nothing. */
export async function fillLog(t: Tester, other: Domain): Promise<Pool> {
  const [plan = []] = fc.sample(plans, { seed: t.seed, numRuns: 1 });
  const { account, secondAccount } = t.tenant;
  const accounts =
    isDeclared(t.target, 'second_account') && secondAccount ? [account, secondAccount] : [account];
  const sender = `${t.unique('sender')}@${t.tenant.fromEmail.split('@')[1]}`;
  const recipients = Array.from({ length: RECIPIENTS }, () => t.address('Reader'));
  const customIds = Array.from({ length: CUSTOM_IDS }, () => t.unique('Pool'));
  const ids: string[] = [];
  for (let at = 0; at < plan.length; at += BATCH) {
    const batch = plan.slice(at, at + BATCH);
    const by = accounts[(at / BATCH) % accounts.length];
    const messages = batch.map(({ word, text, recipient, customId }): Message => {
      const to = [{ email: recipients[recipient] ?? '' }];
      return mail(t, {
        from: { email: sender },
        to,
        subject: `${word} ${text}`,
        custom_id: customIds[customId] ?? '',
      });
    });
    ids.push(...(await accepted(t, messages, by)));
  }
  await searchable(t, 'listMessages', ids);
  const entries = await Promise.all(ids.map((id) => logged(t, id)));
  const domains = [t.tenant.domainId, other.domain_id];
  return { sender, recipients, customIds, accounts, domains, entries, period: await periodOf(t, ids) };
}

/** A question to the log, in places of the pool: each part, or none. */
export const questions = fc.record({
  accounts: sometimes(fc.shuffledSubarray([0, 1], { minLength: 1 })),
  domains: sometimes(fc.shuffledSubarray([0, 1], { minLength: 1 })),
  message: sometimes(fc.nat({ max: MESSAGES.maxLength - 1 })),
  recipient: sometimes(fc.record({ place: fc.nat({ max: RECIPIENTS }), isShouted: fc.boolean() })),
  subject: sometimes(fc.constantFrom('spring', 'SALE', 'Winter', 'sale of', 'autumn')),
  customId: sometimes(fc.nat({ max: CUSTOM_IDS })),
  events: sometimes(fc.shuffledSubarray(['new', 'spam_complaint', 'click'] as const, { minLength: 1 })),
  period: sometimes(fc.tuple(fc.nat({ max: MESSAGES.maxLength }), fc.nat({ max: MESSAGES.maxLength }))),
});
export type Question = typeof questions extends fc.Arbitrary<infer T> ? T : never;

function sometimes<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(values, { freq: 2 });
}

/** The question as filters, and which messages of the pool answer it. A place that the pool does not have is nobody's. */
export function asked(t: Tester, pool: Pool, question: Question) {
  const { accounts, domains, message, recipient, subject, customId, events, period } = question;
  const ids = accounts?.flatMap((place) => pool.accounts[place]?.account_id ?? []) ?? [];
  const domainIds = domains?.flatMap((place) => pool.domains[place] ?? []) ?? [];
  const id = message === null ? undefined : (pool.entries[message]?.message_id ?? unknownId());
  const address = recipient === null ? undefined : (pool.recipients[recipient.place] ?? t.address());
  const custom = customId === null ? undefined : (pool.customIds[customId] ?? t.unique('nothing'));
  const range = period === null ? pool.period : rangeOf(pool, period);
  const filters: Filters = {
    ...range,
    from_email: pool.sender,
    ...(ids.length === 0 ? {} : { 'account_ids[]': ids }),
    ...(domainIds.length === 0 ? {} : { 'domain_ids[]': domainIds }),
    ...(id === undefined ? {} : { message_id: id }),
    ...(address === undefined
      ? {}
      : { recipient_email: recipient?.isShouted ? address.toUpperCase() : address }),
    ...(subject === null ? {} : { subject }),
    ...(custom === undefined ? {} : { message_custom_id: custom }),
    ...(events === null ? {} : { 'events[]': events }),
  };
  const [from = '', to = ''] = inOrder([range.period_from, range.period_to]);
  const happened: readonly EventType[] = ['new'];
  const expected = pool.entries.filter(
    (one) =>
      (ids.length === 0 || ids.includes(one.account_id)) &&
      (domainIds.length === 0 || domainIds.includes(one.domain_id)) &&
      (id === undefined || one.message_id === id) &&
      (address === undefined || one.recipient_email.toLowerCase() === address.toLowerCase()) &&
      (subject === null || one.subject.toLowerCase().includes(subject.toLowerCase())) &&
      (custom === undefined || one.custom_id === custom) &&
      (events === null || events.some((type) => happened.includes(type))) &&
      compareMoments(one.created_at, from) >= 0 &&
      compareMoments(one.created_at, to) <= 0,
  );
  return { filters, expected };
}

/** From the acceptance of one message to that of another, in either order. */
function rangeOf({ entries }: Pool, places: readonly [number, number]) {
  const [one = '', other = ''] = places.map((place) => entries[place % entries.length]?.created_at);
  const isForward = compareMoments(one, other) <= 0;
  return isForward
    ? { period_from: one, period_to: endOf(other) }
    : { period_from: endOf(one), period_to: other };
}
