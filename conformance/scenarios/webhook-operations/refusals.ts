import type { OperationId } from '../../../generated/operations.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import { unknownId, withMade } from '../support/made.ts';
import { requireAllRefused, requireCode, requireStatus } from '../support/refused.ts';
import { createWebhook, deafUrl, pathOf } from '../support/webhooks.ts';
import { tested } from './endpoint.ts';

const LONGEST_URL = 2048;
const LONGEST_OVERLAP = 604_800;

const URLS = [
  null,
  '',
  17,
  'hooks',
  'www.conformance.test/hooks',
  'ftp://www.conformance.test/hooks',
  'javascript:alert(1)',
  'https://',
  'https://ada:secret@www.conformance.test/hooks',
  `https://www.conformance.test/${'x'.repeat(LONGEST_URL)}`,
];
const EVENTS = [[], 'message.open', ['message.new'], ['open'], ['message.open', 'message.opened'], [17]];

/** The operations that name a webhook, each with a body that is fine. */
const NAMING: readonly (readonly [OperationId, unknown])[] = [
  ['getWebhook', undefined],
  ['listWebhookDeliveries', undefined],
  ['updateWebhook', { status: 'disabled' }],
  ['testWebhook', { event: 'message.delivery' }],
  ['rotateWebhookSecret', { overlap_seconds: 0 }],
  ['replayWebhook', { period_from: '2000-01-01' }],
  ['deleteWebhook', undefined],
];

/** What is refused about webhooks. */
export const refusals: readonly Check[] = [
  {
    id: 'webhook-operations/malformed',
    title:
      'A URL that cannot be called, an event that does not exist, and other malformed fields are refused',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const { account_id } = await made.account();
        const webhook = await createWebhook(t, account_id);
        const { notification_id } = await tested(t, { path: pathOf(webhook) });
        const path = pathOf(webhook);
        const url = deafUrl(t);
        const refused = (operation: OperationId, requirement: string, bodies: readonly unknown[]) =>
          requireAllRefused(t, { [requirement]: bodies }, (body) => t.call(operation, { path, body }));
        const fields = 'webhook_operations.malformed';
        await refused('createWebhook', 'webhook_operations.url', [
          {},
          ...URLS.map((wrong) => ({ url: wrong })),
        ]);
        await refused(
          'updateWebhook',
          'webhook_operations.url',
          URLS.slice(1).map((wrong) => ({ url: wrong })),
        );
        await refused(
          'createWebhook',
          fields,
          EVENTS.map((events) => ({ url, events })),
        );
        await refused('updateWebhook', fields, [...EVENTS.map((events) => ({ events })), { status: 'gone' }]);
        await refused('testWebhook', fields, [
          {},
          { event: null },
          { event: 'message.new' },
          { event: ['message.open'] },
        ]);
        const overlaps = [undefined, null, -1, 1.5, '600', LONGEST_OVERLAP + 1];
        await refused(
          'rotateWebhookSecret',
          fields,
          overlaps.map((overlap_seconds) => ({ overlap_seconds })),
        );
        const nothing = [{}, { notification_id: null, period_from: null }, { statuses: ['failed'] }];
        await refused('replayWebhook', 'webhook_log.replay-of-something', nothing);
        // A malformed id may be 409 as well.
        await refused('replayWebhook', fields, [
          { period_from: 'yesterday' },
          { notification_id, statuses: [] },
          { notification_id, statuses: ['gone'] },
        ]);
      }),
  },
  {
    id: 'webhook-operations/missing',
    title:
      'An account, a webhook or a notification that does not exist is 409, and so is a webhook of another account',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const [owner, other] = [await made.account(), await made.account()];
        const { secret: _secret, ...webhook } = await createWebhook(t, owner.account_id);
        const path = pathOf(webhook);
        const requirement = 'webhook_operations.missing';
        const nobody = { account_id: unknownId(), webhook_id: webhook.webhook_id };
        const body = { url: deafUrl(t) };
        await missing(t, requirement, 'listWebhooks', nobody, undefined, 'ACCOUNT_NOT_FOUND');
        await missing(t, requirement, 'createWebhook', nobody, body, 'ACCOUNT_NOT_FOUND');
        const elsewhere = 'webhook_operations.webhook-of-another-account';
        for (const [operation, good] of NAMING) {
          await missing(t, requirement, operation, nobody, good, 'ACCOUNT_NOT_FOUND');
          await missing(
            t,
            requirement,
            operation,
            { ...path, webhook_id: unknownId() },
            good,
            'WEBHOOK_NOT_FOUND',
          );
          const through = { ...path, account_id: other.account_id };
          await missing(t, elsewhere, operation, through, good, 'WEBHOOK_NOT_FOUND');
        }
        const unknown = { notification_id: unknownId() };
        await missing(t, requirement, 'replayWebhook', path, unknown, 'NOTIFICATION_NOT_FOUND');
        await requireUntouched(t, elsewhere, webhook);
      }),
  },
  {
    id: 'webhook-operations/replay-of-a-disabled-one',
    title: 'A disabled webhook is not replayed',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const path = pathOf(await createWebhook(t, (await made.account()).account_id));
        const { notification_id } = await tested(t, { path });
        await t.ok('updateWebhook', 200, { path, body: { status: 'disabled' } });
        const requirement = 'webhook_log.replay-needs-enabled';
        for (const body of [{ notification_id }, { period_from: '2000-01-01' }])
          await missing(t, requirement, 'replayWebhook', path, body, 'WEBHOOK_DISABLED');
      }),
  },
  {
    id: 'webhook-operations/foreign',
    title: 'Webhooks of another organisation can be neither seen nor made nor changed',
    profile: 'extensions',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const { secret: _secret, ...webhook } = await createWebhook(t, (await made.account()).account_id);
        const path = pathOf(webhook);
        const as = await t.otherTenant.session();
        const requirement = 'webhook_operations.foreign';
        const all: typeof NAMING = [
          ['listWebhooks', undefined],
          ['createWebhook', { url: deafUrl(t) }],
          ...NAMING,
        ];
        for (const [operation, body] of all) {
          const answer = await t.call(operation, { path, as, ...(body === undefined ? {} : { body }) });
          requireStatus(t, requirement, answer, 403, `${operation} about a foreign account`);
        }
        await requireUntouched(t, requirement, webhook);
        const { data } = await t.ok('listWebhooks', 200, { path: { account_id: path.account_id } });
        t.require(requirement, data.length === 1, 'another organisation has made a webhook');
      }),
  },
];

async function missing(
  t: Tester,
  requirement: string,
  operation: OperationId,
  path: Readonly<Record<string, string>>,
  body: unknown,
  code: string,
): Promise<void> {
  const answer = await t.call(operation, { path, ...(body === undefined ? {} : { body }) });
  requireStatus(t, requirement, answer, 409, `${operation} with ${code}`);
  requireCode(t, requirement, answer, code);
}

async function requireUntouched(
  t: Tester,
  requirement: string,
  webhook: { account_id: string; webhook_id: string; url: string; status: string },
): Promise<void> {
  const answer = await t.call('getWebhook', { path: pathOf(webhook) });
  requireStatus(t, requirement, answer, 200, 'the webhook after what was refused');
  const { url, status } = webhook;
  const { data } = await t.ok('getWebhook', 200, { path: pathOf(webhook) });
  const changes = differences(data, { url, status });
  t.require(requirement, changes === '', `refused, and yet ${changes}`, answer);
}
