import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { requireAccepted, requireRejected } from './batch.ts';

const BATCH = 12;

/** What is accepted, and what the answer says of it. */
export const accepting: readonly Check[] = [
  {
    id: 'sending/accepts-a-message',
    title: 'A message that is fine is accepted under an id of its own, and its custom ID comes back',
    async run(t: Tester) {
      const custom_id = t.unique('order');
      const answer = await t.call('sendEmail', { body: [mail(t, { custom_id })] });
      const { status } = answer;
      const isSuccess = status >= 200 && status < 300;
      t.require('sending.response', isSuccess, `expected a success, got ${status}`, answer);
      t.inform('sending.accepted-batch-status', `an accepted batch is answered ${status}`);
      t.require(
        'sending.accepted-batch-is-not-207',
        status !== 207,
        'expected another success than 207',
        answer,
      );
      const data = valueAt(answer.json, 'data');
      const isOne = Array.isArray(data) && data.length === 1;
      t.require('sending.response', isOne, `expected data with one item, got ${show(data)}`, answer);
      const item = valueAt(data, '0');
      const is = valueAt(item, 'status');
      t.require(
        'sending.accepted-item',
        is === 'accepted',
        `expected the status accepted, got ${is}`,
        answer,
      );
      const errors = valueAt(item, 'errors');
      const isEmpty = Array.isArray(errors) && errors.length === 0;
      t.require('sending.accepted-item', isEmpty, `expected no errors, got ${show(errors)}`, answer);
      const returned = valueAt(item, 'custom_id');
      const message = `expected the custom_id ${custom_id}, got ${show(returned)}`;
      t.require('sending.custom-id-returned', returned === custom_id, message, answer);
      const meta = valueAt(answer.json, 'meta');
      const isObject = typeof meta === 'object' && meta !== null;
      t.require('sending.empty-meta', isObject, `expected meta to be an object, got ${show(meta)}`, answer);
      await requireLogged(t, String(valueAt(item, 'message_id')), custom_id);
    },
  },
  {
    id: 'sending/optional-fields',
    title: 'Each optional field is accepted, and all of them together',
    async run(t: Tester) {
      const reply = { email: 'answers@conformance.test' };
      const optional = {
        'sending.from-name': { from: { email: t.tenant.fromEmail, name: 'The Sender' } },
        'sending.to-name': { to: [{ email: t.address(), name: 'The Recipient' }] },
        'sending.custom-id-returned': { custom_id: t.unique('order') },
        'sending.list-id': { list_id: 'news.conformance.test' },
        'sending.reply-to-address': { reply_to: [reply] },
        'sending.reply-to-name': { reply_to: [{ ...reply, name: 'Answers' }] },
        'sending.no-html-no-pixel': { track_opens: true, track_clicks: true },
      };
      for (const [requirement, change] of Object.entries(optional))
        await requireAccepted(t, requirement, { [Object.keys(change).join(' and ')]: mail(t, change) });
      const all = Object.assign({}, ...Object.values(optional), { body: { text: 'x', html: '<p>x</p>' } });
      const answer = await requireAccepted(t, 'sending.from-name', { 'every optional field': mail(t, all) });
      const returned = valueAt(answer.json, 'data.0.custom_id');
      const message = `expected the custom_id ${all.custom_id}, got ${show(returned)}`;
      t.require('sending.custom-id-returned', returned === all.custom_id, message, answer);
    },
  },
  {
    id: 'sending/optional-nulls',
    title: 'An optional field that is null or an empty reply_to is as good as absent',
    async run(t: Tester) {
      const { email } = { email: t.tenant.fromEmail };
      await requireAccepted(t, 'conventions.optional-null-is-absent', {
        'names null': mail(t, { from: { email, name: null }, to: [{ email: t.address(), name: null }] }),
        'html null': mail(t, { body: { text: 'x', html: null } }),
        'text null': mail(t, { body: { text: null, html: '<p>x</p>' } }),
        'custom_id null': mail(t, { custom_id: null, custom_id_unique: null }),
        'tracking null': mail(t, { track_opens: null, track_clicks: null }),
        'list fields null': mail(t, { list_id: null, list_unsubscribe: null }),
      });
      await requireAccepted(t, 'sending.empty-reply-to', {
        'reply_to null': mail(t, { reply_to: null }),
        'reply_to empty': mail(t, { reply_to: [] }),
        'an entry of reply_to without an address': mail(t, { reply_to: [{ email: null, name: null }] }),
      });
    },
  },
  {
    id: 'sending/one-item-per-message',
    title: 'A batch is answered with one item for each message, in their order',
    async run(t: Tester) {
      const ids = Array.from({ length: BATCH }, () => t.unique('order'));
      const body = ids.map((custom_id) => mail(t, { custom_id }));
      const answer = await t.call('sendEmail', { body });
      const data = valueAt(answer.json, 'data');
      const items = Array.isArray(data) ? data : [];
      const isWhole = items.length === BATCH;
      t.require(
        'sending.one-item-per-message',
        isWhole,
        `expected ${BATCH} items, got ${items.length}`,
        answer,
      );
      const returned = items.map((item) => String(valueAt(item, 'custom_id')));
      const message = `expected the order ${ids.join(', ')}, got ${returned.join(', ')}`;
      t.require('sending.order-of-items', returned.join() === ids.join(), message, answer);
      const different = new Set(items.map((item) => valueAt(item, 'message_id'))).size;
      const isEach = different === BATCH;
      t.require('sending.one-item-per-message', isEach, `expected ${BATCH} ids, got ${different}`, answer);
    },
  },
  {
    id: 'sending/html-or-text',
    title: 'A message has HTML or text or both, and is rejected with neither',
    async run(t: Tester) {
      const html = '<p>x</p>';
      const text = 'x';
      const both = ['sending.html-or-text', 'sending.text-or-html'];
      await requireAccepted(t, both, {
        'html alone': mail(t, { body: { html } }),
        'text alone': mail(t, { body: { text } }),
        'html and text': mail(t, { body: { html, text } }),
        'text that is empty': mail(t, { body: { html, text: '' } }),
      });
      const { body: _body, ...bodiless } = mail(t);
      await requireRejected(t, both, {
        'an empty body': mail(t, { body: {} }),
        'no body': bodiless,
      });
      await requireRejected(t, 'sending.body-required', {
        'html and text null': mail(t, { body: { html: null, text: null } }),
        'html and text empty': mail(t, { body: { html: '', text: '' } }),
      });
    },
  },
  {
    id: 'sending/list-unsubscribe-forms',
    title: 'list_unsubscribe is an address or an http or https URL, and nothing else',
    async run(t: Tester) {
      await requireAccepted(t, 'sending.list-unsubscribe', {
        'an address in list_unsubscribe': mail(t, { list_unsubscribe: 'leave@conformance.test' }),
        'an https URL in list_unsubscribe': mail(t, {
          list_unsubscribe: 'https://conformance.test/leave?a=b',
        }),
      });
      const wrong = ['leave', 'ftp://conformance.test/leave', 'javascript:alert(1)', '/leave'];
      const messages = wrong.map((list_unsubscribe) => [
        `the list_unsubscribe ${show(list_unsubscribe)}`,
        mail(t, { list_unsubscribe }),
      ]);
      await requireRejected(t, 'sending.list-unsubscribe-form', Object.fromEntries(messages));
    },
  },
  {
    id: 'sending/delivers-again-after-deletion',
    title: 'When a suppression is deleted, mail to its address is accepted again',
    async run(t: Tester) {
      const { account_id } = t.tenant.account;
      const email = t.address();
      const body = { account_id, recipient_email: email };
      const { suppression_id } = (await t.ok('createSuppression', 201, { body })).data;
      const message = mail(t, { to: [{ email }] });
      const { results } = await send(t, [message]);
      await t.ok('deleteSuppression', 200, { path: { suppression_id } });
      const before = results[0]?.status;
      t.require(
        'suppressions.delivers-again',
        before !== 'accepted',
        'mail to a suppressed address was accepted',
      );
      await requireAccepted(t, 'suppressions.delivers-again', { 'an address no longer suppressed': message });
    },
  },
];

/** The id that was answered is that of the message. */
async function requireLogged(t: Tester, message_id: string, custom_id: string): Promise<void> {
  const what = `the message ${message_id} cannot be retrieved with the custom_id ${custom_id}`;
  await t.eventually('sending.response', what, async () => {
    const answer = await t.call('getMessage', { path: { message_id } });
    return answer.status === 200 && valueAt(answer.json, 'data.custom_id') === custom_id ? true : undefined;
  });
}
