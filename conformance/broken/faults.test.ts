import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { FAULTS, isFaultId } from './faults.ts';
import { isVariantId, VARIANTS } from './variants.ts';

const FILES = globSync('**/*.ts', {
  cwd: import.meta.dirname,
  exclude: ['faults', 'faults.ts', 'variants.ts', '**/*.test.ts'],
});
const SOURCE = FILES.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
/** Ids that are made of a part that varies: `${name}.offset-ignored`, `stats.${counter}-drifts`. */
const PATTERNS = [...SOURCE.matchAll(/`([a-z.-]*)\$\{\w+\}([a-z.-]*)`/g)]
  .filter(([, before = '', after = '']) => (before + after).includes('.'))
  .map(([, before = '', after = '']) => ({ before, after }));

test('every fault and every variant is asked for somewhere', () => {
  const isAsked = (id: string) =>
    SOURCE.includes(`'${id}'`) ||
    PATTERNS.some(({ before, after }) => id.startsWith(before) && id.endsWith(after));
  expect(Object.keys(FAULTS).filter((id) => !isAsked(id))).toEqual([]);
  const isUsed = (id: string) => SOURCE.includes(`varies('${id}')`) || SOURCE.includes(`=== '${id}'`);
  const byData = ['rate-limited', 'prefixed'];
  expect(Object.keys(VARIANTS).filter((id) => !isUsed(id))).toEqual(byData);
});

test('every operation has faults, and every fault says what it breaks', () => {
  const faulty = new Set(Object.values(FAULTS).flatMap(({ operations: ids }) => ids));
  expect(Object.keys(operations).filter((id) => ![...faulty].some((one) => one === id))).toEqual([]);
  for (const [id, { title, rule }] of Object.entries(FAULTS)) {
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*\.[a-z0-9_]+(?:-[a-z0-9_]+)*$/);
    expect(title.length * rule.length).toBeGreaterThan(0);
  }
  expect(Object.keys(FAULTS).length).toBeGreaterThanOrEqual(95);
});

test('an id that does not exist is known as such', () => {
  expect(isFaultId('accounts.create-is-200')).toBe(true);
  expect(isFaultId('constructor')).toBe(false);
  expect(isVariantId('slow')).toBe(true);
  expect(isVariantId('toString')).toBe(false);
});
