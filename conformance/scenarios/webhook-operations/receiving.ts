import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { nothingCame } from '../webhooks/notified.ts';
import {
  about,
  aMoment,
  answerIsKnown,
  arrives,
  becomes,
  bounced,
  changed,
  concluded,
  type Endpoint,
  failureIsKnown,
  notifiedOf,
  REPETITION_MS,
  refused,
  TEST,
  tested,
  withEndpoint,
} from './endpoint.ts';

const PAUSE_SECONDS = 3;
// Retry-After counts whole seconds, and starts at the server's end of the answer.
const TOLERANCE_MS = 1_000;
const SLOW_MS = 2_000;
const TIMEOUT_MS = 15_000;
const FIVE_DAYS = 5 * 86_400;

/** What a receiver can say by its answer: later, never again, or nothing at all. */
export const receiving: readonly Check[] = [
  {
    id: 'webhook-operations/gone-disables',
    title: 'A 410 disables the webhook; a test that arrives enables it, and what happened meanwhile is sent',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, (witness) =>
        withEndpoint(t, async (endpoint) => {
          await arrives(t, endpoint, await refused(t, endpoint, { status: 410 }));
          const gone = await becomes(t, endpoint, 'disabled', 'webhooks.gone-disables');
          requireReason(t, 'webhooks.gone-disables', gone, 'gone');
          const id = await bounced(t);
          await arrives(t, witness, id);
          await aMoment();
          const strange = about(endpoint, id);
          const message = 'a request has come after a 410';
          t.require('webhooks.gone-disables', strange.length === 0, message, ...strange);
          await notifiedOf(t, endpoint, await tested(t, endpoint), 'webhook_operations.test-enables');
          const enabled = await becomes(t, endpoint, 'enabled', 'webhook_operations.test-enables');
          requireReason(t, 'webhook_operations.status-changes', enabled, 'recovered');
          await arrives(t, endpoint, id, 'webhook_operations.enabled-gets-what-waited');
        }),
      ),
  },
  {
    id: 'webhook-operations/test-enables-no-other',
    title: 'A test does not enable what somebody has disabled',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        await changed(t, endpoint, { status: 'disabled' });
        await tested(t, endpoint);
        // Whether it comes to a webhook that somebody has disabled is left open.
        const test = await t.poll(async () => endpoint.mailbox.requests[0]);
        const { all } = await t.receiver;
        if (test === undefined && all.length === 0) return nothingCame(t, undefined, 'no test has come');
        await aMoment();
        const { data } = await t.ok('getWebhook', 200, { path: endpoint.path });
        const message = 'a test has enabled a webhook that was disabled by a change of its status';
        t.require('webhook_operations.test-enables-its-own-only', data.status === 'disabled', message);
      }),
  },
  {
    id: 'webhook-operations/retry-after',
    title: 'After 429 or 503 with Retry-After nothing comes before its moment, and everything after it',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    async run(t) {
      await Promise.all(
        [429, 503].map((status) => withEndpoint(t, (endpoint) => pauses(t, endpoint, status))),
      );
    },
  },
  {
    id: 'webhook-operations/slow-answer',
    title: 'An answer that takes two seconds is waited for',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const id = await refused(t, endpoint, { status: 200, delayMs: SLOW_MS });
        const { headers } = await arrives(t, endpoint, id);
        const { status, attempts } = await concluded(t, endpoint, headers['webhook-id'] ?? '', SLOW_MS * 2);
        const isWaitedFor = status === 'delivered' && attempts.every(({ status_code: code }) => code === 200);
        const message = `expected that the answer is waited for, got ${status} after ${show(attempts)}`;
        t.require('webhooks.fifteen-seconds', isWaitedFor, message, ...about(endpoint, id));
      }),
  },
  {
    id: 'webhook-operations/no-answer',
    title: 'No answer within 15 seconds is a failure',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        endpoint.mailbox.answer(TEST, { status: 200, delayMs: Number.POSITIVE_INFINITY });
        const { notification_id: id } = await tested(t, endpoint);
        await notifiedOf(t, endpoint, { notification_id: id });
        const { status, attempts } = await concluded(t, endpoint, id, TIMEOUT_MS * 2);
        const [last] = attempts;
        const isFailed = status === 'failed' && last?.result === 'timed_out' && last.status_code === null;
        const message = `expected a test that failed since it timed out, got ${status}, ${show(last)}`;
        t.require('webhook_log.timed-out', isFailed, message);
      }),
  },
  {
    id: 'webhook-operations/five-days-of-failure',
    title: 'Five days of nothing but failure disable a webhook; what is older is not sent when it is enabled',
    profile: 'extensions',
    needs: ['webhooks', 'clock', 'simulator.soft_bounce'],
    exclusive: true,
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const { mailbox, path } = endpoint;
        mailbox.always({ status: 500 });
        const old = await bounced(t);
        const { headers } = await arrives(t, endpoint, old);
        await failureIsKnown(t, endpoint);
        await t.advanceClock(FIVE_DAYS + 3_600);
        const failing = await becomes(t, endpoint, 'disabled', 'webhooks.failing-disables');
        requireReason(t, 'webhooks.failing-disables', failing, 'failing');
        const recent = await bounced(t);
        const before = about(endpoint, old).length;
        mailbox.always({ status: 200 });
        await changed(t, endpoint, { status: 'enabled' });
        await arrives(t, endpoint, recent, 'webhook_operations.enabled-gets-what-waited');
        const requirement = 'webhook_operations.older-ones-fail';
        const one = await concluded(t, endpoint, headers['webhook-id'] ?? '');
        t.require(requirement, one.status === 'failed', `what is older than five days is ${one.status}`);
        t.require(
          requirement,
          about(endpoint, old).length === before,
          'what is older than five days was sent',
        );
        const body = { period_from: one.created_at };
        const { data } = await t.ok('replayWebhook', 200, { path, body });
        t.require(requirement, data.replayed >= 1, `expected it to be replayed, got ${show(data)}`);
        await arrives(t, endpoint, old, requirement, before + 1);
      }),
  },
];

