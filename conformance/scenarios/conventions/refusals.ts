import type { OperationId } from '../../../generated/operations.ts';
import { operations } from '../../contract/document.ts';
import type { Check } from '../../suite/check.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import type { Caller } from '../../suite/wire.ts';
import { domainName, unknownId, withMade } from '../support/made.ts';
import { requireCode, requireStatus } from '../support/refused.ts';

const MISSING = ['conventions.missing-resource-409', 'http.business-logic-409', 'http.missing-code'];
const ORDER = 'http.order-of-checks';
const MALFORMED_ID = 'not-an-id';

/** Good bodies for operations that need one, so that nothing is wrong but what is tried. */
const BODIES: Readonly<Partial<Record<OperationId, object>>> = {
  updateAccount: { name: 'Renamed' },
  updateDomain: { accounts: [] },
};

/** The operations of the description that are about something by its id. */
const ABOUT = operations.flatMap(({ id, path, origin }) => {
  const [, entity] = /\{(\w+)_id\}/.exec(path) ?? [];
  return origin === 'core' && entity !== undefined ? [{ operation: id, entity }] : [];
});

function codeFor(entity: string): string {
  return `${entity.toUpperCase()}_NOT_FOUND`;
}

/** One thing that is asked for and is not there: in a path, a body or a filter. */
async function requireMissing(
  t: Tester,
  operation: OperationId,
  entity: string,
  call: LooseCall,
): Promise<void> {
  const answer = await t.call(operation, call);
  const is404 = answer.status === 404 ? ['http.only-unknown-endpoints-404'] : [];
  const what = `${operation} with the id of no ${entity}`;
  requireStatus(t, [...MISSING, ...is404], answer, 409, what);
  requireCode(t, 'http.missing-code', answer, codeFor(entity));
}

interface Conflict {
  readonly what: string;
  readonly operation: OperationId;
  readonly call: LooseCall;
  readonly wins: number;
}

/** Requests in which two things are wrong, and the status that wins. */
function conflicts(nobody: Caller): readonly Conflict[] {
  const unknown = { account_id: unknownId(), message_id: unknownId() };
  const malformed = { account_id: MALFORMED_ID };
  const conflict = (wins: number, what: string, operation: OperationId, call: LooseCall): Conflict => ({
    what,
    operation,
    call,
    wins,
  });
  const half = '{"name":';
  const address = { account_id: unknownId(), recipient_email: 'nobody' };
  return [
    conflict(401, 'no credentials and half a body', 'updateAccount', {
      as: nobody,
      path: unknown,
      rawBody: half,
    }),
    conflict(401, 'no credentials and a malformed page', 'listAccounts', { as: nobody, query: { limit: 0 } }),
    conflict(401, 'no credentials and an unknown id', 'getAccount', { as: nobody, path: unknown }),
    conflict(401, 'no credentials and no array', 'sendEmail', { as: nobody, body: {} }),
    conflict(400, 'half a body and an unknown id', 'updateAccount', { path: unknown, rawBody: half }),
    conflict(400, 'half a body and a malformed id', 'updateAccount', { path: malformed, rawBody: half }),
    conflict(422, 'no name and an unknown id', 'updateAccount', { path: unknown, body: {} }),
    conflict(422, 'a malformed page and an unknown id', 'listMessageEvents', {
      path: unknown,
      query: { limit: 0 },
    }),
    conflict(422, 'a malformed address and an unknown account', 'createSuppression', { body: address }),
    conflict(422, 'a malformed page and an unknown account', 'listMessages', {
      query: { limit: 0, 'account_ids[]': unknownId() },
    }),
  ];
}

