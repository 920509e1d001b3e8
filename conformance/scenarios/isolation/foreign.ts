import type { OperationId } from '../../../generated/operations.ts';
import type { Check } from '../../suite/check.ts';
import { accepted, mail } from '../../suite/sending.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { createKey } from '../support/keys.ts';
import { logged } from '../support/log.ts';
import { domainName, type Made, unknownId, withMade } from '../support/made.ts';
import { createPerson } from '../support/people.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { createWebhook, deafUrl } from '../support/webhooks.ts';
import { type Entity, type Slot, slotsOf } from './slots.ts';

/** One of each kind, made by the first organisation. */
type Belongings = Readonly<Partial<Record<Entity, string>>>;

async function belongings(t: Tester, made: Made, entities: readonly Entity[]): Promise<Belongings> {
  const account = (await made.account()).account_id;
  const domain = (await made.domain({ accounts: [account] })).domain_id;
  const suppression = (await made.suppression({ account_id: account })).suppression_id;
  const [message = ''] = await accepted(t, [mail(t)]);
  await logged(t, message);
  const own = { account, domain, suppression, message };
  if (!entities.includes('user')) return own;
  const [{ user_id: user }, { api_key_id: key }, { webhook_id: webhook }] = [
    await createPerson(t, 'viewer'),
    await createKey(t, account),
    await createWebhook(t, account),
  ];
  return { ...own, user, api_key: key, webhook };
}

// Fine for every operation with an id in its path: each ignores what it does not know.
const ANY_BODY = {
  name: 'Taken over',
  accounts: [],
  event: 'message.delivery',
  overlap_seconds: 0,
  period_from: '2000-01-01',
} as const;

/** The ids that the path of an operation needs, all of the same owner. */
function pathOf(slots: readonly Slot[], operation: OperationId, ids: Belongings): Record<string, string> {
  const own = slots.filter((slot) => slot.operation === operation);
  return Object.fromEntries(own.map(({ name, entity }) => [name, ids[entity] ?? unknownId()]));
}

// What stands beside the id in a body that is otherwise fine.
const BODIES: Readonly<Partial<Record<OperationId, (t: Tester) => object>>> = {
  createSuppression: (t) => ({ recipient_email: t.address() }),
  createDomain: (t) => ({ name: domainName(t) }),
  updateDomain: () => ({}),
};

function bodyWith(t: Tester, { operation, name, isList }: Slot, id: string): object {
  const rest = BODIES[operation];
  if (rest === undefined) throw new TypeError(`The suite knows no body for ${operation}.`);
  return { ...rest(t), [name]: isList ? [id] : id };
}

