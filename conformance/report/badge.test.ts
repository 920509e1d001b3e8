import { expect, test } from 'vitest';
import { badgeOf } from './badge.ts';
import { conformantReport, sampleReport } from './testing.ts';

test('a badge says what was judged, and how it ended', () => {
  expect(badgeOf(conformantReport())).toEqual({
    schemaVersion: 1,
    label: 'sendspec conformance',
    message: 'core + extensions: conformant',
    color: 'brightgreen',
  });
  expect(badgeOf(sampleReport())).toMatchObject({ message: 'core + extensions: 2 failing', color: 'red' });
  expect(badgeOf(sampleReport({ verdict: 'partial', exit_code: 3 }))).toMatchObject({
    message: 'core + extensions: 1 untested',
    color: 'yellow',
  });
  expect(badgeOf(sampleReport({ verdict: 'error', exit_code: 2 }))).toMatchObject({
    message: 'core + extensions: not judged',
    color: 'lightgrey',
  });
});

test('a profile that was not judged is not named', () => {
  const { target } = sampleReport();
  const core = { ...conformantReport(), target: { ...target, profiles: ['core'] as const } };
  expect(badgeOf(core).message).toBe('core: conformant');
});

test('a selection does not shine like a whole run', () => {
  const selected = { ...conformantReport(), selection: ['accounts.starts-active'] };
  expect(badgeOf(selected)).toMatchObject({
    message: 'core + extensions: conformant (selection)',
    color: 'yellow',
  });
});
