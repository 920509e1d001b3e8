import type { Check } from '../../suite/check.ts';
import { attempts } from './attempts.ts';
import { reactions } from './reactions.ts';

export const events: readonly Check[] = [...attempts, ...reactions];
