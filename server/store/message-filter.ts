import { type RawBuilder, sql } from 'kysely';
import { eventBit, type MessageEventType } from '../domain/events.ts';
import { requireAllOwn } from './ownership.ts';
import { contains } from './page.ts';
import type { MessageFilter } from './rows.ts';
import type { Scope } from './scope.ts';

type Condition = RawBuilder<unknown> | undefined;

/** Throws when an id of the filter is unknown or another organisation's; a `message_id` that matches nothing is just a search. */
export async function checkFilterIds(scope: Scope, filter: MessageFilter): Promise<void> {
  const { account_ids: accounts = [], domain_ids: domains = [], message_id: message } = filter;
  await requireAllOwn(scope, [
    { kind: 'account', ids: accounts },
    { kind: 'domainEver', ids: domains },
    { kind: 'message', ids: message === undefined ? [] : [message], mayBeMissing: true },
  ]);
}

/** Whether the filter asks for nothing but what the counters know: then totals and pages need not search the log. */
export function isCountable(filter: MessageFilter): boolean {
  const { recipient_email, from_email, subject, message_id, message_custom_id } = filter;
  return [recipient_email, from_email, subject, message_id, message_custom_id].every(
    (value) => value === undefined,
  );
}

/** The conditions that the log and all counters share, without the period. */
export function ownerConditions(filter: MessageFilter, alias: string): Condition[] {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const { account_ids: accounts = [], domain_ids: domains = [] } = filter;
  return [
    accounts.length > 0 ? sql`${column('account_id')} = any(${accounts}::uuid[])` : undefined,
    domains.length > 0 ? sql`${column('domain_id')} = any(${domains}::uuid[])` : undefined,
  ];
}

/** The conditions on messages (as `m`) that counters can answer too, without the period. */
export function countableConditions(filter: MessageFilter): Condition[] {
  const { events = [] } = filter;
  return [
    ...ownerConditions(filter, 'm'),
    events.length > 0 ? sql`m.event_mask & ${bitsOf(events)}::smallint <> 0` : undefined,
  ];
}

/** The bits of these types in an event mask. */
export function bitsOf(events: readonly MessageEventType[]): number {
  return events.reduce((mask, type) => mask | eventBit(type), 0);
}

/** The conditions on messages (as `m`) that only the log can answer. */
export function searchConditions(scope: Scope, filter: MessageFilter): Condition[] {
  const { recipient_email, from_email, subject, message_id, message_custom_id } = filter;
  return [
    recipient_email === undefined ? undefined : sql`lower(m.recipient_email) = lower(${recipient_email})`,
    from_email === undefined ? undefined : sql`lower(m.from_email) = lower(${from_email})`,
    contains('m.subject', subject),
    message_id === undefined ? undefined : sql`m.message_id = ${message_id}`,
    message_custom_id === undefined ? undefined : hasCustomId(scope, message_custom_id),
  ];
}

/** That the account of a row is not deleted: its log is invisible at once, though it goes away bit by bit. */
export function isVisible(alias: string): RawBuilder<unknown> {
  return sql`not exists (
    select from accounts gone where gone.account_id = ${sql.ref(`${alias}.account_id`)} and gone.deleted_at is not null
  )`;
}

// The index on custom_ids begins with the account, and leaves out the empty custom_id, which most messages have.
function hasCustomId(scope: Scope, customId: string): Condition {
  if (customId === '') return sql`m.custom_id = ''`;
  return sql`m.custom_id = ${customId} and m.custom_id <> '' and m.account_id = any(array(
    select account_id from accounts where organisation_id = ${scope.organisationId}
  ))`;
}
