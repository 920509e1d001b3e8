import type { Bench } from '../context.ts';
import { accepting } from './accept.ts';
import { delivering } from './deliver.ts';
import { docs } from './docs.ts';
import { exporting } from './export.ts';
import { mock } from './mock.ts';
import { queueing } from './queue.ts';
import { scale } from './scale.ts';
import { startup } from './startup.ts';
import { validation } from './validation.ts';
import { notifying } from './webhooks.ts';

/** Every bench, in the order of the report. */
export const BENCHES: readonly Bench[] = [
  validation,
  accepting,
  delivering,
  notifying,
  queueing,
  scale,
  exporting,
  startup,
  mock,
  docs,
];
