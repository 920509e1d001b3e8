import { randomUUID } from 'node:crypto';
import type { MessageVerdict } from '../server/contract/message-check.ts';
import { isObject, type JsonObject } from './json.ts';

/** How the messages of a batch are judged, and what the examples have for them. */
export interface BatchParts {
  check(message: unknown): MessageVerdict;
  /** Ids of messages that other examples show; they are given out first. */
  messageIds: readonly string[];
}

const ALL_ACCEPTED = 200;
const SOME_REJECTED = 207;

/**
 * The answer to a batch: one item for each message, in order. A message that is wrong is rejected as the server rejects it; the others are
 * answered like the items of the example, which are repeated over the batch. When a rejection was asked for, there is one.
 */
export function batchAnswer(
  messages: readonly unknown[],
  example: readonly unknown[],
  wanted: number,
  parts: BatchParts,
): { status: number; body: { data: JsonObject[]; meta: JsonObject } } {
  const models = example.filter(isObject);
  const ids = parts.messageIds.values();
  const data = messages.map((message, index) => {
    const verdict = parts.check(message);
    if (!verdict.valid) return rejection(verdict);
    const customId = verdict.message.custom_id ?? '';
    const model = models[index % models.length];
    const isRejected = model !== undefined && isRejection(model);
    return isRejected ? { ...model, custom_id: customId } : acceptance(ids.next().value, customId);
  });
  const refusal = models.find(isRejection);
  const last = data.at(-1);
  if (wanted === SOME_REJECTED && refusal !== undefined && last !== undefined && !data.some(isRejection)) {
    data.splice(-1, 1, { ...refusal, custom_id: last.custom_id });
  }
  const status = data.some(isRejection) ? SOME_REJECTED : ALL_ACCEPTED;
  return { status, body: { data, meta: {} } };
}

function isRejection(item: JsonObject): boolean {
  return item.status === 'rejected';
}

function acceptance(id: string | undefined, customId: string): JsonObject {
  return { message_id: id ?? randomUUID(), custom_id: customId, status: 'accepted', errors: [] };
}

function rejection({ code, errors, customId }: Extract<MessageVerdict, { valid: false }>): JsonObject {
  return { message_id: '', custom_id: customId, status: 'rejected', code, errors };
}
