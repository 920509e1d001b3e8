import type { Check } from '../../suite/check.ts';
import { changes } from './changes.ts';
import { life } from './life.ts';
import { rotation } from './rotation.ts';
import { verification } from './verification.ts';

export const domains: readonly Check[] = [...life, ...changes, ...verification, ...rotation];
