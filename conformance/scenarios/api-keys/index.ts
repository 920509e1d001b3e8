import type { Check } from '../../suite/check.ts';
import { life } from './life.ts';
import { refusals } from './refusals.ts';

/** API keys of accounts (extensions). */
export const apiKeys: readonly Check[] = [...life, ...refusals];
