import { setTimeout as wait } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

export interface SenderOptions {
  /** Tells its custom_ids from those of the others. */
  name: string;
  apiUrl: string;
  authorization: string;
  fromEmail: string;
  ledger: Ledger;
  /** Whether there is to be another batch. */
  goesOn(): boolean;
}

/** The part of an answer's item that counts here. */
interface Item {
  message_id: string;
  custom_id: string;
  status: string;
  code?: string;
}

const BATCH = 25;
const BATCH_EVERY_MS = 350;
const PATIENCE_MS = 20_000;
const REPEAT_AFTER_MS = 300;
// Each message has a recipient of its own, whom only its own bounce can have suppressed.
const ACCEPTED_BEFORE: ReadonlySet<string> = new Set(['CUSTOM_ID_NOT_UNIQUE', 'EMAIL_SUPPRESSED']);
const ANSWERED: ReadonlySet<number> = new Set([200, 207]);

/**
 * Sends batch after batch as a careful client does. Where an answer does not come, or is a 5xx, the outcome is unknown:
 * every second batch has unique custom_ids and is sent again until it is known; the others are given up, and sent
 * anew under other custom_ids.
 */
export async function sendBatches(options: SenderOptions): Promise<void> {
  for (let number = 0; options.goesOn(); number += 1) {
    await Promise.all([sendBatch(options, number), wait(BATCH_EVERY_MS)]);
  }
}

async function sendBatch(options: SenderOptions, number: number): Promise<void> {
  const { ledger } = options;
  const isUnique = number % 2 === 0;
  for (let attempt = 0; ; attempt += 1) {
    const prefix = `${options.name}-${number}${isUnique ? '' : `-${attempt}`}`;
    const batch = Array.from({ length: BATCH }, (_, index) =>
      message(options, `${prefix}-${index}`, index, isUnique),
    );
    const items = await post(options, batch);
    if (items !== undefined) {
      for (const item of items) note(ledger, item, isUnique && attempt > 0);
      return;
    }
    ledger.repeated += 1;
    if (!isUnique) for (const { custom_id: id } of batch) ledger.unknown.add(id);
    await wait(REPEAT_AFTER_MS);
  }
}

function message({ fromEmail }: SenderOptions, customId: string, index: number, isUnique: boolean) {
  const kind = index === 7 ? 'unknown' : index === 13 ? 'later' : 'ok';
  return {
    from: { email: fromEmail },
    to: [{ email: `${kind}-${customId}@sink.example.com` }],
    subject: `Message ${customId}`,
    body: {
      html: `<p>Message <a href="https://example.com/${customId}">${customId}</a></p>`,
      text: `Message ${customId}`,
    },
    custom_id: customId,
    custom_id_unique: isUnique,
    track_clicks: true,
  };
}

/** Undefined when nobody can say what became of it. */
async function post(
  { apiUrl, authorization, ledger }: SenderOptions,
  batch: object[],
): Promise<Item[] | undefined> {
  try {
    const response = await fetch(`${apiUrl}/v1/send_email`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(batch),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (ANSWERED.has(response.status)) return JSON.parse(text).data;
    if (response.status < 500) ledger.oddAnswers.push(`${response.status} ${text.slice(0, 200)}`);
  } catch {
    // The connection was refused or lost, or nobody answered in time.
  }
  return undefined;
}

function note(ledger: Ledger, item: Item, isRepeated: boolean): void {
  if (item.status === 'accepted') ledger.accepted.set(item.message_id, item.custom_id);
  else if (isRepeated && ACCEPTED_BEFORE.has(item.code ?? '')) ledger.acceptedUnseen.add(item.custom_id);
  else ledger.oddAnswers.push(JSON.stringify(item).slice(0, 200));
}
