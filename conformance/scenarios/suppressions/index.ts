import type { Check } from '../../suite/check.ts';
import { life } from './life.ts';
import { list } from './list.ts';

export const suppressions: readonly Check[] = [...life, ...list];
