import type { Check } from '../../suite/check.ts';
import { life } from './life.ts';
import { log } from './log.ts';
import { receiving } from './receiving.ts';
import { refusals } from './refusals.ts';
import { secrets } from './secrets.ts';
import { tests } from './tests.ts';

/** Webhooks of accounts, their secrets and their delivery log (extensions). */
export const webhookOperations: readonly Check[] = [
  ...receiving,
  ...life,
  ...tests,
  ...secrets,
  ...log,
  ...refusals,
];
