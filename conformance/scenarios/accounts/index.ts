import type { Check } from '../../suite/check.ts';
import { changes } from './changes.ts';
import { life } from './life.ts';
import { list } from './list.ts';

export const accounts: readonly Check[] = [...life, ...changes, ...list];
