import type { Check } from '../../suite/check.ts';
import { endpoints } from './endpoints.ts';

/** What holds for every endpoint: addresses, envelopes, pages, filters, times and errors. */
export const conventions: readonly Check[] = [...endpoints];
