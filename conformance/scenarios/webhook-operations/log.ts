import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { differences, sameMembers, show } from '../support/compare.ts';
import { unknownId, withMade } from '../support/made.ts';
import { inOrder, later } from '../support/moments.ts';
import {
  about,
  arrives,
  bounced,
  concluded,
  type Endpoint,
  inLog,
  type Notification,
  notifiedOf,
  refused,
  TEST,
  tested,
  withEndpoint,
} from './endpoint.ts';

/** The delivery log. */
export const log: readonly Check[] = [
  {
    id: 'webhook-operations/log-equals-what-came',
    title: 'The log has each notification as it came, with every attempt and how it was answered',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, (other) =>
        withEndpoint(t, async (endpoint) => {
          const id = await refused(t, endpoint, { status: 500 });
          const first = await arrives(t, endpoint, id);
          await arrives(t, endpoint, id, 'webhooks.repeated-until-2xx', 2);
          await arrives(t, other, id);
          const { data } = await t.ok('listWebhookDeliveries', 200, { path: endpoint.path });
          const strange = data.filter(({ webhook_id: one }) => one !== endpoint.webhook.webhook_id);
          t.require('webhook_log.its-own', strange.length === 0, 'the log has what is for another webhook');
          const notification = first.headers['webhook-id'] ?? '';
          const isThere = data.some(({ notification_id: one }) => one === notification);
          t.require('webhook_log.same-id', isThere, `the log has no notification_id ${notification}`);
          requireAsItCame(t, endpoint, await concluded(t, endpoint, notification), id);
        }),
      ),
  },
  {
    id: 'webhook-operations/log-filters',
    title: 'Each filter of the log leaves what it names, alone and with others',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        await withEndpoint(t, (endpoint) => filters(t, endpoint), { account_id, events: null });
      }),
  },
  {
    id: 'webhook-operations/log-of-a-message',
    title: 'The filter of the message leaves the notifications of that message',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const ids = [await bounced(t), await bounced(t)];
        for (const message_id of ids) {
          await arrives(t, endpoint, message_id);
          const { data } = await t.ok('listWebhookDeliveries', 200, {
            path: endpoint.path,
            query: { message_id },
          });
          const found = data.map((one) => one.message_id);
          const isIt = found.length > 0 && found.every((one) => one === message_id);
          t.require('webhook_log.message', isIt, `expected ${message_id} alone, got ${show(found)}`);
        }
        await finds(t, endpoint, 'webhook_log.message', { message_id: unknownId() }, []);
      }),
  },
  {
    id: 'webhook-operations/replay-of-one',
    title: 'A notification that is replayed comes again as it was, with its id and all attempts',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const id = await refused(t, endpoint, { status: 200 }, { status: 500 });
        const first = await arrives(t, endpoint, id);
        const notification_id = first.headers['webhook-id'] ?? '';
        await concluded(t, endpoint, notification_id);
        await replayed(t, endpoint, { notification_id }, 1);
        const second = await arrivesAgain(t, endpoint, notification_id, 2);
        const isSame = isDeepStrictEqual(first.json, second.json);
        const message = `replayed, ${show(first.json)} became ${show(second.json)}`;
        t.require('webhook_log.replay', isSame, message);
        await arrivesAgain(t, endpoint, notification_id, 3, 'webhook_log.replay-by-the-schedule');
      }),
  },
  {
    id: 'webhook-operations/replay-of-a-period',
    title: 'The replay of a period sends what has failed in it, or what has the statuses that are named',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        await withEndpoint(t, (endpoint) => replaysPeriods(t, endpoint), { account_id });
      }),
  },
];

async function replaysPeriods(t: Tester, endpoint: Endpoint): Promise<void> {
  endpoint.mailbox.answer(TEST, { status: 500 });
  const failed = await test(t, endpoint);
  const fine = await test(t, endpoint);
  const [from, to] = [failed.created_at, fine.created_at];
  await replayed(t, endpoint, { period_from: later(to, 1_000n) }, 0);
  await replayed(t, endpoint, { period_from: '2000-01-01', period_to: '2000-01-02' }, 0);
  await replayed(t, endpoint, { period_from: to, period_to: from }, 1);
  await arrivesAgain(t, endpoint, failed.notification_id, 2);
  await concluded(t, endpoint, failed.notification_id);
  // What was replayed a moment ago need not be named by the next call.
  await replayed(t, endpoint, { period_from: to, statuses: ['delivered'] }, 1);
  await arrivesAgain(t, endpoint, fine.notification_id, 2);
}

/** A test, when it is over. */
async function test(t: Tester, endpoint: Endpoint, event: Notification['event'] = 'message.delivery') {
  const { notification_id: id } = await tested(t, endpoint, event);
  await notifiedOf(t, endpoint, { notification_id: id });
  return concluded(t, endpoint, id);
}

