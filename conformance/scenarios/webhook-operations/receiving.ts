import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import {
  about,
  aMoment,
  arrives,
  becomes,
  bounced,
  changed,
  concluded,
  type Endpoint,
  inLog,
  notifiedOf,
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
          t.require('webhooks.gone-disables', strange.length === 0, 'a request has come after a 410');
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
        const isWaitedFor =
          status === 'delivered' && attempts.length === 1 && about(endpoint, id).length === 1;
        const message = `expected one attempt, delivered, got ${status} after ${attempts.length}`;
        t.require('webhooks.fifteen-seconds', isWaitedFor, message);
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
        await becomesFailing(t, endpoint);
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

/** The log has the failure, so that its time has begun. */
async function becomesFailing(t: Tester, { path }: Endpoint): Promise<void> {
  const look = async () => {
    const { data } = await t.ok('getWebhook', 200, { path });
    return data.failing_since ?? undefined;
  };
  await t.eventually('webhook_operations.failing-since', 'expected failing_since after a failure', look);
}

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
  const id = first.headers['webhook-id'] ?? '';
  await t.poll(async () => ((await inLog(t, endpoint, id)).attempts.length > 0 ? true : undefined));
  const other = await bounced(t);
  const early = PAUSE_SECONDS * 1_000 - TOLERANCE_MS;
  await aMoment(PAUSE_SECONDS * 1_000);
  const after = [
    await arrives(t, endpoint, other, requirement),
    await arrives(t, endpoint, one, requirement, 2),
  ];
  for (const { at, json } of after) {
    const pause = at - first.at;
    const message = `after Retry-After: ${PAUSE_SECONDS} with ${status}, ${show(json)} came within ${Math.round(pause)} ms`;
    t.require(requirement, pause >= early, message);
  }
}
