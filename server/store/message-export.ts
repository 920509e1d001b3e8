import { sql } from 'kysely';
import { logConditions } from './message-list.ts';
import type { ExportRow, MessageFilter } from './rows.ts';
import { own, type Scope } from './scope.ts';

// Larger pages are no faster, and their rows live long enough to be taken for long-lived ones.
const PAGE_ROWS = 500;

/**
 * All messages of a filter, newest first, in pages. Each page is found by the last row of the one before, so memory stays
 * constant and no transaction stays open; what is accepted meanwhile is not among them.
 */
export async function* exportMessages(scope: Scope, filter: MessageFilter): AsyncGenerator<ExportRow[]> {
  const conditions = logConditions(scope, filter);
  const { from, to } = filter.period;
  let last: ExportRow | undefined;
  do {
    const after =
      last === undefined
        ? sql``
        : sql`and (m.created_at, m.message_id) < (${last.created_at}, ${last.message_id}::uuid)`;
    const until = last === undefined ? to : last.created_at;
    const rows = await scope.rows<ExportRow>`
      with page as (
        select * from messages m
        where m.organisation_id = ${own} and m.created_at between ${from} and ${until} ${after} ${conditions}
        order by m.created_at desc, m.message_id desc limit ${PAGE_ROWS}
      )
      select m.message_id, m.custom_id, m.recipient_email, m.from_email, m.subject, m.domain_id, m.account_id,
        d.name as domain_name, a.name as account_name, m.created_at, m.updated_at, m.delivery_status, m.opened_at,
        m.clicked_at, m.unsubscribed_at, m.spam_complaint_at, m.smtp_response
      from page m join accounts a using (account_id) join domains d using (domain_id)
      order by m.created_at desc, m.message_id desc`;
    if (rows.length > 0) yield rows;
    last = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  } while (last !== undefined);
}
