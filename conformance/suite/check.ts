import type { SimulatedOutcome } from '../target/target.ts';
import type { Tester } from './tester.ts';

/** A part of a target that it may lack. */
export type Need =
  | 'second_tenant'
  | 'second_account'
  | 'clock'
  | 'sent_mail'
  | 'webhooks'
  | 'webhooks.signed'
  | `simulator.${SimulatedOutcome}`;

/** A case of the suite: makes its own objects, and decides the requirements that the catalogue maps it to. */
export interface Check {
  /** `<scenario file>/<name>`, stable. */
  readonly id: string;
  /** One line for people: what is tried. */
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Absent: core. */
  readonly profile?: 'extensions';
  /** Runs after all others, alone: it moves the clock, or what it looks at must stand still. */
  readonly exclusive?: true;
  /** Returns when the requirements hold. @throws Violation (through the tester) when one does not. */
  run(t: Tester): Promise<void>;
}