function requireReason(
  t: Tester,
  requirement: string,
  { status_changes: changes }: { status_changes: readonly { reason: string }[] },
  reason: string,
): void {
  const is = changes[0]?.reason;
  t.require(requirement, is === reason, `expected the reason ${reason} in status_changes, got ${is}`);
}

/** The receiver asks for a pause; meanwhile something else happens. */
async function pauses(t: Tester, endpoint: Endpoint, status: number): Promise<void> {
  const requirement = 'webhooks.retry-after';
  const reply = { status, headers: { 'retry-after': String(PAUSE_SECONDS) } };
  const one = await refused(t, endpoint, reply);
  const first = await arrives(t, endpoint, one);
  // From when the log has the answer, the server knows of the pause.
  await answerIsKnown(t, endpoint, first);
  const known = performance.now();
  const other = await bounced(t);
  const early = PAUSE_SECONDS * 1_000 - TOLERANCE_MS;
  await aMoment(PAUSE_SECONDS * 1_000);
  await arrives(t, endpoint, other, requirement);
  // What came before the server knew may be the same attempt, made twice.
  const again = () => about(endpoint, one).filter(({ at }) => at > known);
  const found = await t.poll(async () => again()[0], REPETITION_MS);
  const missing = `what was refused with ${status} and Retry-After: ${PAUSE_SECONDS} has not come again`;
  t.require(requirement, found !== undefined, missing, first);
  for (const later of [...about(endpoint, other), ...again()]) {
    const pause = later.at - first.at;
    const message = `after ${status} with Retry-After: ${PAUSE_SECONDS}, ${show(later.json)} came within ${Math.round(pause)} ms`;
    t.require(requirement, pause >= early, message, first, later);
  }
}
