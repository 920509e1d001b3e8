import { judgeWebhookPayload } from '../../contract/judge.ts';
import { textAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { differences, show } from '../support/compare.ts';
import { isSignedWith } from '../webhooks/signatures.ts';
import { concluded, notifiedOf, TEST, tested, withEndpoint } from './endpoint.ts';

const EXAMPLE = /@([a-z0-9-]+\.)*example\.com$/i;

/** Tests that are asked for. */
export const tests: readonly Check[] = [
  {
    id: 'webhook-operations/test-of-each-event',
    title: 'A test of each event comes signed, with the payload of that event and of nobody’s message',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withEndpoint(
        t,
        async (endpoint) => {
          const requirement = 'webhook_operations.test';
          for (const event of endpoint.webhook.events) {
            const test = await tested(t, endpoint, event, requirement);
            const wrong = differences(test, { event, is_test: true, message_id: null });
            t.require(requirement, wrong === '', `of a test of ${event}, ${wrong}`);
            const request = await notifiedOf(t, endpoint, test, requirement);
            const { json } = request;
            const [fault] = judgeWebhookPayload(event, json).faults;
            const unsound = `in a test of ${event}, ${fault?.message}`;
            t.require(requirement, fault === undefined, unsound, request);
            const isSigned = isSignedWith(endpoint.webhook.secret, request);
            const unsigned = `the test of ${event} is not signed like a real one`;
            t.require(requirement, isSigned, unsigned, request);
            const account = { account_id: endpoint.path.account_id, custom_id: 'test' };
            const other = differences(Object(json), account);
            t.require(requirement, other === '', `in a test of ${event}, ${other}`, request);
            for (const name of ['from_email', 'recipient_email']) {
              const is = textAt(json, name);
              t.require(requirement, EXAMPLE.test(is), `${name} of a test is ${is}`, request);
            }
            const { status, attempts } = await concluded(t, endpoint, test.notification_id);
            const isLogged = status === 'delivered' && attempts.length === 1;
            const message = `the log says ${status} after ${attempts.length} attempts of a test that arrived`;
            t.require('webhook_operations.test-in-the-log', isLogged, message);
          }
        },
        { events: null },
      ),
  },
  {
    id: 'webhook-operations/test-is-tried-once',
    title: 'A test that fails is not repeated',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        endpoint.mailbox.answer(TEST, { status: 500 });
        const { notification_id: id } = await tested(t, endpoint);
        await notifiedOf(t, endpoint, { notification_id: id });
        const one = await concluded(t, endpoint, id);
        const wrong = differences(one, { status: 'failed', next_attempt_at: null });
        t.require('webhook_operations.test-once', wrong === '', `of a test that failed, ${wrong}`);
        const count = one.attempts.length;
        t.require(
          'webhook_operations.test-once',
          count === 1,
          `it has ${count} attempts: ${show(one.attempts)}`,
        );
      }),
  },
];
