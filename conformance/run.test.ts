import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrokenServer, type BrokenServerTarget, startBrokenServer } from './broken/server.ts';
import { reportOf } from './report/from-run.ts';
import type { Report } from './report/model.ts';
import { loadCatalogue } from './requirements/catalogue.ts';
import { runConformance } from './run.ts';
import { CHECKS } from './scenarios/index.ts';
import type { Check } from './suite/check.ts';
import type { Target } from './target/target.ts';

// What a run makes of its checks: a verdict, and which exit code it means.

let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer();
});
afterAll(() => server.stop());

interface Asked {
  checks?: readonly Check[];
  only?: readonly string[];
  seed?: number;
}

async function reportFor(target: Target, { seed = 1, ...asked }: Asked = {}): Promise<Report> {
  const run = await runConformance({ target: { target, ca: undefined }, seed, effort: 0.2, ...asked });
  return reportOf(run, { targetFile: 'target.json', selection: asked.only ?? null });
}

function without(...parts: readonly (keyof BrokenServerTarget)[]): Target {
  const left: Partial<BrokenServerTarget> = { ...server.target };
  for (const part of parts) delete left[part];
  return { ...left, base_url: server.target.base_url, tenants: server.target.tenants };
}

const ACCOUNTS = 'accounts/create-and-retrieve';
const CREATE_AND_RETRIEVE: Check = {
  id: ACCOUNTS,
  title: 'In place of the real one',
  async run(t) {
    await t.ok('listAccounts', 200, {});
  },
};

test('the catalogue and the checks fit together', () => {
  expect(loadCatalogue().verifyChecks(CHECKS.map(({ id }) => id))).toEqual([]);
});

test('ids of checks are unique', () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

test.each([
  [
    'throws',
    () => {
      throw new TypeError('Cannot read properties of undefined');
    },
  ],
  [
    'cites what is not its own',
    (t: Parameters<Check['run']>[0]) => t.fail('webhooks.signature', 'no reason'),
  ],
] as const)('a check that %s is a fault of the suite, never the server’s', async (_name, run) => {
  const report = await reportFor(server.target, {
    checks: [{ ...CREATE_AND_RETRIEVE, run: async (t) => run(t) }],
  });
  expect(report).toMatchObject({ verdict: 'error', exit_code: 2 });
  expect(report.checks).toMatchObject([{ outcome: 'error', violations: [] }]);
  expect(JSON.stringify(report)).not.toMatch(/\n\s+at /);
});

test('what a check builds on and does not come about leaves it untested', async () => {
  const run: Check['run'] = async (t) => {
    await t.ok('createAccount', 201, { body: { name: '', type: 'marketing' } });
  };
  const report = await reportFor(server.target, { checks: [{ ...CREATE_AND_RETRIEVE, run }] });
  expect(report).toMatchObject({ verdict: 'partial', exit_code: 3 });
  expect(report.checks).toMatchObject([
    { outcome: 'untested', reason: 'createAccount was answered 422 instead of 201' },
  ]);
});

test('optional parts that the target lacks are listed, and the run is partial', async () => {
  const only = [
    'events/open',
    'sending/custom-id-unique-for-72-hours',
    'sending/mail-carries-what-was-sent',
    'webhooks/signature',
  ];
  const report = await reportFor(without('simulator', 'hooks', 'webhooks'), { only });
  expect(report).toMatchObject({ verdict: 'partial', exit_code: 3 });
  const reasons = report.checks.map(({ id, outcome, reason }) => ({ id, outcome, reason }));
  expect(reasons).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: 'events/open', outcome: 'untested' })]),
  );
  expect(new Set(report.checks.map(({ outcome }) => outcome))).toEqual(new Set(['untested']));
  expect(reasons.every(({ reason }) => reason?.startsWith('the target declares no '))).toBe(true);
});

test('a profile that is not claimed is not missed', async () => {
  const target: Target = { ...server.target, profiles: ['core'] };
  const report = await reportFor(target, { checks: [CREATE_AND_RETRIEVE] });
  expect(report.requirements.filter(({ profile }) => profile === 'extensions')).toEqual([]);
});

test('the same seed tries the same cases, another seed others', async () => {
  const bodies = async (seed: number) => {
    const sent: string[] = [];
    const checks: Check[] = [
      {
        ...CREATE_AND_RETRIEVE,
        run: async (t) => {
          sent.push(String(t.seed));
        },
      },
    ];
    await reportFor(server.target, { checks, seed });
    return sent;
  };
  expect(await bodies(7)).toEqual(await bodies(7));
  expect(await bodies(7)).not.toEqual(await bodies(8));
});

test('no secret of the target stands in a report', async () => {
  const run: Check['run'] = async (t) => {
    const answer = await t.call('login', {
      body: { email: t.tenant.email, password: t.tenant.password, grant_type: 'password' },
    });
    t.fail('accounts.create', `as said in ${answer.text}`, answer, await t.call('listAccounts'));
  };
  const report = await reportFor(server.target, { checks: [{ ...CREATE_AND_RETRIEVE, run }] });
  const text = JSON.stringify(report);
  expect(report).toMatchObject({ verdict: 'not_conformant', exit_code: 1 });
  for (const { password, accounts } of server.target.tenants)
    for (const secret of [password, ...accounts.map(({ api_key: key }) => key)])
      expect(text).not.toContain(secret);
  expect(text).toContain('Bearer [redacted]');
  expect(text).not.toMatch(/"access_token\\?"\s*:\s*\\?"(?!\[redacted)/);
});

test('a server that goes away in the middle has no verdict, but for what it broke before', async () => {
  const brief = await startBrokenServer();
  const checks = (first: Check['run']): Check[] => [
    { ...CREATE_AND_RETRIEVE, run: first },
    { ...CREATE_AND_RETRIEVE, id: 'accounts/delete-is-permanent', exclusive: true },
    { ...CREATE_AND_RETRIEVE, id: 'accounts/update-changes-the-name', exclusive: true },
  ];
  const report = await reportFor(brief.target, { checks: checks(() => brief.stop()) });
  expect(report).toMatchObject({ verdict: 'error', exit_code: 2 });
  expect(report.checks.map(({ outcome }) => outcome)).toEqual(['passed', 'error', 'error']);
  expect(report.checks[2]?.reason).toMatch(/^the server is gone: nothing answers there/);

  const another = await startBrokenServer();
  const broken: Check['run'] = async (t) => {
    await another.stop();
    t.fail('accounts.create', 'seen before the end');
  };
  expect(await reportFor(another.target, { checks: checks(broken) })).toMatchObject({ exit_code: 1 });
});

test('what was asked for has to be there', async () => {
  await expect(reportFor(server.target, { only: ['accounts/nonsense'] })).rejects.toThrow(
    'There is no requirement or check accounts/nonsense',
  );
  const core: Target = { ...server.target, profiles: ['core'] };
  await expect(reportFor(core, { only: ['users/viewer-reads'] })).rejects.toThrow(
    'names nothing that the target claims',
  );
});
