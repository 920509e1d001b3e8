import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { type Message, mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { domainName } from '../support/made.ts';
import { requireAccepted, requireRejected } from './batch.ts';

const AT_ONCE = 8;
const HOUR = 3600;
const CODE = 'CUSTOM_ID_NOT_UNIQUE';

/** The uniqueness of custom IDs that a sender asks for. */
export const customId: readonly Check[] = [
  {
    id: 'sending/custom-id-unique-against-earlier',
    title: 'A message that asks for it is rejected when its custom ID was accepted before, and only then',
    async run(t: Tester) {
      const unique = once(t);
      const cited = ['sending.custom-id-unique', 'limits.custom-id-window'];
      await requireAccepted(t, cited, { 'a new custom_id': mail(t, unique) });
      await requireRejected(t, cited, { 'a custom_id accepted before': mail(t, unique) }, CODE);
      const { custom_id } = unique;
      const again = { 'a custom_id accepted before, not asking': mail(t, { custom_id }) };
      await requireAccepted(t, 'sending.custom-id-unique', again);
      const window = 'sending.custom-id-window';
      const plain = once(t);
      await requireAccepted(t, window, { 'a new custom_id': mail(t, { ...plain, custom_id_unique: false }) });
      await requireRejected(
        t,
        window,
        { 'a custom_id accepted for one that did not ask': mail(t, plain) },
        CODE,
      );
      const refused = once(t);
      const from = { email: `hello@${domainName(t)}` };
      await requireRejected(t, window, { 'a stranger as sender': mail(t, { ...refused, from }) });
      await requireAccepted(t, window, { 'a custom_id that was only rejected': mail(t, refused) });
    },
  },
  {
    id: 'sending/custom-id-unique-within-request',
    title:
      'Within a request the first message with a custom ID is accepted, and a later one that asks is rejected',
    async run(t: Tester) {
      const cited = ['sending.custom-id-within-request', 'sending.custom-id-window'];
      const [both, second, first, stranger] = [once(t), once(t), once(t), once(t)];
      const batches: [string, Message[], string[]][] = [
        ['both ask', [mail(t, both), mail(t, both)], ['accepted', 'rejected']],
        [
          'the second asks',
          [mail(t, { ...second, custom_id_unique: false }), mail(t, second)],
          ['accepted', 'rejected'],
        ],
        [
          'the first asks',
          [mail(t, first), mail(t, { ...first, custom_id_unique: false })],
          ['accepted', 'accepted'],
        ],
        [
          'both ask and the first is rejected for its sender',
          [mail(t, { ...stranger, from: { email: `hello@${domainName(t)}` } }), mail(t, stranger)],
          ['rejected', 'accepted'],
        ],
      ];
      for (const [label, body, expected] of batches) {
        const { answer, results } = await send(t, body);
        const is = results.map(({ status }) => status).join(', ');
        const message = `expected ${expected.join(', ')} when ${label}, got ${is}`;
        t.require(cited, is === expected.join(', '), message, answer);
      }
    },
  },
  {
    id: 'sending/custom-id-unique-concurrently',
    title: 'Of many requests at once with the same custom ID, one is accepted',
    async run(t: Tester) {
      const unique = once(t);
      const sent = await Promise.all(Array.from({ length: AT_ONCE }, () => send(t, [mail(t, unique)])));
      const statuses = sent.flatMap(({ results }) => results.map(({ status }) => status));
      const count = statuses.filter((status) => status === 'accepted').length;
      const message = `expected one of ${AT_ONCE} messages to be accepted, got ${count}`;
      const cited = ['sending.custom-id-unique', 'sending.custom-id-concurrently'];
      t.require(cited, count === 1, message, ...sent.map(({ answer }) => answer));
    },
  },
  {
    id: 'sending/custom-id-unique-per-account',
    title: 'A custom ID that one account has used is free in another',
    needs: ['second_account'],
    async run(t: Tester) {
      const unique = once(t);
      const requirement = 'sending.custom-id-per-account';
      await requireAccepted(t, requirement, { 'a new custom_id': mail(t, unique) });
      const message = { 'a custom_id that another account has used': mail(t, unique) };
      await requireAccepted(t, requirement, message, t.secondAccount);
    },
  },
  {
    id: 'sending/custom-id-unique-without-id',
    title: 'Without a custom ID, asking for uniqueness has no effect, and the ID is empty',
    async run(t: Tester) {
      const without = () => mail(t, { custom_id_unique: true });
      const requirement = 'sending.custom-id-unique-without-id';
      const messages = { 'no custom_id': without(), 'no custom_id again': without() };
      const answer = await requireAccepted(t, requirement, messages);
      const message_id = String(valueAt(answer.json, 'data.0.message_id'));
      const logged = await t.poll(async () => {
        const kept = await t.call('getMessage', { path: { message_id } });
        return kept.status === 200 ? kept : undefined;
      });
      for (const id of [valueAt(answer.json, 'data.0.custom_id'), valueAt(logged?.json, 'data.custom_id')])
        t.require('sending.custom-id-empty', !id, `expected an empty custom_id, got ${show(id)}`);
    },
  },
  {
    id: 'sending/custom-id-unique-for-72-hours',
    title: 'A custom ID is taken for 72 hours, and free after them',
    needs: ['clock'],
    exclusive: true,
    async run(t: Tester) {
      const unique = once(t);
      const cited = ['sending.custom-id-unique', 'limits.custom-id-window'];
      await requireAccepted(t, cited, { 'a new custom_id': mail(t, unique) });
      await t.advanceClock(71 * HOUR);
      await requireRejected(t, cited, { 'a custom_id of 71 hours ago': mail(t, unique) });
      await t.advanceClock(2 * HOUR);
      await requireAccepted(t, cited, { 'a custom_id of 73 hours ago': mail(t, unique) });
    },
  },
];

/** A new custom ID, and the wish that it be unique. */
function once(t: Tester) {
  return { custom_id: t.unique('order'), custom_id_unique: true };
}