/** The same with what belongs to another organisation. */
async function requireForeignOrder(t: Tester): Promise<void> {
  const { account } = t.otherTenant;
  const path = { account_id: account.account_id };
  const tries: [string, OperationId, LooseCall, number][] = [
    ['half a body for a foreign account', 'updateAccount', { path, rawBody: '{' }, 400],
    ['no name for a foreign account', 'updateAccount', { path, body: {} }, 422],
    [
      'a malformed address in a foreign account',
      'createSuppression',
      { body: { ...path, recipient_email: 'nobody' } },
      422,
    ],
    [
      'an unknown and a foreign account',
      'createDomain',
      { body: { name: domainName(t), accounts: [unknownId(), account.account_id] } },
      403,
    ],
    [
      'an unknown and a foreign account in a filter',
      'listSuppressions',
      { query: { 'account_ids[]': [unknownId(), account.account_id] } },
      403,
    ],
  ];
  for (const [what, operation, call, wins] of tries)
    requireStatus(t, ORDER, await t.call(operation, call), wins, `${operation} with ${what}`);
}

/** What is refused, and why first. */
export const refusals: readonly Check[] = [
  {
    id: 'conventions/missing-resource-409',
    title: 'What does not exist is 409 in a path, a body and a filter, and never 404',
    run: (t) =>
      withMade(t, async (made) => {
        for (const { operation, entity } of ABOUT) {
          const body = BODIES[operation];
          const call = { path: { [`${entity}_id`]: unknownId() }, ...(body === undefined ? {} : { body }) };
          await requireMissing(t, operation, entity, call);
        }
        const { account_id } = await made.account();
        // The id of something else is no id of this.
        await requireMissing(t, 'getDomain', 'domain', { path: { domain_id: account_id } });
        const missing = unknownId();
        const body = { account_id: missing, recipient_email: t.address() };
        await requireMissing(t, 'createSuppression', 'account', { body });
        for (const accounts of [[missing], [account_id, missing]]) {
          const domain = { name: domainName(t), accounts };
          await requireMissing(t, 'createDomain', 'account', { body: domain });
        }
        for (const operation of ['listSuppressions', 'listMessages', 'exportMessages'] as const)
          for (const ids of [[missing], [account_id, missing]])
            await requireMissing(t, operation, 'account', { query: { 'account_ids[]': ids } });
        for (const operation of ['listMessages', 'exportMessages'] as const)
          await requireMissing(t, operation, 'domain', { query: { 'domain_ids[]': [missing] } });
      }),
  },
  {
    id: 'conventions/malformed-id',
    title: 'What a malformed id in a path is',
    async run(t) {
      const statuses = new Map<number, OperationId[]>();
      for (const { operation, entity } of ABOUT) {
        const body = BODIES[operation];
        const call = { path: { [`${entity}_id`]: MALFORMED_ID }, ...(body === undefined ? {} : { body }) };
        const { status } = await t.call(operation, call);
        statuses.set(status, [...(statuses.get(status) ?? []), operation]);
      }
      for (const [status, ids] of statuses)
        t.inform(
          'http.malformed-id',
          `a malformed id is ${status} at ${ids.length} of ${ABOUT.length} operations`,
        );
    },
  },
  {
    id: 'conventions/order-of-checks',
    title: 'When several things are wrong, the first in the order 404, 401, 400, 422, 403, 409 is said',
    async run(t) {
      const nobody: Caller = { kind: 'nobody' };
      const path = `/v1/${t.unique('nothing')}`;
      const unknown = [
        await t.request('GET', path, { as: nobody }),
        await t.request('POST', path, { as: nobody, rawBody: '{' }),
        await t.request('PUT', `/v1/accounts/${MALFORMED_ID}`, { as: nobody, body: {} }),
      ];
      for (const answer of unknown)
        requireStatus(t, ORDER, answer, 404, 'an unknown endpoint without credentials');
      for (const { what, operation, call, wins } of conflicts(nobody))
        requireStatus(t, ORDER, await t.call(operation, call), wins, `${operation} with ${what}`);
    },
  },
  {
    id: 'conventions/order-of-checks-on-foreign',
    title: 'What is malformed is said before what belongs to others, and that before what does not exist',
    needs: ['second_tenant'],
    run: requireForeignOrder,
  },
];
