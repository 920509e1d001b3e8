import type { Answer } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { type Message, mail, send } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { Violation } from '../../suite/violation.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { requireRejected } from './batch.ts';

const MOST_MESSAGES = 500;
const MB = 2 ** 20;
const MOST_BODY_MB = 50;
const MOST_MESSAGE_MB = 10;
const LONGEST_NAME = 255;
const LONGEST_SUBJECT = 998;

/** How much may be sent at once. */
export const limits: readonly Check[] = [
  {
    id: 'sending/more-than-500-messages',
    title: 'A request of more than 500 messages is refused as a whole, and nothing is sent',
    async run(t: Tester) {
      const message = mail(t, { custom_id: t.unique('order') });
      const body = Array.from({ length: MOST_MESSAGES + 1 }, () => message);
      const answer = await t.call('sendEmail', { body });
      const cited = ['limits.batch-size', 'sending.body-level-errors'];
      requireStatus(t, cited, answer, 422, `${body.length} messages`);
      requireCode(t, 'sending.body-level-errors', answer, 'VALIDATION_ERROR');
      await requireNothingSent(t, 'limits.batch-size', message);
    },
  },
  {
    id: 'sending/more-than-50-megabytes',
    title: 'A request of more than 50 MB is refused as a whole, and nothing is sent',
    async run(t: Tester) {
      const text = 'x'.repeat((MOST_MESSAGE_MB - 1) * MB);
      const message = mail(t, { custom_id: t.unique('order'), body: { text } });
      const body = Array.from({ length: 6 }, () => message);
      const answer = await answerTo(t, body);
      if (answer !== undefined)
        requireStatus(t, 'limits.batch-bytes', answer, 422, `a body of more than ${MOST_BODY_MB} MB`);
      await requireNothingSent(t, 'limits.batch-bytes', message);
    },
  },
  {
    id: 'sending/message-over-10-megabytes',
    title: 'A message of more than 10 MB is rejected, and the others of its batch are accepted',
    async run(t: Tester) {
      // Two bytes each in UTF-8: the limit is one of bytes.
      const html = 'é'.repeat((MOST_MESSAGE_MB * MB) / 2);
      const { answer, results } = await send(t, [mail(t), mail(t, { body: { html, text: 'x' } }), mail(t)]);
      const is = results.map(({ status }) => status).join(', ');
      const message = `expected accepted, rejected, accepted, got ${is}`;
      t.require('limits.message-size', is === 'accepted, rejected, accepted', message, answer);
    },
  },
  {
    id: 'sending/length-limits',
    title: 'A name, custom_id, list_id or subject that is too long is rejected',
    async run(t: Tester) {
      const long = 'n'.repeat(LONGEST_NAME + 1);
      const { fromEmail: email } = t.tenant;
      await requireRejected(t, 'limits.message-lengths', {
        "a sender's name that is too long": mail(t, { from: { email, name: long } }),
        "a recipient's name that is too long": mail(t, { to: [{ email: t.address(), name: long }] }),
        'a name in reply_to that is too long': mail(t, { reply_to: [{ email, name: long }] }),
        'a custom_id that is too long': mail(t, { custom_id: long }),
        'a list_id that is too long': mail(t, { list_id: long }),
        'a subject that is too long': mail(t, { subject: 's'.repeat(LONGEST_SUBJECT + 1) }),
      });
    },
  },
];

/** The answer; undefined when the server has cut the connection while the request was still on its way (RFC 9112, 9.6). */
async function answerTo(t: Tester, body: readonly Message[]): Promise<Answer | undefined> {
  try {
    return await t.call('sendEmail', { body });
  } catch (error) {
    if (error instanceof Violation && error.requirement === 'http.complete-answer') return undefined;
    throw error;
  }
}

async function requireNothingSent(t: Tester, requirement: string, { custom_id }: Message): Promise<void> {
  const query = { message_custom_id: custom_id ?? '' };
  const { data } = await t.ok('listMessages', 200, { query });
  t.require(requirement, data.length === 0, `the request was refused, and ${data.length} messages were sent`);
}
