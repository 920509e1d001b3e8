import { describe, expect, test } from 'vitest';
import { FAULTS, isFaultId } from './broken/faults.ts';
import { startBrokenServer } from './broken/server.ts';
import type { VariantId } from './broken/variants.ts';
import { type ConformanceRun, runConformance } from './run.ts';
import type { CheckOutcome } from './suite/violation.ts';
import { expectCaught } from './testing.ts';

// The suite is proven on a server that is not ours: every planted fault is caught by the check that is written down for it, and
// what is allowed is reported by none. `npm test` has a sample of it (proof.test.ts).

const faults = Object.keys(FAULTS).filter(isFaultId);

// A few faults show only when a message has gone on meanwhile; a check that was quicker than the server sees them on another try.
describe.concurrent('a planted fault is caught', { retry: 3 }, () => {
  test.each(faults)('%s', (fault) => expectCaught(fault));
});

// Against hanging only: several whole runs side by side take minutes on a busy machine.
const LONGEST_MS = 900_000;

// Those that change different things go together, so that the whole suite runs a few times only.
const ALLOWED: readonly (readonly VariantId[])[] = [
  [],
  [
    'extra-fields',
    'z-timestamps',
    'page-clamped-at-50',
    'accepted-201',
    'charset',
    'opens-repeat',
    'webhooks-of-another-client',
  ],
  [
    'reversed-keys',
    'counters-as-text',
    'page-refused-above-50',
    'accepted-202',
    'chunked',
    'webhooks-shuffled',
    'prefixed',
  ],
  [
    'malformed-id-409',
    'empty-text-for-manual',
    'no-rate-limit-headers',
    'more-error-codes',
    'unsigned',
    'gzip',
    'default-period-of-a-day',
    'slow',
    'webhooks-twice',
  ],
  ['webhooks-late', 'events-late', 'webhook-ids-of-its-own'],
];

describe.concurrent('what is allowed is reported by no check', () => {
  test.each(ALLOWED.map((variants) => [variants]))(
    '%j',
    async (variants) => {
      expect(notPassed(await wholeRun(variants))).toEqual([]);
    },
    LONGEST_MS,
  );
});

async function wholeRun(variants: readonly VariantId[]): Promise<ConformanceRun> {
  const server = await startBrokenServer({ variants });
  try {
    return await runConformance({ target: { target: server.target, ca: undefined }, seed: 1, effort: 0.2 });
  } finally {
    await server.stop();
  }
}

function notPassed({ runs }: ConformanceRun): unknown[] {
  return [...runs]
    .filter(([, { outcome }]) => outcome.kind !== 'passed' && !isUnsigned(outcome))
    .map(([id, { outcome }]) => ({ id, outcome }));
}

/** A server that signs nothing declares so; that its signatures are not judged is no report. */
function isUnsigned(outcome: CheckOutcome): boolean {
  return outcome.kind === 'untested' && outcome.reason === 'the target declares no webhooks.signed';
}
