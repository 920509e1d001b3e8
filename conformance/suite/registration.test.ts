import { expect, test } from 'vitest';
import { type BrokenServerOptions, startBrokenServer } from '../broken/server.ts';
import { runConformance } from '../run.ts';
import type { Target } from '../target/target.ts';
import { valueAt } from './answer.ts';

// The receiver registers its address by the operations of the contract, as a target asks for whose server has no hook.

const CHECKS = ['webhooks/signature', 'webhooks/other-accounts-events-do-not-arrive'];

async function judged(options: BrokenServerOptions, work: (target: Target) => Promise<void>): Promise<void> {
  const server = await startBrokenServer(options);
  const { set_webhook_url: _none, ...hooks } = server.target.hooks;
  const webhooks = { registration: 'extension', listen_host: '127.0.0.1' } as const;
  try {
    await work({ ...server.target, hooks, webhooks });
  } finally {
    await server.stop();
  }
}

async function outcomesOf(target: Target, only: readonly string[]) {
  const { runs } = await runConformance({ target: { target, ca: undefined }, seed: 1, only });
  return [...runs.values()].map(({ outcome }) => outcome);
}

async function webhooksOf(target: Target): Promise<unknown> {
  const [tenant] = target.tenants;
  const { email, password, accounts } = tenant ?? {};
  const body = JSON.stringify({ email, password, grant_type: 'password' });
  const login = await fetch(`${target.base_url}/v1/login`, { method: 'POST', body });
  const authorization = `Bearer ${valueAt(await login.json(), 'access_token')}`;
  const url = `${target.base_url}/v1/accounts/${accounts?.[0]?.account_id}/webhooks`;
  return valueAt(await (await fetch(url, { headers: { authorization } })).json(), 'data');
}

test('what createWebhook answers is the secret that signatures are held against, and nothing is left behind', () =>
  judged({}, async (target) => {
    expect(await outcomesOf(target, CHECKS)).toEqual([{ kind: 'passed' }, { kind: 'passed' }]);
    expect(await webhooksOf(target)).toEqual([]);
  }));

test('a wrong signature is found under the secret of the answer', () =>
  judged({ faults: ['webhooks.signature-wrong'] }, async (target) => {
    const [outcome] = await outcomesOf(target, ['webhooks/signature']);
    expect(outcome).toMatchObject({ kind: 'failed', violations: [{ requirement: 'webhooks.signature' }] });
  }));

test('that nothing comes is no fault of a server which may be unable to reach the receiver', () =>
  judged({}, async (target) => {
    // An address that is set aside for documentation (RFC 5737): nobody has it.
    const webhooks = { registration: 'extension', listen_host: '192.0.2.1' } as const;
    const away = { ...target, webhooks };
    const checks = ['webhooks/delivery', 'webhooks/common-fields', 'webhook-operations/no-answer'];
    const reason = expect.stringMatching(
      /^nothing at all has come to http:\/\/192\.0\.2\.1:\d+: .*listen_host/,
    );
    expect(await outcomesOf(away, checks)).toEqual(checks.map(() => ({ kind: 'untested', reason })));
  }));

test('that nothing comes on the same machine is one, with a word on what else it may be', () =>
  judged({ faults: ['webhooks.never-sent'] }, async (target) => {
    const [outcome] = await outcomesOf(target, ['webhooks/delivery']);
    const message = expect.stringMatching(/^no request with message\.delivery .*can the server reach it/);
    const violations = [
      { requirement: 'webhooks.delivery', message },
      { requirement: 'webhooks.sent-on-events' },
    ];
    expect(outcome).toMatchObject({ kind: 'failed', violations });
  }));

test('what came is shown with a violation', () =>
  judged({ faults: ['webhooks.signature-wrong'] }, async (target) => {
    const [outcome] = await outcomesOf(target, ['webhooks/signature']);
    const exchange = { receivedAt: expect.stringMatching(/^http:/), response: { status: 200 } };
    const headers = { 'webhook-signature': expect.stringMatching(/^v1,/) };
    const violations = [{ exchanges: [{ ...exchange, request: { method: 'POST', headers } }] }];
    expect(outcome).toMatchObject({ kind: 'failed', violations });
  }));

test('a server that does not take the address is not at fault: what follows is untested, with its words', () =>
  judged({ variants: ['https-webhooks-only'] }, async (target) => {
    const reason = expect.stringMatching(/^createWebhook was answered 422 for http:.*must begin with https/);
    expect(await outcomesOf(target, ['webhooks/signature'])).toEqual([{ kind: 'untested', reason }]);
    const [own] = await outcomesOf(target, ['webhook-operations/test-is-tried-once']);
    expect(own).toMatchObject({ kind: 'untested', reason: expect.stringContaining('createWebhook') });
  }));
