import { isDeepStrictEqual } from 'node:util';
import { codeOf } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import { differences, sameMembers, show } from '../support/compare.ts';
import { eventOf } from '../support/log.ts';
import { withMade } from '../support/made.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { createWebhook, pathOf } from '../support/webhooks.ts';
import { isSignedWith } from '../webhooks/signatures.ts';
import {
  about,
  aMoment,
  answerIsKnown,
  arrives,
  bounced,
  changed,
  failureIsKnown,
  notifiedOf,
  REPETITION_MS,
  refused,
  tested,
  withEndpoint,
} from './endpoint.ts';

const ALL = [
  'message.delivery',
  'message.hard_bounce',
  'message.soft_bounce',
  'message.spam_complaint',
  'message.unsubscribe',
  'message.open',
  'message.click',
];
const MOST_WEBHOOKS = 100;

/** Webhooks come into being, are told of events, change and go. */
export const life: readonly Check[] = [
  {
    id: 'webhook-operations/created-webhook',
    title: 'A created webhook has all events unless some are named, and its secret signs',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const requirement = 'webhook_operations.create';
        const work: Parameters<typeof withEndpoint>[1] = async (endpoint) => {
          const { webhook, mailbox, path } = endpoint;
          const expected = { account_id, url: mailbox.url, status: 'enabled', failing_since: null };
          const wrong = differences(webhook, expected);
          t.require(requirement, wrong === '', `the created webhook is another: ${wrong}`);
          const isAll = sameMembers(webhook.events, ALL);
          t.require(requirement, isAll, `expected all seven events, got ${show(webhook.events)}`);
          const { secret, ...shown } = webhook;
          const { data } = await t.ok('getWebhook', 200, { path }, requirement);
          const changes = differences(data, shown);
          t.require(requirement, changes === '', `read again, ${changes}`);
          const request = await notifiedOf(t, endpoint, await tested(t, endpoint));
          const isSigned = isSignedWith(secret, request);
          const unsigned = 'the secret that was shown does not sign';
          t.require('webhook_operations.secret-signs', isSigned, unsigned, request);
        };
        await withEndpoint(t, work, { account_id, events: null, requirement });
      }),
  },
  {
    id: 'webhook-operations/events-that-were-named',
    title: 'A webhook is told of the events that it names, and of no others; a change counts from then on',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const requirement = 'webhook_operations.named-events-only';
        const is = endpoint.webhook.events;
        t.require(requirement, isDeepStrictEqual(is, ['message.soft_bounce']), `its events are ${show(is)}`);
        await arrives(t, endpoint, await bounced(t), requirement);
        const changes = 'webhook_operations.update-events';
        const { events } = await changed(t, endpoint, { events: ['message.open'] }, changes);
        t.require(changes, isDeepStrictEqual(events, ['message.open']), `its events became ${show(events)}`);
        const later = await bounced(t);
        await eventOf(t, later, 'soft_bounce');
        await withEndpoint(t, async (other) => {
          await arrives(t, other, await bounced(t));
          const strange = about(endpoint, later);
          const message = 'an event has come that is not named';
          t.require([requirement, changes], strange.length === 0, message, ...strange);
        });
      }),
  },
  {
    id: 'webhook-operations/update',
    title: 'A change is kept; what is absent or null stays as it was',
    profile: 'extensions',
    needs: ['webhooks'],
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        await withEndpoint(
          t,
          async (endpoint) => {
            const requirement = 'webhook_operations.update';
            const mailbox = (await t.receiver).mailbox();
            await changed(t, endpoint, { url: mailbox.url, events: null, status: null }, requirement);
            const { data } = await t.ok('getWebhook', 200, { path: endpoint.path });
            const expected = { url: mailbox.url, events: endpoint.webhook.events, status: 'enabled' };
            const wrong = differences(data, expected);
            t.require(requirement, wrong === '', `after a change of the URL, ${wrong}`);
            await changed(t, endpoint, { events: ['message.click'] }, requirement);
            const { data: now } = await t.ok('getWebhook', 200, { path: endpoint.path });
            const mistaken = differences(now, { url: mailbox.url, events: ['message.click'] });
            t.require(requirement, mistaken === '', `after a change of the events, ${mistaken}`);
            await notifiedOf(t, { ...endpoint, mailbox }, await tested(t, endpoint), requirement);
          },
          { account_id },
        );
      }),
  },
  {
    id: 'webhook-operations/url-of-what-waits',
    title: 'What waits when the URL changes goes to the new one',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        // It is to wait until the change, however quickly it is repeated.
        endpoint.mailbox.always({ status: 500 });
        const id = await bounced(t);
        await answerIsKnown(t, endpoint, await arrives(t, endpoint, id));
        const mailbox = (await t.receiver).mailbox();
        await changed(t, endpoint, { url: mailbox.url });
        const repeated = async () => about({ ...endpoint, mailbox }, id)[0];
        const message = 'what waited has not come to the new URL';
        const found = await t.poll(repeated, REPETITION_MS);
        t.require('webhook_operations.update-url', found !== undefined, message, ...about(endpoint, id));
      }),
  },
  {
    id: 'webhook-operations/failing-since',
    title: 'failing_since is told while attempts fail, and is null as soon as one succeeds',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        endpoint.mailbox.always({ status: 500 });
        const id = await bounced(t);
        await arrives(t, endpoint, id);
        await failureIsKnown(t, endpoint);
        endpoint.mailbox.always({ status: 200 });
        await arrives(t, endpoint, id, undefined, 2);
        const look = async () => {
          const { data } = await t.ok('getWebhook', 200, { path: endpoint.path });
          return data.failing_since === null ? true : undefined;
        };
        const requirement = 'webhook_operations.failing-since';
        await t.eventually(requirement, 'expected failing_since to be null after a success', look);
      }),
  },
  {
    id: 'webhook-operations/disabled-and-enabled',
    title: 'A disabled webhook gets nothing, and gets what has happened meanwhile when it is enabled',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, (witness) =>
        withEndpoint(t, async (endpoint) => {
          const requirement = 'webhook_operations.disabled-gets-nothing';
          await changed(t, endpoint, { status: 'disabled' }, requirement);
          const id = await bounced(t);
          await arrives(t, witness, id);
          await aMoment();
          const strange = about(endpoint, id);
          const message = 'a notification has come to a disabled webhook';
          t.require(requirement, strange.length === 0, message, ...strange);
          const enabled = await changed(t, endpoint, { status: 'enabled' });
          t.require(
            'webhook_operations.enabled-gets-what-waited',
            enabled.status === 'enabled',
            'it stays disabled',
          );
          await arrives(t, endpoint, id, 'webhook_operations.enabled-gets-what-waited');
          const { data } = await t.ok('getWebhook', 200, { path: endpoint.path });
          const changes = data.status_changes.map(({ status, reason }) => `${status}: ${reason}`);
          const expected = ['enabled: requested', 'disabled: requested', 'enabled: created'];
          const isTold = isDeepStrictEqual(changes, expected);
          const other = `expected ${show(expected)} in status_changes, got ${show(changes)}`;
          t.require('webhook_operations.status-changes', isTold, other);
        }),
      ),
  },
  {
    id: 'webhook-operations/deleted',
    title:
      'A deleted webhook is answered once more and then gone; neither what waits nor what happens later is sent',
    profile: 'extensions',
    needs: ['webhooks', 'simulator.soft_bounce'],
    run: (t) =>
      withEndpoint(t, async (endpoint) => {
        const requirement = 'webhook_operations.delete';
        const { path, webhook } = endpoint;
        const id = await refused(t, endpoint, { status: 503, headers: { 'retry-after': '2' } });
        await answerIsKnown(t, endpoint, await arrives(t, endpoint, id));
        const before = about(endpoint, id).length;
        const { data } = await t.ok('deleteWebhook', 200, { path }, requirement);
        const wrong = differences(data, { webhook_id: webhook.webhook_id, url: webhook.url });
        t.require(requirement, wrong === '', `another webhook was answered: ${wrong}`);
        for (const operation of ['getWebhook', 'listWebhookDeliveries'] as const) {
          const answer = await t.call(operation, { path });
          requireStatus(t, requirement, answer, 409, `${operation} of a deleted webhook`);
          requireCode(t, requirement, answer, 'WEBHOOK_NOT_FOUND');
        }
        const { account_id } = path;
        const list = await t.call('listWebhooks', { path: { account_id }, query: { limit: 30 } });
        t.require(requirement, !list.text.includes(webhook.webhook_id), 'the list still has it', list);
        const later = await bounced(t);
        await eventOf(t, later, 'soft_bounce');
        await aMoment(3_000);
        const waited = about(endpoint, id).slice(before);
        t.require(
          requirement,
          waited.length === 0,
          'a notification that waited was sent after all',
          ...waited,
        );
        const told = about(endpoint, later);
        t.require(requirement, told.length === 0, 'what happened after the deletion was sent', ...told);
      }),
  },
  {
    id: 'webhook-operations/list-of-an-account',
    title: 'The list has the webhooks of the account, the newest first, and those of no other',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const [one, other] = [await made.account(), await made.account()];
        const ids: string[] = [];
        for (let count = 0; count < 3; count += 1)
          ids.unshift((await createWebhook(t, one.account_id)).webhook_id);
        await createWebhook(t, other.account_id);
        const requirement = 'webhook_operations.list';
        const path = { account_id: one.account_id };
        const { data } = await t.ok('listWebhooks', 200, { path }, requirement);
        const shown = data.map(({ webhook_id: id }) => id);
        t.require(requirement, isDeepStrictEqual(shown, ids), `expected ${show(ids)}, got ${show(shown)}`);
      }),
  },
  {
    id: 'webhook-operations/secret-is-shown-once',
    title: 'Only creating and rotating show a secret',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const webhook = await createWebhook(t, (await made.account()).account_id);
        const path = pathOf(webhook);
        await tested(t, { path });
        const answers = [
          await t.call('listWebhooks', { path: { account_id: path.account_id } }),
          await t.call('getWebhook', { path }),
          await t.call('updateWebhook', { path, body: { events: null } }),
          await t.call('testWebhook', { path, body: { event: 'message.open' } }),
          await t.call('listWebhookDeliveries', { path }),
          await t.call('deleteWebhook', { path }),
        ];
        for (const answer of answers) {
          const isHidden = !answer.text.includes(webhook.secret);
          const message = `${answer.operation} shows the secret`;
          t.require('webhook_operations.secret-shown-once', isHidden, message, answer);
        }
      }),
  },
  {
    id: 'webhook-operations/a-hundred-of-an-account',
    title: 'An account has at most 100 webhooks',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const requirement = 'webhook_operations.a-hundred';
        for (let count = 0; count < MOST_WEBHOOKS; count += 10)
          await Promise.all(Array.from({ length: 10 }, () => createWebhook(t, account_id, {}, requirement)));
        const body = { url: `https://${t.unique('one-more')}.conformance.test/` };
        const answer = await t.call('createWebhook', { path: { account_id }, body });
        requireStatus(t, requirement, answer, 409, 'webhook 101 of an account');
        requireCode(t, requirement, answer, 'WEBHOOK_LIMIT_REACHED');
        t.require(requirement, codeOf(answer) !== '', 'the refusal has no code', answer);
      }),
  },
];