/** What belongs to another organisation is 403 wherever its id stands. */
export const foreign: readonly Check[] = [
  {
    id: 'isolation/foreign-ids-in-paths',
    title: 'An id of another organisation in a path is 403 at every operation',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const slots = slotsOf(t, 'path');
        const ids = await belongings(
          t,
          made,
          slots.map(({ entity }) => entity),
        );
        const as = await t.otherTenant.session();
        for (const operation of new Set(slots.map((slot) => slot.operation))) {
          const body = { ...ANY_BODY, url: deafUrl(t) };
          const answer = await t.call(operation, { path: pathOf(slots, operation, ids), body, as });
          const requirements = [
            'isolation.foreign-path',
            'http.foreign-403',
            'http.permissions-403',
            'authentication.permissions-403',
          ];
          requireStatus(t, requirements, answer, 403, `${operation} with foreign ids in the path`);
          requireCode(t, 'isolation.foreign-path', answer, 'ACCESS_DENIED');
        }
        if (ids.user !== undefined) await t.call('deleteUser', { path: { user_id: ids.user } });
      }),
  },
  {
    id: 'isolation/foreign-ids-in-filters',
    title: 'An id of another organisation in a filter is 403, alone and beside one of one’s own',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const ids = await belongings(t, made, []);
        const as = await t.otherTenant.session();
        const own: Belongings = { account: t.otherTenant.account.account_id, domain: t.otherTenant.domainId };
        // Whether a foreign message id is a search without a match or a foreign id is left open.
        const slots = slotsOf(t, 'query').filter(({ entity }) => own[entity] !== undefined);
        for (const { operation, name, entity } of slots) {
          const [mine = '', theirs = ''] = [own[entity], ids[entity]];
          for (const value of [[theirs], [mine, theirs], [theirs, mine]]) {
            const answer = await t.call(operation, { query: { [name]: value }, as });
            const requirements = ['isolation.foreign-filter', 'http.foreign-403', 'http.permissions-403'];
            requireStatus(t, requirements, answer, 403, `${operation} with a foreign id in ${name}`);
          }
        }
      }),
  },
  {
    id: 'isolation/foreign-ids-in-bodies',
    title: 'An id of another organisation in a body is 403, and a missing one in the path is said before it',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const ids = await belongings(t, made, []);
        const as = await t.otherTenant.session();
        const domain = await t.ok('createDomain', 201, { as, body: { name: domainName(t), accounts: [] } });
        const path = { domain_id: domain.data.domain_id };
        // Whether a foreign notification is foreign, or none of the webhook in the path, is left open.
        for (const slot of slotsOf(t, 'body').filter(({ entity }) => entity !== 'notification')) {
          const body = bodyWith(t, slot, ids[slot.entity] ?? unknownId());
          const call: LooseCall = { path, body, as };
          const answer = await t.call(slot.operation, call);
          const requirements = ['isolation.foreign-body', 'http.foreign-403', 'http.permissions-403'];
          requireStatus(t, requirements, answer, 403, `${slot.operation} with a foreign id in ${slot.name}`);
        }
        const { data } = await t.ok('getDomain', 200, { path, as });
        const isUnchanged = data.accounts.length === 0;
        t.require('isolation.foreign-body', isUnchanged, 'a foreign account was assigned to the domain');
        const body = { accounts: [ids.account ?? ''] };
        const missing = await t.call('updateDomain', { path: { domain_id: unknownId() }, body, as });
        requireStatus(
          t,
          'http.missing-path-before-foreign-body',
          missing,
          409,
          'an unknown domain and a foreign account',
        );
        await t.call('deleteDomain', { path, as });
      }),
  },
  {
    id: 'isolation/foreign-writes-change-nothing',
    title: 'What another organisation tried to change, verify or delete is as it was',
    needs: ['second_tenant'],
    run: (t) =>
      withMade(t, async (made) => {
        const account = await made.account();
        const domain = await made.domain({ accounts: [account.account_id] });
        const suppression = await made.suppression({ account_id: account.account_id });
        const path = {
          account_id: account.account_id,
          domain_id: domain.domain_id,
          suppression_id: suppression.suppression_id,
        };
        const as = await t.otherTenant.session();
        await t.call('updateAccount', { path, as, body: { name: 'Taken over', status: 'disabled' } });
        await t.call('updateDomain', { path, as, body: { accounts: [], return_path_hostname: 'taken' } });
        await t.call('verifyDomainDkim', { path, as });
        await t.call('verifyDomainReturnPath', { path, as });
        for (const operation of ['deleteSuppression', 'deleteDomain', 'deleteAccount'] as const)
          await t.call(operation, { path, as });
        const now = [
          await t.call('getAccount', { path }),
          await t.call('getDomain', { path }),
          await t.call('getSuppression', { path }),
        ];
        const requirement = 'isolation.foreign-writes-change-nothing';
        for (const answer of now)
          requireStatus(t, requirement, answer, 200, `${answer.operation} after foreign writes`);
        const { data: kept } = await t.ok('getAccount', 200, { path });
        const isSame = kept.name === account.name && kept.status === account.status;
        t.require(requirement, isSame, `the account became ${kept.name}, ${kept.status}`);
        const { data: still } = await t.ok('getDomain', 200, { path });
        const isSameDomain =
          still.accounts.length === 1 &&
          still.return_path_hostname === domain.return_path_hostname &&
          still.dkim_verified_at === domain.dkim_verified_at;
        t.require(requirement, isSameDomain, 'the domain was changed by another organisation');
      }),
  },
];
