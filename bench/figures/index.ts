import type { Bench } from '../context.ts';
import { accepting } from './accept.ts';
import { delivering } from './deliver.ts';
import { exporting } from './export.ts';
import { queueing } from './queue.ts';
import { scale } from './scale.ts';
import { startup } from './startup.ts';
import { validation } from './validation.ts';

/** Every bench, in the order of the report. */
export const BENCHES: readonly Bench[] = [
  validation,
  accepting,
  delivering,
  queueing,
  scale,
  exporting,
  startup,
];
