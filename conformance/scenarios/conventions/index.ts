import type { Check } from '../../suite/check.ts';
import { bodies } from './bodies.ts';
import { endpoints } from './endpoints.ts';
import { envelopes } from './envelopes.ts';
import { errors } from './errors.ts';
import { filters } from './filters.ts';
import { pages } from './pages.ts';
import { periods } from './periods.ts';
import { refusals } from './refusals.ts';

/** What holds for every endpoint: addresses, envelopes, pages, filters, times and errors. */
export const conventions: readonly Check[] = [
  ...endpoints,
  ...envelopes,
  ...pages,
  ...filters,
  ...periods,
  ...bodies,
  ...errors,
  ...refusals,
];
