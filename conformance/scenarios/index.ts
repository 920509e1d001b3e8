import type { Check } from '../suite/check.ts';
import { accounts } from './accounts/index.ts';
import { apiKeys } from './api-keys/index.ts';
import { authentication } from './authentication/index.ts';
import { conventions } from './conventions/index.ts';
import { domains } from './domains/index.ts';
import { events } from './events/index.ts';
import { exports } from './export/index.ts';
import { fuzz } from './fuzz/index.ts';
import { isolation } from './isolation/index.ts';
import { messages } from './messages/index.ts';
import { registration } from './registration/index.ts';
import { sending } from './sending/index.ts';
import { sequences } from './sequences/index.ts';
import { statistics } from './statistics/index.ts';
import { suppressions } from './suppressions/index.ts';
import { users } from './users/index.ts';
import { webhookOperations } from './webhook-operations/index.ts';
import { webhooks } from './webhooks/index.ts';

/** Every check of the suite, in the order in which they start. */
export const CHECKS: readonly Check[] = [
  ...conventions,
  ...accounts,
  ...domains,
  ...authentication,
  ...apiKeys,
  ...registration,
  ...users,
  ...webhookOperations,
  ...suppressions,
  ...fuzz,
  ...messages,
  ...exports,
  ...events,
  ...statistics,
  ...webhooks,
  ...isolation,
  ...sending,
  ...sequences,
];
