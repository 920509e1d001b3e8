import fc from 'fast-check';
import { type Answer, bodyOf, valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import { type LoggedMessage, logged, periodOf, searchable } from '../support/log.ts';
import { unknownId } from '../support/made.ts';
import { compareMoments, endOf } from '../support/moments.ts';
import { texts } from '../support/values.ts';

const REACTIONS = {
  'messages.opened-at': 'opened_at',
  'messages.clicked-at': 'clicked_at',
  'messages.unsubscribed-at': 'unsubscribed_at',
  'messages.spam-complaint-at': 'spam_complaint_at',
} as const;
const STATES: readonly string[] = ['new', 'delivery', 'soft_bounce', 'hard_bounce'];

/** What the log says of a message. */
export const log: readonly Check[] = [
  {
    id: 'messages/accepted-message-is-logged',
    title: 'An accepted message can be retrieved, and is described as it was sent',
    async run(t) {
      const names = await namesOf(t);
      const values = fc.record({ subject: texts(), custom_id: texts(60) });
      await t.property(values, (value) => isLogged(t, value, names), 6);
      await isAcceptedInOrder(t);
    },
  },
  {
    id: 'messages/list-shows-the-sent',
    title: 'The list shows each message of a custom ID once, as it is retrieved',
    async run(t) {
      const custom_id = t.unique('listed');
      const ids = await accepted(
        t,
        [1, 2, 3].map(() => mail(t, { custom_id })),
      );
      await searchable(t, 'listMessages', ids);
      const query = { message_custom_id: custom_id, ...(await periodOf(t, ids)) };
      const { data } = await t.ok('listMessages', 200, { query });
      const count = data.length;
      t.require('messages.list', count === ids.length, `expected ${ids.length} messages, got ${count}`);
      for (const shown of data) {
        const { updated_at, delivery_status, ...lasting } = await logged(t, shown.message_id);
        const wrong = differences(shown, lasting);
        t.require('messages.list', wrong === '', `in the list, the message is another: ${wrong}`);
      }
    },
  },
  {
    id: 'messages/search-without-match-is-empty',
    title: 'A message id, an address or a custom ID that matches nothing gives an empty page',
    async run(t) {
      const nothing = [
        { message_id: unknownId() },
        { recipient_email: t.address('nobody') },
        { from_email: t.address('nobody') },
        { message_custom_id: t.unique('nothing') },
      ];
      for (const query of nothing) {
        const answer = await t.call('listMessages', { query });
        const body = bodyOf(answer, 200);
        t.require(
          'conventions.unmatched-search-is-empty',
          body?.data.length === 0 && body.meta.total === 0,
          `expected an empty page for ${Object.keys(query)}, got ${answer.status} with ${body?.data.length ?? 'no list of'} messages`,
          answer,
        );
      }
    },
  },
  {
    id: 'messages/default-period',
    title: 'What the list covers without a period, or with one end of it',
    async run(t) {
      const custom_id = t.unique('period');
      const ids = await accepted(t, [mail(t, { custom_id })]);
      await searchable(t, 'listMessages', ids);
      const { created_at } = await logged(t, ids[0] ?? '');
      const shown = async (query: object) => {
        const answer = await t.call('listMessages', { query: { message_custom_id: custom_id, ...query } });
        return shows(answer);
      };
      const without = `without a period, the list ${await shown({})} a message of now`;
      t.inform('messages.default-period', without);
      t.inform('messages.default-period-limit', without);
      t.inform(
        'messages.one-end-of-the-period',
        `with the time of a message as period_from alone, the list ${await shown({ period_from: created_at })} it; as period_to alone, it ${await shown({ period_to: endOf(created_at) })} it`,
      );
    },
  },
  {
    id: 'messages/unsibscribe',
    title: 'Which spelling of unsubscribe the filter by events takes',
    async run(t) {
      for (const spelling of ['unsibscribe', 'unsubscribe']) {
        const { status } = await t.call('listMessages', { query: { 'events[]': [spelling] } });
        t.inform('messages.unsibscribe', `events[]=${spelling} is answered ${status}`);
      }
    },
  },
];

interface Names {
  readonly domain_name: string;
  readonly account_name: string;
}

async function namesOf(t: Tester): Promise<Names> {
  const { domainId, account } = t.tenant;
  const domain = await t.ok('getDomain', 200, { path: { domain_id: domainId } });
  const of = await t.ok('getAccount', 200, { path: { account_id: account.account_id } });
  return { domain_name: domain.data.name, account_name: of.data.name };
}

async function isLogged(t: Tester, texts: { subject: string; custom_id: string }, names: Names) {
  const message = mail(t, texts);
  const [id = ''] = await accepted(t, [message]);
  const entry = await logged(t, id, 'messages.readable');
  const expected = {
    message_id: id,
    custom_id: texts.custom_id,
    recipient_email: message.to[0]?.email,
    from_email: message.from.email,
    subject: texts.subject,
    domain_id: t.tenant.domainId,
    account_id: t.tenant.account.account_id,
    ...names,
  };
  const wrong = differences(entry, expected);
  t.require(
    ['messages.fields', 'messages.retrieve', 'limits.log-retention'],
    wrong === '',
    `the log entry is another: ${wrong}`,
  );
  requireUntouched(t, entry);
}

/** Nobody has read it: there is no reaction yet. */
function requireUntouched(t: Tester, entry: LoggedMessage): void {
  const status = entry.delivery_status;
  t.require('messages.delivery-status', STATES.includes(status), `the delivery status is ${status}`);
  for (const [requirement, field] of Object.entries(REACTIONS)) {
    const value = entry[field];
    t.require(requirement, value === null, `expected ${field} to be null before that, got ${value}`);
  }
}

async function isAcceptedInOrder(t: Tester): Promise<void> {
  const times: string[] = [];
  for (let sent = 0; sent < 2; sent += 1) {
    const [id = ''] = await accepted(t, [mail(t)]);
    times.push((await logged(t, id)).created_at);
    const again = await logged(t, id);
    const [before = ''] = times.slice(-1);
    const same = compareMoments(before, again.created_at) === 0;
    t.require('messages.created-at', same, `created_at was ${before}, and is ${again.created_at} now`);
    t.require(
      'messages.created-at',
      compareMoments(again.created_at, again.updated_at) <= 0,
      `the message was updated at ${again.updated_at}, before it was accepted at ${again.created_at}`,
    );
  }
  const [first = '', second = ''] = times;
  t.require(
    'messages.created-at',
    compareMoments(first, second) <= 0,
    `a message is said to be accepted at ${first}, and one that was sent after it at ${second}`,
  );
}

function shows(answer: Answer): string {
  if (answer.status !== 200) return `answers ${answer.status} instead of showing`;
  const messages = valueAt(answer.json, 'data');
  return Array.isArray(messages) && messages.length > 0 ? 'shows' : 'does not show';
}
