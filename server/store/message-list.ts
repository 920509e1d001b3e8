import type { RawBuilder } from 'kysely';
import type { Period } from '../domain/periods.ts';
import { countableConditions, isCountable, isVisible, searchConditions } from './message-filter.ts';
import { planPage } from './message-plan.ts';
import { andAlso, pageClause, toPage } from './page.ts';
import type { MessageFilter, MessageRow, Page, PageRequest } from './rows.ts';
import { own, type Scope } from './scope.ts';

/**
 * A page of the log, newest first, with the exact total. Period, accounts, domains and events are answered by counters
 * at any size of the log; an address, custom_id or message_id by its index; a subject or sender by reading the period.
 */
export async function listMessages(
  scope: Scope,
  filter: MessageFilter,
  page: PageRequest,
): Promise<Page<MessageRow>> {
  const conditions = logConditions(scope, filter);
  if (!isCountable(filter)) return search(scope, filter, page, conditions);
  const { total, parts, skip } = await planPage(scope, filter, page);
  if (parts.length === 0) return { rows: [], total };
  const rows = await readLog(scope, parts, conditions, { limit: page.limit, offset: skip });
  return { rows, total };
}

/** All conditions of a filter on messages (as `m`), without the period. */
export function logConditions(scope: Scope, filter: MessageFilter): RawBuilder<unknown> {
  return andAlso([isVisible('m'), ...countableConditions(filter), ...searchConditions(scope, filter)]);
}

async function search(
  scope: Scope,
  filter: MessageFilter,
  page: PageRequest,
  conditions: RawBuilder<unknown>,
): Promise<Page<MessageRow>> {
  const { period } = filter;
  const counted = await scope.rows<{ total: number }>`
    select count(*) as total from messages m
    where m.organisation_id = ${own} and m.created_at between ${period.from} and ${period.to} ${conditions}`;
  return toPage(await readLog(scope, [period], conditions, page), counted);
}

// Each part is read newest first along the index, and no further than the page goes. The names are joined to the rows of the
// page only.
function readLog(
  scope: Scope,
  parts: readonly Period[],
  conditions: RawBuilder<unknown>,
  page: PageRequest,
): Promise<MessageRow[]> {
  return scope.rows<MessageRow>`
    with page as (
      select m.* from (values (${own}::uuid)) as owner (organisation_id) cross join unnest(
        ${parts.map(({ from }) => from)}::timestamptz[], ${parts.map(({ to }) => to)}::timestamptz[]
      ) as part (first, last) cross join lateral (
        select * from messages m
        where m.organisation_id = owner.organisation_id and m.created_at between part.first and part.last ${conditions}
        order by m.created_at desc, m.message_id desc limit ${page.offset + page.limit}
      ) m
      order by m.created_at desc, m.message_id desc ${pageClause(page)}
    )
    select m.message_id, m.custom_id, m.recipient_email, m.from_email, m.subject, m.domain_id, m.account_id,
      d.name as domain_name, a.name as account_name, m.created_at, m.updated_at, m.delivery_status, m.opened_at,
      m.clicked_at, m.unsubscribed_at, m.spam_complaint_at
    from page m join accounts a using (account_id) join domains d using (domain_id)
    order by m.created_at desc, m.message_id desc`;
}
