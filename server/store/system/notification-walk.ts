import { sql } from 'kysely';
import type { StoreParts } from '../scope.ts';
import { FIRST_ID } from './retention.ts';

/** A stretch of the way past the webhooks that something waits for. */
export interface Stretch {
  /** Those with something due, in the order of their ids. */
  due: string[];
  /** Where the next stretch begins: behind this webhook. */
  end: string;
}

/** Where the way begins, and begins again. */
export const START = FIRST_ID;

// A statement of some milliseconds, however many webhooks wait.
const MOST_PASSED = 1_000;

interface PassedRow {
  webhook_id: string;
  position: number;
  is_due: boolean;
}

/**
 * Goes past the webhooks behind this one, and tells which of them have something due. Only two entries of the indexes of what is pending
 * are read for each of them, however much waits.
 */
export async function walk({ db, clock }: StoreParts, after: string): Promise<Stretch> {
  const now = clock.now();
  const { rows } = await sql<PassedRow>`
    with recursive passed (position, webhook_id, untried_of, again_of, again_at) as (
      select 0, ${after}::uuid, null::uuid, null::uuid, null::timestamptz
      union all
      select position + 1, least(untried.webhook_id, again.webhook_id), untried.webhook_id, again.webhook_id, again.next_attempt_at
      from passed
        left join lateral (
          select p.webhook_id from webhook_deliveries p
          where p.status = 'pending' and p.attempts_made = 0 and p.webhook_id > passed.webhook_id
          order by p.webhook_id limit 1
        ) as untried on true
        left join lateral (
          select p.webhook_id, p.next_attempt_at from webhook_deliveries p
          where p.status = 'pending' and p.attempts_made > 0 and p.webhook_id > passed.webhook_id
          order by p.webhook_id, p.next_attempt_at limit 1
        ) as again on true
      where passed.webhook_id is not null and position < ${MOST_PASSED}
    ), judged as (
      select webhook_id, position,
        coalesce(untried_of = webhook_id, false) or coalesce(again_of = webhook_id and again_at <= ${now}, false) as is_due
      from passed where position > 0 and webhook_id is not null
    )
    select webhook_id, position, is_due from judged where is_due or position = ${MOST_PASSED} order by position`.execute(
    db,
  );
  const last = rows.at(-1);
  return {
    due: rows.filter(({ is_due }) => is_due).map(({ webhook_id }) => webhook_id),
    end: last?.position === MOST_PASSED ? last.webhook_id : START,
  };
}
