import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { Client } from '../client.ts';
import { submittedMessage } from '../messages.ts';
import { type BenchTenant, basicOf } from '../tenant.ts';

const BATCH = 100;
const CONCURRENCY = 4;
const POLL_MS = 20;

/** Sends so many messages to the API, a few batches of 100 at a time; resolves when all are accepted. */
export async function submit(apiUrl: string, tenant: BenchTenant, messages: number): Promise<void> {
  let left = messages;
  const send = async () => {
    const client = new Client(apiUrl);
    while (left > 0) {
      const length = Math.min(BATCH, left);
      left -= length;
      const body = Array.from({ length }, (_, index) => submittedMessage(tenant.from_email, index));
      await client.json('/v1/send_email', { method: 'POST', authorization: basicOf(tenant), body });
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
}

/** How many messages the database knows as delivered. */
export async function delivered(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ sum: string | null }>('select sum(delivery) from stats_hourly');
  return Number(rows[0]?.sum ?? 0);
}

/** Waits until so many messages are. */
export async function untilDelivered(client: pg.Client, goal: number): Promise<void> {
  while ((await delivered(client)) < goal) await wait(POLL_MS);
}
