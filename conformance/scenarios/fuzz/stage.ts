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

// Stands where each request, a shrunk one included, needs a text that nothing else on the server has.
const NEW = 'zznewzz';

/** A printable name that begins with the marker. */
export function nameWith(marker: string): Arbitrary<string> {
  return printable({ maxLength: 60 }).map((text) => `${marker} ${NEW} ${text}`);
}

/** A plain address, another one in each request. */
export function newAddress(prefix = 'a'): Arbitrary<string> {
  return label().map((local) => `${prefix}.${local}.${NEW}@conformance.test`);
}

/** A word, another one in each request. */
export function newWord(): Arbitrary<string> {
  return label().map((text) => `${text}-${NEW}`);
}

/** The text with what has to be new in it. */
export function renewed(t: Tester, text: string): string {
  return text.replaceAll(NEW, () => t.unique('n'));
}

/** Tells of the id at a path of an answer, if there is one. */
export function withId(path: string, take: (id: string) => void): (json: unknown) => void {
  return (json) => {
    const id = valueAt(json, path);
    if (typeof id === 'string' && id !== '') take(id);
  };
}

/** Some of these, at least one. */
export function someOf(ids: readonly string[]): Arbitrary<readonly string[]> {
  return fc.subarray([...ids], { minLength: 1 });
}

/** What was made though it was refused, in words. */
export function leftOver(what: string, found: readonly unknown[]): string | undefined {
  return found.length === 0 ? undefined : `there are ${found.length} new ${what}`;
}