/** So many are sent again. */
async function replayed(
  t: Tester,
  { path }: Endpoint,
  body: NonNullable<LooseCall['body']>,
  expected: number,
): Promise<void> {
  const requirement = 'webhook_log.replay';
  const answer = await t.call('replayWebhook', { path, body });
  const isCounted = isDeepStrictEqual(valueAt(answer.json, 'data.replayed'), expected);
  const message = `expected ${expected} replayed for ${show(body)}, got ${answer.status} ${answer.text}`;
  t.require(requirement, isCounted && valueAt(answer.json, 'data.remaining') === 0, message, answer);
}

function arrivesAgain(
  t: Tester,
  endpoint: Endpoint,
  notification_id: string,
  count: number,
  requirement = 'webhook_log.replay',
) {
  return notifiedOf(t, endpoint, { notification_id }, requirement, count);
}

/** An entry says what came, and how it was answered. */
function requireAsItCame(t: Tester, endpoint: Endpoint, one: Notification, messageId: string): void {
  const came = about(endpoint, messageId);
  const wrong = differences(one, {
    webhook_id: endpoint.webhook.webhook_id,
    account_id: endpoint.path.account_id,
    event: 'message.soft_bounce',
    message_id: messageId,
    is_test: false,
    status: 'delivered',
    next_attempt_at: null,
  });
  t.require('webhook_log.entry', wrong === '', `in the log, ${wrong}`);
  const isSame = differences(one.payload, Object(came[0]?.json)) === '';
  t.require(
    'webhook_log.payload',
    isSame,
    `${show(came[0]?.json)} came, and the log has ${show(one.payload)}`,
  );
  const codes = withoutRepeats(one.attempts.map(({ status_code: code, result }) => `${code} ${result}`));
  const answered = came.map(({ status }) => `${status} ${status === 200 ? 'delivered' : 'rejected'}`);
  const expected = withoutRepeats(answered.toReversed());
  const message = `expected the attempts ${show(expected)}, got ${show(codes)}`;
  t.require('webhook_log.attempts', isDeepStrictEqual(codes, expected), message, ...came);
  const times = one.attempts.map(({ attempted_at: at }) => at);
  const isNewestFirst = isDeepStrictEqual(times, [...inOrder(times)].toReversed());
  t.require('webhook_log.attempts', isNewestFirst, `the attempts are not the newest first: ${show(times)}`);
  const urls = one.attempts.filter(({ url }) => url !== endpoint.mailbox.url);
  t.require('webhook_log.attempts', urls.length === 0, `an attempt was made to ${urls[0]?.url}`);
}

/** What is sent at least once may have come twice, and be known once. */
function withoutRepeats(texts: readonly string[]): readonly string[] {
  return texts.filter((text, index) => text !== texts[index - 1]);
}

async function filters(t: Tester, endpoint: Endpoint): Promise<void> {
  endpoint.mailbox.answer(TEST, { status: 500 });
  const failed = await test(t, endpoint, 'message.open');
  const click = await test(t, endpoint, 'message.click');
  const open = await test(t, endpoint, 'message.open');
  const all = [failed, click, open];
  const cases: [string, NonNullable<LooseCall['query']>, readonly Notification[]][] = [
    ['its-own', {}, all],
    ['statuses', { 'statuses[]': ['failed'] }, [failed]],
    ['statuses', { 'statuses[]': ['delivered', 'failed'] }, all],
    ['statuses', { 'statuses[]': ['pending'] }, []],
    ['events', { 'events[]': ['message.open'] }, [failed, open]],
    ['events', { 'events[]': ['message.click', 'message.open'] }, all],
    ['events', { 'events[]': ['message.open'], 'statuses[]': ['delivered'] }, [open]],
    ['notification', { notification_id: click.notification_id }, [click]],
    ['notification', { notification_id: unknownId() }, []],
    ['period', { period_from: click.created_at }, [click, open]],
    ['period', { period_to: click.created_at }, [failed, click]],
    ['period', { period_from: click.created_at, period_to: failed.created_at }, [failed, click]],
    ['period', { period_from: '2000-01-01', period_to: '2000-01-02' }, []],
  ];
  for (const [filter, query, expected] of cases)
    await finds(t, endpoint, `webhook_log.${filter}`, query, expected);
  const one = await inLog(t, endpoint, click.notification_id);
  t.require('webhook_log.entry', one.is_test, 'a test is not shown as one');
}

async function finds(
  t: Tester,
  { path }: Endpoint,
  requirement: string,
  query: NonNullable<LooseCall['query']>,
  expected: readonly Notification[],
): Promise<void> {
  const answer = await t.call('listWebhookDeliveries', { path, query });
  const data = valueAt(answer.json, 'data');
  const ids = (Array.isArray(data) ? data : []).map((one) => String(valueAt(one, 'notification_id')));
  const wanted = expected.map(({ notification_id: id }) => id);
  const message = `with ${show(query)} expected ${show(wanted)}, got ${answer.status} ${show(ids)}`;
  t.require(requirement, answer.status === 200 && sameMembers(ids, wanted), message, answer);
  const total = valueAt(answer.json, 'meta.total');
  t.require('conventions.total-is-exact', total === wanted.length, `the total is ${show(total)}`, answer);
}
