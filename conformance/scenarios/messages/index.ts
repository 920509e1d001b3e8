import type { Check } from '../../suite/check.ts';
import { filters } from './filters.ts';
import { log } from './log.ts';

export const messages: readonly Check[] = [...log, ...filters];
