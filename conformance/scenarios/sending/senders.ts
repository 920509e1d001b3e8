import type { Check } from '../../suite/check.ts';
import { type Message, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { type Domain, domainName, withMade } from '../support/made.ts';
import { verifiedDomain, verify } from '../support/verified.ts';
import { requireAccepted, requireRejected } from './batch.ts';

/** Who may send from which domain, and to whom. */
export const senders: readonly Check[] = [
  {
    id: 'sending/unknown-domain',
    title: 'A sender whose domain is not configured is rejected, that of a subdomain included',
    async run(t: Tester) {
      const own = t.tenant.fromEmail.split('@')[1];
      const cited = [
        'sending.verified-domain-only',
        'sending.domain-before-first-email',
        'sending.from-domain-verified',
      ];
      await requireRejected(
        t,
        cited,
        {
          'a sender of a domain that nobody has': from(t, `hello@${domainName(t)}`),
          'a sender of a subdomain': from(t, `hello@${t.unique('sub')}.${own}`),
          'a sender of a longer name': from(t, `hello@${t.unique('longer')}${own}`),
        },
        'SENDING_DOMAIN_NOT_FOUND',
      );
    },
  },
  {
    id: 'sending/unverified-domain',
    title: 'A sender whose domain is not verified is rejected',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const domain = await made.domain({ accounts: [t.tenant.account.account_id] });
        const cited = [
          'sending.verified-domain-only',
          'sending.domain-records-verified',
          'sending.from-domain-verified',
        ];
        const message = { 'a sender of an unverified domain': fromDomain(t, domain) };
        await requireRejected(t, cited, message, 'SENDING_DOMAIN_NOT_VERIFIED');
      }),
  },
  {
    id: 'sending/half-verified-domain',
    title: 'A sender whose domain has one of its two verifications is rejected, and accepted with both',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const requirement = 'domains.both-verifications';
        const operations = ['verifyDomainDkim', 'verifyDomainReturnPath'] as const;
        for (const order of [operations, operations.toReversed()]) {
          const domain = await made.domain({ accounts: [t.tenant.account.account_id] });
          const [first = 'verifyDomainDkim', second = 'verifyDomainReturnPath'] = order;
          await verify(t, first, domain);
          await requireRejected(t, requirement, { [`a sender after ${first} alone`]: fromDomain(t, domain) });
          await verify(t, second, domain);
          await requireAccepted(t, requirement, { 'a sender of a verified domain': fromDomain(t, domain) });
        }
      }),
  },
  {
    id: 'sending/unassigned-domain',
    title: 'A sender whose domain is not assigned to the account is rejected',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        for (const accounts of [[], [account_id]]) {
          const domain = await verifiedDomain(t, made, accounts);
          const message = { 'a sender of a domain of another account': fromDomain(t, domain) };
          await requireRejected(t, 'sending.assigned-domain-only', message, 'SENDING_DOMAIN_NOT_ASSIGNED');
        }
      }),
  },
  {
    id: 'sending/suppressed-recipient',
    title:
      'Mail to an address that the account suppresses is rejected, in any letter case; other accounts send to it',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { recipient_email: email } = await made.suppression();
        const code = 'EMAIL_SUPPRESSED';
        const suppressed = { 'a suppressed recipient': mail(t, { to: [{ email }] }) };
        await requireRejected(t, 'sending.suppressed-recipient-refused', suppressed, code);
        const shouted = mail(t, { to: [{ email: email.toUpperCase() }] });
        await requireRejected(t, 'suppressions.letter-case', { 'capitals in its address': shouted }, code);
        const { account_id } = await made.account();
        const elsewhere = await made.suppression({ account_id });
        const to = [{ email: elsewhere.recipient_email }];
        await requireAccepted(t, 'sending.suppressed-recipient-refused', {
          'a recipient that another account suppresses': mail(t, { to }),
        });
      }),
  },
  {
    id: 'sending/order-of-codes',
    title: 'Of several faults, the first in the order of the codes is given',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        const { account_id } = t.tenant.account;
        const unassigned = await made.domain();
        const unverified = await made.domain({ accounts: [account_id] });
        const { recipient_email: suppressed } = await made.suppression();
        const taken = { custom_id: t.unique('order'), custom_id_unique: true };
        await requireAccepted(t, 'sending.order-of-codes', { 'a new custom_id': mail(t, taken) });
        const to = [{ email: suppressed }];
        const stranger = { email: `hello@${domainName(t)}` };
        const several = [...to, { email: t.address() }];
        const cases: [string, string, Partial<Message>][] = [
          ['VALIDATION_ERROR', 'no subject and a stranger', { subject: '', from: stranger }],
          [
            'MULTIPLE_RECIPIENTS_NOT_SUPPORTED',
            'two recipients and a stranger',
            { to: several, from: stranger },
          ],
          ['SENDING_DOMAIN_NOT_FOUND', 'a stranger and a suppressed recipient', { from: stranger, to }],
          ['SENDING_DOMAIN_NOT_ASSIGNED', 'an unassigned, unverified domain', { from: at(unassigned), to }],
          ['SENDING_DOMAIN_NOT_VERIFIED', 'an unverified domain', { from: at(unverified), to, ...taken }],
          ['EMAIL_SUPPRESSED', 'a suppressed recipient and a taken custom_id', { to, ...taken }],
        ];
        for (const [code, label, change] of cases)
          await requireRejected(
            t,
            'sending.order-of-codes',
            { [label]: mail(t, change) },
            { code, requirement: 'sending.order-of-codes' },
          );
      }),
  },
];

function at({ name }: Domain): Message['from'] {
  return { email: `hello@${name}` };
}

function from(t: Tester, email: string): Message {
  return mail(t, { from: { email } });
}

function fromDomain(t: Tester, domain: Domain): Message {
  return mail(t, { from: at(domain) });
}
