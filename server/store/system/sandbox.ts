import { sql } from 'kysely';
import type { CapturedMail } from '../delivery-rows.ts';
import type { StoreParts } from '../scope.ts';
import type { SandboxStore } from '../store.ts';

/** The mails that the sandbox took in instead of the world. */
export function sandboxStore({ db }: StoreParts): SandboxStore {
  return {
    capture: async (mails) => {
      if (mails.length === 0) return;
      const rows = mails.map(
        (mail) => sql`(${mail.from}, ${mail.to}::text[], ${mail.received_at}, ${mail.raw})`,
      );
      await sql`
        insert into captured_mails (mail_from, recipients, received_at, raw) values ${sql.join(rows)}`.execute(
        db,
      );
    },
    captured: async ({ to, containing, limit }) => {
      const isTo =
        to === undefined
          ? sql`true`
          : sql`exists (select from unnest(recipients) as r where lower(r) = lower(${to}))`;
      const contains =
        containing === undefined ? sql`true` : sql`position(${Buffer.from(containing)} in raw) > 0`;
      const { rows } = await sql<CapturedMail>`
        select mail_from as "from", recipients as "to", received_at, raw from captured_mails where ${isTo} and ${contains}
        order by captured_mail_id desc limit ${limit}`.execute(db);
      return rows;
    },
    prune: async (keep) => {
      await sql`
        delete from captured_mails where captured_mail_id <= (
          select captured_mail_id from captured_mails order by captured_mail_id desc offset ${keep} limit 1
        )`.execute(db);
    },
  };
}
