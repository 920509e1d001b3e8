import type { Check } from '../../suite/check.ts';
import { payload } from './payload.ts';
import { requests } from './requests.ts';
import { silence } from './silence.ts';

export const webhooks: readonly Check[] = [...payload, ...silence, ...requests];
