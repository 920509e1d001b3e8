import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail, send } from '../../suite/sending.ts';
import type { LooseCall } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { logged, periodOf } from '../support/log.ts';
import { domainName, withMade } from '../support/made.ts';
import { requireStatus } from '../support/refused.ts';

/** Each organisation sees what is its own, and nothing else. */
export const own: readonly Check[] = [
  {
    id: 'isolation/lists-show-only-ones-own',
    title: 'No list and no export shows what another organisation has',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const account = await made.account();
        const domain = await made.domain();
        const suppression = await made.suppression();
        const custom_id = t.unique('custom');
        const [message = ''] = await accepted(t, [mail(t, { custom_id })]);
        await logged(t, message);
        const as = await t.otherTenant.session();
        const searches = [
          { operation: 'listAccounts', query: { name: account.name }, secret: account.account_id },
          { operation: 'listAccounts', query: {}, secret: account.account_id },
          { operation: 'listDomains', query: { name: domain.name }, secret: domain.domain_id },
          { operation: 'listDomains', query: {}, secret: domain.domain_id },
          { operation: 'listSuppressions', query: {}, secret: suppression.suppression_id },
          { operation: 'listMessages', query: {}, secret: message },
          { operation: 'exportMessages', query: { message_custom_id: custom_id }, secret: message },
        ] as const;
        for (const { operation, query, secret } of searches) {
          const answer = await t.call(operation, { query, as });
          requireStatus(t, 'isolation.organisations-see-their-own', answer, 200);
          const isHidden = !answer.text.includes(secret);
          const message = `${operation} with ${show(query)} shows what belongs to another organisation`;
          t.require('isolation.organisations-see-their-own', isHidden, message, answer);
        }
      }),
  },
  {
    id: 'isolation/searches-find-nothing-foreign',
    title: 'Searching for what another organisation has finds nothing: no item, no total',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const suppression = await made.suppression({ reason: t.unique('reason') });
        const message = mail(t, { custom_id: t.unique('custom') });
        const [id = ''] = await accepted(t, [message]);
        await logged(t, id);
        const recipient = message.to[0]?.email ?? '';
        const searches: [
          'listSuppressions' | 'listMessages' | 'exportMessages',
          NonNullable<LooseCall['query']>,
        ][] = [
          ['listSuppressions', { recipient_email: suppression.recipient_email }],
          ['listSuppressions', { reason: suppression.reason }],
          ['listMessages', { recipient_email: recipient }],
          ['listMessages', { subject: message.subject }],
          ['listMessages', { message_custom_id: message.custom_id ?? '' }],
          ['exportMessages', { recipient_email: recipient }],
          ['exportMessages', { subject: message.subject }],
        ];
        const as = await t.otherTenant.session();
        const requirement = 'isolation.searches-find-only-ones-own';
        for (const [operation, query] of searches) {
          const answer = await t.call(operation, { query, as });
          requireStatus(t, requirement, answer, 200, `${operation} with ${show(query)}`);
          const total =
            operation === 'exportMessages' ? rowsIn(answer.text) : valueAt(answer.json, 'meta.total');
          t.require(
            requirement,
            total === 0,
            `expected ${operation} with ${show(query)} to find 0, got ${total}`,
            answer,
          );
        }
      }),
  },
  {
    id: 'isolation/accounts-have-their-own-log',
    title: 'Each account has its own log, and a user sees those of all accounts',
    needs: ['second_account'],
    async run(t) {
      const [first, second] = [t.tenant.account, t.secondAccount];
      const subject = t.unique('subject');
      const [one = ''] = await accepted(t, [mail(t, { subject })], first);
      const [two = ''] = await accepted(t, [mail(t, { subject })], second);
      const owners = [
        { id: one, account: first },
        { id: two, account: second },
      ];
      for (const { id, account } of owners) {
        const { account_id: is } = await logged(t, id);
        const message = `expected the message in the log of ${account.account_id}, got ${is}`;
        t.require('isolation.account-owns', is === account.account_id, message);
        const { data } = await t.ok('listMessages', 200, {
          query: { subject, 'account_ids[]': [account.account_id] },
        });
        const ids = data.map(({ message_id: found }) => found);
        t.require(
          'isolation.account-owns',
          show(ids) === show([id]),
          `expected ${show([id])}, got ${show(ids)}`,
        );
      }
      const { data } = await t.ok('listMessages', 200, { query: { subject } });
      const found = new Set(data.map(({ message_id: id }) => id));
      const seesBoth = found.has(one) && found.has(two);
      t.require('isolation.users-see-all', seesBoth, 'expected a user to see the messages of both accounts');
    },
  },
  {
    id: 'isolation/suppressions-of-an-account',
    title: 'A suppression in one account stops nothing in another, and a user sees both lists',
    needs: ['second_account'],
    run: (t) =>
      withMade(t, async (made) => {
        const { recipient_email: email } = await made.suppression();
        const { results: stopped } = await send(t, [mail(t, { to: [{ email }] })]);
        const is = stopped[0]?.status;
        t.require(
          'isolation.account-owns',
          is === 'rejected',
          `expected the suppressed recipient rejected, got ${is}`,
        );
        const { results: free } = await send(t, [mail(t, { to: [{ email }] })], t.secondAccount);
        const other = free[0]?.status;
        t.require(
          'isolation.account-owns',
          other === 'accepted',
          `expected the other account to send, got ${other}`,
        );
      }),
  },
  {
    id: 'isolation/statistics-are-ones-own',
    title: 'What one organisation sends is not counted for another',
    needs: ['second_tenant'],
    exclusive: true,
    async run(t) {
      const ids = await accepted(t, [mail(t), mail(t), mail(t)]);
      const query = await periodOf(t, ids);
      const as = await t.otherTenant.session();
      const { data } = await t.ok('getStats', 200, { query, as });
      const messages = Number(data.stats_summary.messages);
      const requirement = 'isolation.statistics-are-ones-own';
      t.require(
        requirement,
        messages === 0,
        `expected 0 messages for the other organisation, got ${messages}`,
      );
      const secrets = { all_accounts: t.tenant.account.account_id, all_domains: t.tenant.domainId };
      for (const [breakdown, id] of Object.entries(secrets)) {
        const answer = await t.call('getStats', { query: { ...query, [breakdown]: 1 }, as });
        const isHidden = !answer.text.includes(id);
        t.require(requirement, isHidden, `${breakdown}=1 shows what belongs to another organisation`, answer);
      }
    },
  },
  {
    id: 'isolation/foreign-domain-sends-nothing',
    title: 'Nobody sends from the verified domain of another organisation',
    needs: ['second_tenant'],
    async run(t) {
      const from = { email: t.tenant.fromEmail };
      const { answer, results } = await send(t, [mail(t, { from })], t.otherTenant.account);
      const is = results[0]?.status;
      const requirement = 'isolation.foreign-domain-sends-nothing';
      t.require(
        requirement,
        is === 'rejected',
        `expected a foreign domain to be rejected, got ${is}`,
        answer,
      );
    },
  },
  {
    id: 'isolation/same-domain-in-two-organisations',
    title: 'Two organisations may have a domain of the same name',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const name = domainName(t);
        await made.domain({ name });
        const as = await t.otherTenant.session();
        const answer = await t.call('createDomain', { as, body: { name, accounts: [] } });
        requireStatus(
          t,
          'domains.same-domain-elsewhere',
          answer,
          201,
          'a domain that another organisation has',
        );
        const id = valueAt(answer.json, 'data.domain_id');
        if (typeof id === 'string') await t.call('deleteDomain', { as, path: { domain_id: id } });
      }),
  },
];

/** The lines of a CSV file of short cells, without the header. */
function rowsIn(csv: string): number {
  return csv.trim().split('\n').length - 1;
}
