import { isDeepStrictEqual } from 'node:util';
import { codeOf, textAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { sameMembers, show } from '../support/compare.ts';
import { createKey } from '../support/keys.ts';
import { eventOf, exported, logged, periodOf, searchable } from '../support/log.ts';
import { type Made, withMade } from '../support/made.ts';
import { compareMoments } from '../support/moments.ts';
import { password, registerOwner, sessionOf } from '../support/people.ts';
import { requireStatus } from '../support/refused.ts';
import { mailTo } from '../support/simulator.ts';
import { createWebhook, pathOf } from '../support/webhooks.ts';
import { type OwnList, ownLists, page } from './own-lists.ts';

const DEFAULT_LIMIT = 30;
const PAGING = ['conventions.limit-and-offset', 'conventions.page-parameters'];
const READS = 4;

/** Pages of every size and place have as many entries as they must, and the total is that of the whole. */
async function requirePages(t: Tester, list: OwnList): Promise<void> {
  const { operation, ids } = list;
  const count = ids.length;
  const requirements = operation === 'listMessages' ? [...PAGING, 'messages.limit-and-offset'] : PAGING;
  const pages = [
    [1, 0],
    [1, count - 1],
    [count - 1, 0],
    [count, 0],
    [count + 1, 0],
    [count, 1],
    [count, count],
  ] as const;
  for (const [limit, offset] of pages) {
    const { answer, ids: shown, total } = await page(t, list, { limit, offset });
    const expected = Math.max(0, Math.min(limit, count - offset));
    const what = `${operation} with limit ${limit} and offset ${offset} of ${count} entries`;
    requireStatus(t, requirements, answer, 200, what);
    const fits = shown.length === expected && shown.every((id) => ids.includes(id));
    t.require(requirements, fits, `expected ${expected} of them for ${what}, got ${show(shown)}`, answer);
    const isExact = total === count;
    const message = `expected the total ${count} for ${what}, got ${total}`;
    t.require('conventions.total-is-exact', isExact, message, answer);
  }
}

async function requireDefaultPage(t: Tester, list: OwnList): Promise<void> {
  const { answer, ids, limit, offset } = await page(t, list);
  const message = `expected limit ${DEFAULT_LIMIT} and offset 0 for ${list.operation} without them, got ${limit} and ${offset}`;
  t.require('conventions.default-page', limit === DEFAULT_LIMIT && offset === 0, message, answer);
  const isWhole = sameMembers(ids, list.ids);
  t.require('conventions.default-page', isWhole, `expected the first page of ${list.operation}`, answer);
}

/** The list shows the same each time, and its pages one after the other show the whole. */
async function requireFixedOrder(t: Tester, list: OwnList): Promise<readonly string[]> {
  const requirement = 'conventions.newest-first';
  const { ids, answer } = await page(t, list, { limit: DEFAULT_LIMIT });
  requireStatus(t, requirement, answer, 200);
  for (let read = 1; read < READS; read += 1) {
    const again = await page(t, list, { limit: DEFAULT_LIMIT });
    const isSame = isDeepStrictEqual(again.ids, ids);
    t.require(requirement, isSame, `${list.operation} is in another order each time`, answer, again.answer);
  }
  const single = ids.map((_id, offset) => page(t, list, { limit: 1, offset }));
  const inPages = (await Promise.all(single)).flatMap((one) => one.ids);
  const message = `the pages of ${list.operation} hold ${show(inPages)}, and the whole is ${show(ids)}`;
  t.require(requirement, isDeepStrictEqual(inPages, ids), message);
  return ids;
}

function requireDescending(t: Tester, what: string, times: readonly string[]): void {
  const isAscending = (time: string, index: number): boolean =>
    index > 0 && compareMoments(times[index - 1] ?? time, time) < 0;
  const message = `expected the newest first in ${what}, got ${times.join(', ')}`;
  t.require('conventions.newest-first', !times.some(isAscending), message);
}

/** Waits until the server's own clock shows another second: it may tell times no more exactly. */
async function nextSecond(t: Tester, made: Made): Promise<void> {
  const secondOf = async () => (await made.suppression()).created_at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const now = await secondOf();
  await t.poll(async () => ((await secondOf()) === now ? undefined : true));
}

/** Two users of an organisation of their own, and two keys, two webhooks and two notifications of an account. */
async function extensionLists(t: Tester, made: Made): Promise<readonly OwnList[]> {
  const { account_id } = await made.account();
  const owner = await registerOwner(t);
  const as = await sessionOf(t, owner);
  const first = await createKey(t, account_id);
  await nextSecond(t, made);
  const second = await createKey(t, account_id);
  const body = { email: t.address('viewer'), name: 'Viewer', role: 'viewer' as const, password: password(t) };
  const { data: viewer } = await t.ok('createUser', 201, { body, as });
  const keys = [first, second].map(({ api_key_id: id }) => id);
  const webhook = await createWebhook(t, account_id);
  const path = pathOf(webhook);
  const notification = await testOf(t, path);
  await nextSecond(t, made);
  const webhooks = [webhook, await createWebhook(t, account_id)];
  const log = [notification, await testOf(t, path)];
  return [
    { operation: 'listApiKeys', call: { path: { account_id } }, key: 'api_key_id', ids: keys },
    {
      operation: 'listWebhooks',
      call: { path: { account_id } },
      key: 'webhook_id',
      ids: webhooks.map(({ webhook_id: id }) => id),
    },
    { operation: 'listWebhookDeliveries', call: { path }, key: 'notification_id', ids: log },
    { operation: 'listUsers', call: { as }, key: 'user_id', ids: [owner.user_id, viewer.user_id] },
  ];
}

/** Sends a test; returns the id of its notification. */
async function testOf(t: Tester, path: ReturnType<typeof pathOf>): Promise<string> {
  const { data } = await t.ok('testWebhook', 200, { path, body: { event: 'message.delivery' } });
  return data.notification_id;
}

function requireNewestFirst(t: Tester, { operation, ids }: OwnList, shown: readonly string[]): void {
  const isNewestFirst = isDeepStrictEqual(shown, ids.toReversed());
  const message = `expected the newest first in ${operation}, got ${show(shown)} of ${show(ids)}`;
  t.require('conventions.newest-first', isNewestFirst, message);
}

/** How lists are cut into pages, and in which order they come. */
export const pages: readonly Check[] = [
  {
    id: 'conventions/limit-and-offset',
    title: 'limit and offset cut a list into pages, and the total is that of the whole',
    run: (t) =>
      withMade(t, async (made) => {
        for (const list of await ownLists(t, made, 4)) {
          await requirePages(t, list);
          await requireDefaultPage(t, list);
        }
      }),
  },
  {
    id: 'conventions/pages-of-events',
    title: 'The events of a message are cut into pages, and the newest comes first',
    needs: ['simulator.delivery'],
    async run(t) {
      const [message_id = ''] = await accepted(t, [mailTo(t, 'delivery')]);
      await eventOf(t, message_id, 'delivery');
      // Nothing follows a delivery that nobody reads.
      const list: OwnList = {
        operation: 'listMessageEvents',
        call: { path: { message_id } },
        key: 'type',
        ids: ['new', 'delivery'],
      };
      await requirePages(t, list);
      await requireDefaultPage(t, list);
      await requireFixedOrder(t, list);
      const { entries } = await page(t, list);
      requireDescending(
        t,
        'listMessageEvents',
        entries.map((event) => textAt(event, 'received_at')),
      );
    },
  },
  {
    id: 'conventions/pages-of-extensions',
    title:
      'API keys, users, webhooks and their log are listed in pages like everything else, the newest first',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        for (const list of await extensionLists(t, made)) {
          await requirePages(t, list);
          await requireDefaultPage(t, list);
          requireNewestFirst(t, list, await requireFixedOrder(t, list));
        }
      }),
  },
  {
    id: 'conventions/newest-first',
    title: 'Lists and the export begin with the newest, in the same order each time',
    run: (t) =>
      withMade(t, async (made) => {
        for (const list of await ownLists(t, made, 5)) await requireFixedOrder(t, list);
        for (const list of await ownLists(t, made, 2, () => nextSecond(t, made))) {
          requireNewestFirst(t, list, await requireFixedOrder(t, list));
          if (list.operation === 'listMessages') await requireExportInOrder(t, list.ids);
        }
      }),
  },
  {
    id: 'conventions/largest-page',
    title: 'How large a page may be',
    async run(t) {
      for (const limit of [100, 1000, 1001, 100_000]) {
        // A search without a match: what is asked is how the limit is read.
        const query = { name: t.unique('nobody'), limit };
        const { answer, limit: applied } = await page(t, {
          operation: 'listAccounts',
          call: { query },
          key: '',
          ids: [],
        });
        const said = answer.status === 200 ? `a page of ${applied}` : `${answer.status} ${codeOf(answer)}`;
        t.inform('conventions.largest-page', `limit=${limit} gives ${said}`);
      }
      // No page begins there; how that is said is open, and that it is no failure of the server is not.
      for (const offset of [2_000_000_000, 2_147_483_647, 2 ** 53])
        await t.call('listAccounts', { query: { limit: 1, offset } });
    },
  },
];

async function requireExportInOrder(t: Tester, ids: readonly string[]): Promise<void> {
  await searchable(t, 'exportMessages', ids);
  const [one] = await Promise.all(ids.map((id) => logged(t, id)));
  const rows = await exported(t, { subject: one?.subject ?? '', ...(await periodOf(t, ids)) });
  requireDescending(
    t,
    'the export',
    rows.map(({ created_at = '' }) => created_at),
  );
}
