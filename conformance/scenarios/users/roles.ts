import type { OperationId } from '../../../generated/operations.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall } from '../../suite/tester.ts';
import { createKey } from '../support/keys.ts';
import { domainName, withMade } from '../support/made.ts';
import { password, registerOwner, sessionOf, withPerson } from '../support/people.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { createWebhook, deafUrl, pathOf } from '../support/webhooks.ts';

/** What owners and viewers may do. */
export const roles: readonly Check[] = [
  {
    id: 'users/viewer-reads',
    title: 'A viewer reads what there is',
    profile: 'extensions',
    run: (t) =>
      withMade(t, (made) =>
        withPerson(t, 'viewer', async (viewer) => {
          const as = await sessionOf(t, viewer);
          const { account_id } = await made.account();
          const webhook = pathOf(await createWebhook(t, account_id));
          const reads: [OperationId, LooseCall][] = [
            ['listAccounts', {}],
            ['getAccount', { path: { account_id } }],
            ['listDomains', {}],
            ['getDomain', { path: { domain_id: t.tenant.domainId } }],
            ['listSuppressions', {}],
            ['listMessages', { query: { limit: 1 } }],
            ['listUsers', {}],
            ['getUser', { path: { user_id: viewer.user_id } }],
            ['listApiKeys', { path: { account_id } }],
            ['listWebhooks', { path: { account_id } }],
            ['getWebhook', { path: webhook }],
            ['listWebhookDeliveries', { path: webhook }],
          ];
          for (const [operation, call] of reads) {
            const answer = await t.call(operation, { ...call, as });
            requireStatus(t, 'users.viewer-reads', answer, 200, `${operation} by a viewer`);
          }
        }),
      ),
  },
  {
    id: 'users/viewer-cannot-write',
    title: 'A viewer changes nothing: every write is 403',
    profile: 'extensions',
    run: (t) =>
      withMade(t, (made) =>
        withPerson(t, 'viewer', async (viewer) => {
          const as = await sessionOf(t, viewer);
          const { account_id } = await made.account();
          const { domain_id } = await made.domain();
          const { suppression_id } = await made.suppression();
          const { api_key_id } = await createKey(t, account_id);
          const { webhook_id } = await createWebhook(t, account_id);
          const user_id = viewer.user_id;
          const path = { account_id, domain_id, suppression_id, api_key_id, user_id, webhook_id };
          const name = t.unique('written');
          const person = { email: t.address(), name, role: 'owner', password: password(t) };
          const writes: [OperationId, unknown][] = [
            ['createAccount', { name, type: 'marketing' }],
            ['updateAccount', { name }],
            ['createDomain', { name: domainName(t), accounts: [] }],
            ['updateDomain', { accounts: [] }],
            ['verifyDomainDkim', undefined],
            ['verifyDomainReturnPath', undefined],
            ['rotateDomainDkim', undefined],
            ['createSuppression', { account_id, recipient_email: t.address() }],
            ['createApiKey', { name }],
            ['createUser', person],
            ['createWebhook', { url: deafUrl(t) }],
            ['updateWebhook', { status: 'disabled' }],
            ['testWebhook', { event: 'message.delivery' }],
            ['rotateWebhookSecret', { overlap_seconds: 0 }],
            ['replayWebhook', { period_from: '2000-01-01' }],
            ['deleteWebhook', undefined],
            ['updateUser', { role: 'owner' }],
            ['revokeApiKey', undefined],
            ['deleteSuppression', undefined],
            ['deleteDomain', undefined],
            ['deleteAccount', undefined],
            ['deleteUser', undefined],
          ];
          for (const [operation, body] of writes) {
            const answer = await t.call(operation, { path, as, ...(body === undefined ? {} : { body }) });
            const requirements = ['users.viewer-cannot-write', 'authentication.permissions-403'];
            requireStatus(t, requirements, answer, 403, `${operation} by a viewer`);
          }
          const { data } = await t.ok('getAccount', 200, { path: { account_id } });
          t.require('users.viewer-cannot-write', data.name !== name, 'a viewer has renamed an account');
        }),
      ),
  },
  {
    id: 'users/last-owner-stays',
    title: 'The last owner of an organisation can be neither deleted nor made a viewer',
    profile: 'extensions',
    async run(t) {
      const owner = await registerOwner(t);
      const as = await sessionOf(t, owner);
      const path = { user_id: owner.user_id };
      const viewer = { email: t.address(), name: 'Viewer', role: 'viewer', password: password(t) };
      await t.call('createUser', { as, body: viewer });
      const answers = [
        await t.call('deleteUser', { path, as }),
        await t.call('updateUser', { path, as, body: { role: 'viewer' } }),
      ];
      for (const answer of answers) {
        requireStatus(t, 'users.last-owner-stays', answer, 409, `${answer.operation} of the last owner`);
        requireCode(t, 'users.last-owner-stays', answer, 'LAST_OWNER');
      }
    },
  },
];
