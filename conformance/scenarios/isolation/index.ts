import type { Check } from '../../suite/check.ts';
import { foreign } from './foreign.ts';
import { own } from './own.ts';

/** What belongs to whom: organisations and their accounts. */
export const isolation: readonly Check[] = [...foreign, ...own];
