import type { Check } from '../../suite/check.ts';
import { endpoints } from './endpoints.ts';
import { envelopes } from './envelopes.ts';
import { filters } from './filters.ts';
import { pages } from './pages.ts';
import { periods } from './periods.ts';

/** What holds for every endpoint: addresses, envelopes, pages, filters, times and errors. */
export const conventions: readonly Check[] = [...endpoints, ...envelopes, ...pages, ...filters, ...periods];
