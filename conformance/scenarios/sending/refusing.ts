import fc from 'fast-check';
import { type Answer, valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { requireRejected } from './batch.ts';

const KINDS = ['fine', 'without a subject', 'from a stranger'] as const;
const STRANGER = 'nobody@stranger.conformance.test';

/** What is rejected for its form, and what the answer says of it. */
export const refusing: readonly Check[] = [
  {
    id: 'sending/required-fields',
    title: 'A message without a sender, a recipient or a subject is rejected',
    async run(t: Tester) {
      const { from: _from, ...senderless } = mail(t);
      const { to: _to, ...recipientless } = mail(t);
      const { subject: _subject, ...subjectless } = mail(t);
      const code = 'VALIDATION_ERROR';
      await requireRejected(
        t,
        'sending.from-email-required',
        { 'no from': senderless, 'from without email': { ...mail(t), from: { name: 'A' } } },
        code,
      );
      await requireRejected(
        t,
        'sending.to-email-required',
        {
          'no to': recipientless,
          'to empty': { ...mail(t), to: [] },
          'to without email': { ...mail(t), to: [{ name: 'A' }] },
        },
        code,
      );
      await requireRejected(
        t,
        'sending.subject-required',
        { 'no subject': subjectless, 'subject null': { ...mail(t), subject: null } },
        code,
      );
    },
  },
  {
    id: 'sending/only-one-recipient',
    title: 'A message to several recipients is rejected',
    async run(t: Tester) {
      const to = [{ email: t.address() }, { email: t.address() }];
      const cited = ['sending.one-recipient', 'limits.one-recipient', 'sending.recipients-code'];
      const several = { 'two recipients': mail(t, { to }) };
      await requireRejected(t, cited, several, 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED');
    },
  },
  {
    id: 'sending/malformed-addresses',
    title: 'A sender or recipient that is no address is rejected',
    async run(t: Tester) {
      const wrong = [
        'nobody',
        'nobody@',
        '@conformance.test',
        'a b@conformance.test',
        'a@b@conformance.test',
      ];
      wrong.push('nobody@localhost', 'a@conformance..test', 'one@conformance.test, two@conformance.test');
      const messages = wrong.flatMap((email) => [
        [`the recipient ${show(email)}`, mail(t, { to: [{ email }] })],
        [`the sender ${show(email)}`, mail(t, { from: { email } })],
      ]);
      await requireRejected(t, 'sending.address', Object.fromEntries(messages));
    },
  },
  {
    id: 'sending/control-characters',
    title: 'A line break or NUL in anything that ends up in a header is rejected',
    async run(t: Tester) {
      const { fromEmail: email } = t.tenant;
      const messages = ['\r\n', '\r', '\n', '\0'].flatMap((control) => {
        const text = `a${control}Bcc: victim@conformance.test`;
        const places = {
          'the subject': { subject: text },
          "the sender's name": { from: { email, name: text } },
          "the recipient's name": { to: [{ email: t.address(), name: text }] },
          'the custom_id': { custom_id: text },
          'the list_id': { list_id: text },
          'a name of reply_to': { reply_to: [{ email, name: text }] },
          'an address of reply_to': { reply_to: [{ email: `${text}@conformance.test` }] },
        };
        return Object.entries(places).map(([place, change]) => [
          `${show(control)} in ${place}`,
          mail(t, change),
        ]);
      });
      await requireRejected(t, 'sending.control-characters', Object.fromEntries(messages));
    },
  },
  {
    id: 'sending/malformed-items-are-rejected-alone',
    title: 'Whatever stands in the batch in place of a message is rejected, and the others are accepted',
    async run(t: Tester) {
      const cited = ['sending.one-by-one'];
      for (const item of [null, 5, 'a message', [], {}]) {
        const answer = await t.call('sendEmail', { body: [mail(t), item, mail(t)] });
        requireStates(t, { status: cited, items: cited }, answer, [true, false, true], show(item));
      }
    },
  },
  {
    id: 'sending/rejection-in-every-permutation',
    title:
      'Each message of a batch is judged by itself: 207 as soon as one is rejected, the items in their order',
    async run(t: Tester) {
      const cited = {
        status: ['sending.rejected-gives-207', 'sending.status-207'],
        items: ['sending.one-item-per-message', 'sending.one-by-one'],
      };
      const batches = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 });
      await t.property(batches, async (kinds) => {
        const answer = await t.call('sendEmail', { body: kinds.map((kind) => messageOf(t, kind)) });
        const states = kinds.map((kind) => kind === 'fine');
        if (states.every(Boolean)) {
          const isOther = answer.status !== 207;
          t.require(
            'sending.accepted-batch-is-not-207',
            isOther,
            'nothing is rejected, and the answer is 207',
          );
        }
        const isNone = !states.includes(true);
        const status = isNone ? [...cited.status, 'sending.all-rejected-207'] : cited.status;
        requireStates(t, { ...cited, status }, answer, states, kinds.join(', '));
      });
    },
  },
  {
    id: 'sending/only-message-rejected',
    title: 'A batch whose only message is rejected is 207 too',
    async run(t: Tester) {
      const cited = ['sending.rejected-gives-207', 'sending.status-207', 'sending.all-rejected-207'];
      for (const kind of ['without a subject', 'from a stranger'] as const)
        await requireRejected(t, cited, { [kind]: messageOf(t, kind) });
    },
  },
  {
    id: 'sending/rejected-item-shape',
    title: 'A rejected item has the custom ID, a code, and an error that names the field at fault',
    async run(t: Tester) {
      const custom_id = t.unique('order');
      const message = { ...mail(t, { custom_id }), to: [{ email: 'nobody' }] };
      const answer = await requireRejected(t, 'sending.rejected-item', { 'a malformed recipient': message });
      const item = valueAt(answer.json, 'data.0');
      const returned = valueAt(item, 'custom_id');
      const expected = `expected the custom_id ${custom_id}, got ${show(returned)}`;
      t.require('sending.rejected-item', returned === custom_id, expected, answer);
      const errors = valueAt(item, 'errors');
      const list = Array.isArray(errors) ? errors : [];
      t.require('sending.rejected-item', list.length > 0, `expected errors, got ${show(errors)}`, answer);
      const fault = list.find((error) => valueAt(error, 'field') === 'to[0].email');
      const fields = list.map((error) => valueAt(error, 'field'));
      const named = `expected an error of the field to[0].email, got ${show(fields)}`;
      t.require('http.field-is-a-path', fault !== undefined, named, answer);
      const value = valueAt(fault, 'value');
      t.require('http.field-is-a-path', value === 'nobody', `expected its value, got ${show(value)}`, answer);
      const meta = valueAt(answer.json, 'meta');
      const isObject = typeof meta === 'object' && meta !== null;
      t.require('sending.empty-meta', isObject, `expected meta to be an object, got ${show(meta)}`, answer);
    },
  },
  {
    id: 'sending/rejected-message-is-not-logged',
    title: 'Nothing of a rejected message is kept in the log',
    async run(t: Tester) {
      const requirement = 'sending.rejected-leaves-no-trace';
      const custom_id = t.unique('order');
      const recipient = t.address();
      const { account_id } = t.tenant.account;
      const body = { account_id, recipient_email: recipient };
      const { suppression_id } = (await t.ok('createSuppression', 201, { body })).data;
      const suppressed = mail(t, { custom_id, to: [{ email: recipient }] });
      const malformed = { ...mail(t, { custom_id }), subject: null };
      await requireRejected(t, requirement, {
        'a suppressed recipient': suppressed,
        'no subject': malformed,
      });
      await t.ok('deleteSuppression', 200, { path: { suppression_id } });
      // What comes later is in the log by now, so that what came before would be.
      const [message_id = ''] = await accepted(t, [mail(t)]);
      await t.poll(async () => {
        const { status } = await t.call('getMessage', { path: { message_id } });
        return status === 200 ? true : undefined;
      });
      const { data } = await t.ok('listMessages', 200, { query: { message_custom_id: custom_id } });
      t.require(requirement, data.length === 0, `expected no message ${custom_id}, got ${data.length}`);
    },
  },
  {
    id: 'sending/body-must-be-an-array',
    title: 'A body that is no array or an empty one is refused as a whole',
    async run(t: Tester) {
      const cited = ['sending.body-is-an-array', 'sending.body-level-errors'];
      for (const body of [mail(t), {}, null, 'a message', 5]) {
        const answer = await t.call('sendEmail', { body });
        requireStatus(t, cited, answer, 422, body);
        requireCode(t, 'sending.body-level-errors', answer, 'BODY_NOT_ARRAY');
      }
      const empty = await t.call('sendEmail', { body: [] });
      requireStatus(t, ['sending.empty-array', 'sending.body-level-errors'], empty, 422, 'an empty array');
      requireCode(t, 'sending.body-level-errors', empty, 'BODY_EMPTY_ARRAY');
    },
  },
];

function messageOf(t: Tester, kind: (typeof KINDS)[number]): unknown {
  const message = mail(t);
  if (kind === 'without a subject') return { ...message, subject: undefined };
  return kind === 'fine' ? message : { ...message, from: { email: STRANGER } };
}

/** The status says whether all messages were accepted, and the items say it of each. */
function requireStates(
  t: Tester,
  cited: { readonly status: readonly string[]; readonly items: readonly string[] },
  answer: Answer,
  states: readonly boolean[],
  input: string,
): void {
  const isExpected = states.every(Boolean) ? answer.status < 300 : answer.status === 207;
  const wanted = states.every(Boolean) ? 'a success' : '207';
  t.require(cited.status, isExpected, `expected ${wanted} for ${input}, got ${answer.status}`, answer);
  const data = valueAt(answer.json, 'data');
  const items = Array.isArray(data) ? data : [];
  const words = (are: readonly boolean[]) => are.map((is) => (is ? 'accepted' : 'rejected')).join(', ');
  const is = words(items.map((item) => valueAt(item, 'status') === 'accepted'));
  const message = `expected ${words(states)} for ${input}, got ${is || 'no items'}`;
  t.require(cited.items, is === words(states), message, answer);
}
