import type { Check } from '../../suite/check.ts';
import type { Delivery } from '../../suite/receiver.ts';
import { accepted, type Message, mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { withMade } from '../support/made.ts';
import { mailTo, simulated, tracked } from '../support/simulator.ts';
import { kindOf, requestOf, requestsOf, timePasses, watched, watchedMail } from './notified.ts';

const ANNOUNCED: readonly (string | undefined)[] = [
  'delivery',
  'hard_bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'open',
  'click',
];

/** What must not come. That nothing has come is known when something later has. */
export const silence: readonly Check[] = [
  {
    id: 'webhooks/nothing-for-new',
    title: 'The acceptance of a message is not notified, and nothing but the seven events is',
    needs: ['webhooks', 'simulator.delivery'],
    async run(t) {
      const one = await watchedMail(t, mailTo(t, 'delivery'));
      await requestOf(t, one, 'delivery');
      await timePasses(t);
      const strange = requestsOf(one).filter((request) => !ANNOUNCED.includes(kindOf(request)));
      t.require(
        'webhooks.none-for-new',
        strange.length === 0,
        `a request has come: ${textOf(strange)}`,
        ...strange,
      );
    },
  },
  {
    id: 'webhooks/rejected-message-notifies-nothing',
    title: 'A message that was rejected is not notified',
    needs: ['webhooks', 'simulator.delivery'],
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const receiver = await t.receiver;
        await receiver.register(t.tenant.account.account_id);
        const { recipient_email } = await made.suppression({ recipient_email: simulated(t, 'delivery') });
        const custom_id = t.unique('twice');
        const unique = { custom_id, custom_id_unique: true };
        await accepted(t, [mailTo(t, 'delivery', unique)]);
        const refused: Message[] = [
          mail(t, { to: [{ email: recipient_email }] }),
          mail(t, { ...unique, to: [{ email: simulated(t, 'delivery') }] }),
          mail(t, { from: { email: `hello@${t.unique('nobody')}.test` } }),
        ];
        const { results } = await send(t, refused);
        if (results.some(({ status }) => status === 'accepted'))
          throw new SetupFailed('a message was accepted that is to be rejected');
        await timePasses(t);
        for (const { to } of refused) {
          const told = receiver.mentioning(to[0]?.email ?? '');
          t.require(
            'webhooks.none-for-rejected',
            told.length === 0,
            `a request has come: ${textOf(told)}`,
            ...told,
          );
        }
      }),
  },
  {
    id: 'webhooks/untracked-message-notifies-no-open-or-click',
    title: 'Without track_opens no open is notified, and without track_clicks no click',
    needs: ['webhooks', 'simulator.delivery', 'simulator.open', 'simulator.click'],
    async run(t) {
      const untracked = { ...tracked, track_opens: false, track_clicks: false };
      for (const reaction of ['open', 'click'] as const) {
        const messages = [mailTo(t, reaction, untracked), mailTo(t, reaction, tracked)];
        const [quiet, told] = await watched(t, messages);
        if (quiet === undefined || told === undefined) throw new TypeError('Both were sent.');
        await requestOf(t, told, reaction);
        await requestOf(t, quiet, 'delivery');
        await timePasses(t);
        const strange = requestsOf(quiet).filter((request) => kindOf(request) === reaction);
        const message = `${reaction} was notified without tracking: ${textOf(strange)}`;
        t.require('webhooks.open-requires-tracking', strange.length === 0, message, ...strange);
      }
    },
  },
  {
    id: 'webhooks/other-accounts-events-do-not-arrive',
    title: 'What happens in one account is notified to that account alone',
    needs: ['webhooks', 'simulator.delivery', 'second_account'],
    async run(t) {
      const both = [t.tenant.account, t.secondAccount];
      const receiver = await t.receiver;
      // Each has its own address before either sends.
      for (const { account_id } of both) await receiver.register(account_id);
      const sent = await Promise.all(both.map((account) => watched(t, [mailTo(t, 'delivery')], account)));
      for (const one of sent.flat()) {
        await t.poll(async () => requestsOf(one).at(0));
        await timePasses(t);
        const strange = requestsOf(one).filter(({ path }) => !path.endsWith(one.account.account_id));
        const message = `a request for another account has come to ${strange[0]?.path}: ${textOf(strange)}`;
        t.require('webhooks.own-account-only', strange.length === 0, message, ...strange);
      }
    },
  },
  {
    id: 'webhooks/other-organisations-events-do-not-arrive',
    title: 'What happens in another organisation is not notified',
    needs: ['webhooks', 'simulator.delivery', 'second_tenant'],
    async run(t) {
      const receiver = await t.receiver;
      await receiver.register(t.tenant.account.account_id);
      const { fromEmail, account } = t.otherTenant;
      const message = mailTo(t, 'delivery', { from: { email: fromEmail } });
      const [id = ''] = await accepted(t, [message], account);
      await timePasses(t);
      const strange = requestsOf({ id, message, receiver });
      t.require(
        'webhooks.own-account-only',
        strange.length === 0,
        `a request has come: ${textOf(strange)}`,
        ...strange,
      );
    },
  },
];

function textOf(requests: readonly Delivery[]): string {
  return (requests[0]?.text ?? '').slice(0, 200);
}
