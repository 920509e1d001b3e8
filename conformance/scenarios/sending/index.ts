import type { Check } from '../../suite/check.ts';
import { accepting } from './accepting.ts';
import { refusing } from './refusing.ts';

export const sending: readonly Check[] = [...accepting, ...refusing];
