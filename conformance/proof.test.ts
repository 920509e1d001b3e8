import { describe, expect, test } from 'vitest';
import { readCaught } from './broken/catch.ts';
import { FAULTS, isFaultId } from './broken/faults.ts';
import { expectCaught } from './testing.ts';

// A sample of what `npm run test:proof` shows of every planted fault.

const EVERY = 20;
const caught = readCaught();
const faults = Object.keys(FAULTS).filter(isFaultId);

test('for every planted fault a check is written down', () => {
  expect(faults.filter((fault) => caught[fault] === undefined)).toEqual([]);
  expect(Object.keys(caught).filter((id) => !isFaultId(id))).toEqual([]);
});

describe.concurrent('a planted fault is caught', { retry: 3 }, () => {
  test.each(faults.filter((_, index) => index % EVERY === 0))('%s', (fault) => expectCaught(fault));
});
