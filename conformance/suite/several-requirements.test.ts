import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startBrokenServer } from '../broken/server.ts';
import type { Check } from './check.ts';
import { openRun } from './run-context.ts';
import { runChecks } from './runner.ts';
import type { Tester } from './tester.ts';

const CITED = ['accounts.starts-active', 'accounts.created-active'];

const atOnce: Check = {
  id: 'made-up/at-once',
  title: 'Cites two requirements for the same expectation',
  async run(t: Tester) {
    t.require(CITED, true, 'this holds');
    t.require(CITED, false, 'this does not');
  },
};
const shrunk: Check = {
  id: 'made-up/shrunk',
  title: 'The same for generated values',
  run: (t: Tester) =>
    t.property(fc.nat({ max: 100 }), async (value) => {
      t.require(CITED, value < 5, `${value} is too large`);
    }),
};

test('what breaks several requirements at once is reported under each of them, shrunk or not', async () => {
  const { target, stop } = await startBrokenServer();
  const context = openRun({ target, ca: undefined }, { seed: 1, effort: 1 });
  try {
    const runs = await runChecks(
      context,
      [atOnce, shrunk],
      () => true,
      () => {},
    );
    const found = [...runs.values()].map(({ outcome }) =>
      outcome.kind === 'failed'
        ? outcome.violations.map(({ requirement, message, shrunk: to }) => [requirement, message, to?.case])
        : outcome,
    );
    expect(found).toEqual([
      CITED.map((id) => [id, 'this does not', undefined]),
      CITED.map((id) => [id, '5 is too large', '5']),
    ]);
  } finally {
    await context.close();
    await stop();
  }
});
