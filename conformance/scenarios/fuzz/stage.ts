import fc, { type Arbitrary } from 'fast-check';
import type { OwnParts } from '../../arbitraries/requests.ts';
import { label, printable } from '../../arbitraries/strings.ts';
import { valueAt } from '../../suite/answer.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import type { Made } from '../support/made.ts';

/** What requests to an operation need so that nothing is wrong with them but what is meant to be. */
export interface Stage {
  /** What they name that exists. */
  readonly own: OwnParts;
  /** Makes what a single good request uses up, and puts it into the call. */
  readonly fresh?: () => Promise<LooseCall>;
  /** Takes care of what a body of an answer says was made. */
  readonly adopt?: (json: unknown) => void;
  /** What refused requests have left behind all the same, in words. */
  readonly residue?: () => Promise<string | undefined>;
  readonly clean?: () => Promise<void>;
}

export type Staging = (t: Tester, made: Made) => Promise<Stage>;

/** A value that is made anew each time. */
export function anew<T>(make: () => T): Arbitrary<T> {
  return fc.constant(0).map(make);
}

/** A printable name that can be found by what it begins with. */
export function nameWith(marker: string): Arbitrary<string> {
  return printable({ maxLength: 60 }).map((text) => `${marker} ${text}`);
}

/** A plain address that nobody else writes to. */
export function addressOf(t: Tester): Arbitrary<string> {
  return label().map((local) => `${local}.${t.address('r')}`);
}

/** Some of these, at least one. */
export function someOf(ids: readonly string[]): Arbitrary<readonly string[]> {
  return fc.subarray([...ids], { minLength: 1 });
}

/** The text at a path of an answer; '' when there is none. */
export function textAt(json: unknown, path: string): string {
  const value = valueAt(json, path);
  return typeof value === 'string' ? value : '';
}
