import type { OperationId } from '../../generated/operations.ts';
import { ACCOUNT_RULES, API_KEY_RULES } from './faults/accounts.ts';
import { AUTHENTICATION_RULES } from './faults/authentication.ts';
import { DOMAIN_RULES } from './faults/domains.ts';
import { EVENT_RULES, STATISTICS_RULES } from './faults/events.ts';
import { HTTP_RULES } from './faults/http.ts';
import { LIST_RULES } from './faults/lists.ts';
import { EXPORT_RULES, MESSAGE_RULES } from './faults/messages.ts';
import { CUSTOM_ID_RULES, MAIL_RULES, SENDING_RULES } from './faults/sending.ts';
import { SUPPRESSION_RULES } from './faults/suppressions.ts';
import { USER_RULES } from './faults/users.ts';
import { WEBHOOK_LOG_RULES, WEBHOOK_OPERATION_RULES } from './faults/webhook-operations.ts';
import { WEBHOOK_RULES } from './faults/webhooks.ts';

/** One thing that a server does wrong, while everything else is right. */
export interface Fault {
  title: string;
  /** The sentence it breaks. */
  rule: string;
  /** Where it shows; empty means everywhere. */
  operations: readonly OperationId[];
  /** The requests a minute without which it does not show. */
  rateLimit?: number;
}

const RULES = [
  ...HTTP_RULES,
  ...LIST_RULES,
  ...AUTHENTICATION_RULES,
  ...ACCOUNT_RULES,
  ...API_KEY_RULES,
  ...DOMAIN_RULES,
  ...SUPPRESSION_RULES,
  ...SENDING_RULES,
  ...CUSTOM_ID_RULES,
  ...MAIL_RULES,
  ...MESSAGE_RULES,
  ...EXPORT_RULES,
  ...EVENT_RULES,
  ...STATISTICS_RULES,
  ...WEBHOOK_RULES,
  ...WEBHOOK_OPERATION_RULES,
  ...WEBHOOK_LOG_RULES,
  ...USER_RULES,
] as const;

type KeysOf<T> = T extends unknown ? keyof T & string : never;
export type FaultId = KeysOf<(typeof RULES)[number]['faults']>;

/** Every fault by its id. */
export const FAULTS: Readonly<Record<FaultId, Fault>> = byId();

function byId(): Record<FaultId, Fault> {
  const faults: Record<string, Fault> = {};
  for (const { faults: titles, ...common } of RULES) {
    for (const [id, title] of Object.entries(titles)) faults[id] = { title, ...common };
  }
  if (!isComplete(faults)) throw new Error('A fault is missing from the list.');
  return faults;
}

function isComplete(faults: Record<string, Fault>): faults is Record<FaultId, Fault> {
  return RULES.every(({ faults: titles }) => Object.keys(titles).every((id) => Object.hasOwn(faults, id)));
}

/** Whether there is such a fault. */
export function isFaultId(id: string): id is FaultId {
  return Object.hasOwn(FAULTS, id);
}
