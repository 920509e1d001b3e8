import type { Check } from '../suite/check.ts';

/** Every check of the suite, in the order in which they start. */
export const CHECKS: readonly Check[] = [];
