import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Where the sender wants requests to unsubscribe to go moves from the content of a message, which is deleted when its fate is
 * final, to the message itself: the recipient follows the link later.
 */
export const listUnsubscribe: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table messages add column list_unsubscribe text`.execute(db);
    await sql`
      update messages m set list_unsubscribe = c.list_unsubscribe from message_contents c
      where m.message_id = c.message_id and c.list_unsubscribe is not null`.execute(db);
    await sql`alter table message_contents drop column list_unsubscribe`.execute(db);
  },
};
