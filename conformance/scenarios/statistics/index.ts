import type { Check } from '../../suite/check.ts';
import { breakdowns } from './breakdowns.ts';
import { counting } from './counting.ts';
import { form } from './form.ts';

export const statistics: readonly Check[] = [...form, ...breakdowns, ...counting];
