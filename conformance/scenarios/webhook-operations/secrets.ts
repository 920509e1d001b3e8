import { codeOf } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Delivery } from '../../suite/receiver.ts';
import type { Tester } from '../../suite/tester.ts';
import { withMade } from '../support/made.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { createWebhook, pathOf } from '../support/webhooks.ts';
import { isSignedWith } from '../webhooks/signatures.ts';
import { type Endpoint, notifiedOf, tested, withEndpoint } from './endpoint.ts';

const OVERLAP = 600;
const SOON = 60;

/** Secrets are replaced. */
export const secrets: readonly Check[] = [
  {
    id: 'webhook-operations/rotation',
    title: 'While a secret changes both sign; with an overlap of 0 the new one alone does, at once',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const first = endpoint.webhook.secret;
        const second = await rotated(t, endpoint, OVERLAP);
        const requirement = 'webhook_operations.rotation-overlaps';
        t.require(requirement, second.end !== null, 'the end of the old secret is not said');
        await requireSigners(t, requirement, await signed(t, endpoint), [second.secret, first], []);
        const third = await rotated(t, endpoint, 0);
        const atOnce = 'webhook_operations.rotation-at-once';
        t.require(atOnce, third.end === null, `with an overlap of 0 the old secrets end at ${third.end}`);
        await requireSigners(t, atOnce, await signed(t, endpoint), [third.secret], [second.secret, first]);
      }),
  },
  {
    id: 'webhook-operations/end-of-the-overlap',
    title: 'After the overlap the new secret alone signs',
    profile: 'extensions',
    needs: ['webhooks', 'clock'],
    exclusive: true,
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const { secret } = await rotated(t, endpoint, SOON);
        await t.advanceClock(SOON * 2);
        const request = await signed(t, endpoint);
        await requireSigners(
          t,
          'webhook_operations.rotation-overlaps',
          request,
          [secret],
          [endpoint.webhook.secret],
        );
      }),
  },
  {
    id: 'webhook-operations/five-secrets',
    title: 'Up to five secrets are valid at a time',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const path = pathOf(await createWebhook(t, (await made.account()).account_id));
        const requirement = 'webhook_operations.five-secrets';
        for (let count = 1; count < 5; count += 1) await rotated(t, { path }, OVERLAP, requirement);
        const answer = await t.call('rotateWebhookSecret', { path, body: { overlap_seconds: OVERLAP } });
        requireStatus(t, requirement, answer, 409, 'a sixth secret');
        requireCode(t, requirement, answer, 'SECRET_ROTATED_RECENTLY');
        t.require(requirement, codeOf(answer) !== '', 'the refusal has no code', answer);
      }),
  },
];

async function rotated(
  t: Tester,
  { path }: Pick<Endpoint, 'path'>,
  overlap_seconds: number,
  requirement?: string,
) {
  const { data } = await t.ok('rotateWebhookSecret', 200, { path, body: { overlap_seconds } }, requirement);
  t.hide(data.secret);
  return { secret: data.secret, end: data.previous_secrets_expire_at };
}

/** A request that is signed from now on. */
async function signed(t: Tester, endpoint: Endpoint): Promise<Delivery> {
  return notifiedOf(t, endpoint, await tested(t, endpoint));
}

async function requireSigners(
  t: Tester,
  requirement: string,
  request: Delivery,
  expected: readonly string[],
  over: readonly string[],
): Promise<void> {
  for (const [index, secret] of expected.entries()) {
    const which = index === 0 ? 'new' : 'old';
    t.require(requirement, isSignedWith(secret, request), `the ${which} secret does not sign`, request);
  }
  const isOld = over.some((secret) => isSignedWith(secret, request));
  t.require(requirement, !isOld, 'a secret signs that has ended', request);
}
