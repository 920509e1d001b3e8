import type { Check } from '../../suite/check.ts';
import { accountSequences } from './accounts.ts';
import { domainSequences } from './domains.ts';
import { logSequences } from './log.ts';
import { pages } from './pages.ts';
import { statisticsSequences } from './statistics.ts';
import { suppressionFilters } from './suppression-filters.ts';
import { suppressionSequences } from './suppressions.ts';

export const sequences: readonly Check[] = [
  accountSequences,
  domainSequences,
  suppressionSequences,
  suppressionFilters,
  pages,
  ...logSequences,
  statisticsSequences,
];
