import type { Bench } from '../context.ts';
import { validation } from './validation.ts';

/** Every bench, in the order of the report. Delivery against Postfix has its place after `accept`. */
export const BENCHES: readonly Bench[] = [validation];
