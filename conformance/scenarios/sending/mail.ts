import fc from 'fast-check';
import type { AddressObject } from 'mailparser';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { htmlOf, sentMail, textOf } from '../support/mails.ts';
import { texts } from '../support/values.ts';

const NAMES = ['Ann Example', 'Example, Ann (Dr.)', 'Zoë Ängström', 'He said "no"', '日本語の名前', 'a.b@c'];

/** What leaves the server is what was sent. */
export const mails: readonly Check[] = [
  {
    id: 'sending/mail-carries-what-was-sent',
    title: 'The mail that leaves carries the names, subject, custom ID, reply addresses and both bodies',
    needs: ['sent_mail'],
    async run(t: Tester) {
      const name = fc.constantFrom(...NAMES);
      const custom_id = fc.string({
        unit: fc.constantFrom(...'abcXYZ019-_./:+#'),
        minLength: 1,
        maxLength: 60,
      });
      const letters = fc.record({ subject: texts(), custom_id, from: name, to: name, answers: name });
      await t.property(letters, (letter) => requireCarried(t, letter), 5);
    },
  },
  {
    id: 'sending/list-headers',
    title:
      'The mail has List-Unsubscribe with list_id or list_unsubscribe, List-Id with list_id, and neither otherwise',
    needs: ['sent_mail'],
    async run(t: Tester) {
      const list_id = `${t.unique('news')}.conformance.test`;
      const list_unsubscribe = 'https://conformance.test/leave';
      const messages = [
        mail(t, { list_id }),
        mail(t, { list_unsubscribe }),
        mail(t, { list_unsubscribe: 'leave@conformance.test' }),
        mail(t),
      ];
      await accepted(t, messages);
      const [withId, withUrl, withAddress, plain] = await Promise.all(
        messages.map(({ to }) => sentMail(t, 'sending.list-headers', to[0]?.email ?? '')),
      );
      const unsubscribe = [withId, withUrl, withAddress].map((one) => one?.header('List-Unsubscribe'));
      const cited = ['sending.list-id', 'sending.list-unsubscribe', 'sending.list-unsubscribe'];
      for (const [index, requirement] of cited.entries()) {
        const value = unsubscribe[index];
        const isLink = value !== undefined && /^<(https?|mailto):[^>]+>/i.test(value);
        t.require(requirement, isLink, `expected List-Unsubscribe with an address in <>, got ${show(value)}`);
      }
      const id = withId?.header('List-Id');
      const isNamed = id?.includes(`<${list_id}>`) ?? false;
      t.require('sending.list-headers', isNamed, `expected List-Id with <${list_id}>, got ${show(id)}`);
      for (const [one, header] of [
        [withUrl, 'List-Id'],
        [plain, 'List-Id'],
        [plain, 'List-Unsubscribe'],
      ] as const) {
        const value = one?.header(header);
        t.require('sending.list-headers', value === undefined, `expected no ${header}, got ${show(value)}`);
      }
    },
  },
];

interface Letter {
  readonly subject: string;
  readonly custom_id: string;
  readonly from: string;
  readonly to: string;
  readonly answers: string;
}

async function requireCarried(t: Tester, { subject, custom_id, from, to, answers }: Letter): Promise<void> {
  const address = t.address();
  const reply = { email: `${t.unique('answers')}@conformance.test`, name: answers };
  const text = `Hello ${to},\n\nä line, and a dot:\n.\n${'long '.repeat(300)}`.trimEnd();
  const marker = t.unique('html');
  const message = mail(t, {
    subject,
    custom_id,
    from: { email: t.tenant.fromEmail, name: from },
    to: [{ email: address, name: to }],
    reply_to: [reply],
    body: { text, html: `<html><body><p id="${marker}">Grüße, &lt;${marker}&gt;</p></body></html>` },
  });
  await accepted(t, [message]);
  const left = await sentMail(t, 'sending.subject-required', address);
  const { parsed } = left;
  const same = (requirement: string, what: string, is: unknown, expected: unknown) =>
    t.require(requirement, is === expected, `expected ${what} ${show(expected)}, got ${show(is)}`);
  same('sending.subject-required', 'the subject', parsed.subject, subject);
  same('sending.custom-id-header', 'X-Message-Custom-Id', left.header('X-Message-Custom-Id'), custom_id);
  same('sending.from-name', 'the name of the sender', first(parsed.from)?.name, from);
  same('sending.from-name', 'the sender', first(parsed.from)?.address, t.tenant.fromEmail);
  same('sending.to-name', 'the name of the recipient', first(parsed.to)?.name, to);
  same('sending.reply-to-address', 'the address in Reply-To', first(parsed.replyTo)?.address, reply.email);
  same('sending.reply-to-name', 'the name in Reply-To', first(parsed.replyTo)?.name, answers);
  same('sending.text-or-html', 'the text', textOf(left), text);
  const html = htmlOf(left);
  const isThere = html.includes(`Grüße`) && html.includes(marker);
  t.require('sending.html-or-text', isThere, `expected the HTML that was sent, got ${show(html)}`);
}

function first(addresses: AddressObject | AddressObject[] | undefined) {
  return [addresses].flat()[0]?.value[0];
}
