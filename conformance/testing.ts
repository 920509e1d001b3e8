import { expect } from 'vitest';
import { readCaught, violationsOf } from './broken/catch.ts';
import type { FaultId } from './broken/faults.ts';

const caught = readCaught();

/** Proves that a planted fault is caught by the check that is written down for it, citing the requirement that it breaks. */
export async function expectCaught(fault: FaultId): Promise<void> {
  const expected = caught[fault];
  if (expected === undefined) throw new Error('no check is written down for it');
  expect(await violationsOf(fault, [expected.check])).toContainEqual(expected);
}
