import fc from 'fast-check';
import type { OperationId } from '../../../generated/operations.ts';
import type { OwnParts } from '../../arbitraries/requests.ts';
import { hostname, label } from '../../arbitraries/strings.ts';
import type { Tester } from '../../suite/tester.ts';
import { differences } from '../support/compare.ts';
import type { Made } from '../support/made.ts';
import { leftOver, nameWith, newWord, type Stage, type Staging, withId } from './stage.ts';

const ACCOUNT_ID = 'account_id';
const DOMAIN_ID = 'domain_id';

/** Accounts and domains. */
export const accountStages = {
  listAccounts: () => Promise.resolve({ own: {} }),
  createAccount: async (t, made) => {
    const marker = t.unique('fuzz');
    return {
      own: { body: { name: nameWith(marker) } },
      adopt: withId('data.account_id', (id) => made.adoptAccount(id)),
      residue: async () => {
        const { data } = await t.ok('listAccounts', 200, { query: { name: marker } });
        return leftOver(
          'accounts',
          data.filter(({ name }) => name.startsWith(marker)),
        );
      },
    };
  },
  getAccount: ownAccount,
  updateAccount: ownAccount,
  deleteAccount: async (t, made) => ({
    ...(await ownAccount(t, made)),
    fresh: async () => ({ path: { [ACCOUNT_ID]: (await made.account()).account_id } }),
  }),

  listDomains: () => Promise.resolve({ own: {} }),
  createDomain: async (t, made) => {
    const marker = t.unique('fuzz');
    const name = fc.tuple(newWord(), hostname()).map(([word, rest]) => `${marker}.${word}.${rest}`);
    return {
      own: { body: { ...(await ownAssignment(made)), name } },
      adopt: withId('data.domain_id', (id) => made.adoptDomain(id)),
      residue: async () => {
        const { data } = await t.ok('listDomains', 200, { query: { name: marker } });
        return leftOver(
          'domains',
          data.filter(({ name }) => name.startsWith(marker)),
        );
      },
    };
  },
  getDomain: ownDomain,
  updateDomain: async (t, made) => {
    const stage = await ownDomain(t, made);
    return { ...stage, own: { ...stage.own, body: await ownAssignment(made) } };
  },
  deleteDomain: async (t, made) => ({
    ...(await ownDomain(t, made)),
    fresh: async () => ({ path: { [DOMAIN_ID]: (await made.domain()).domain_id } }),
  }),
  verifyDomainDkim: ownDomain,
  verifyDomainReturnPath: ownDomain,
  rotateDomainDkim: ownDomain,
} as const satisfies Partial<Record<OperationId, Staging>>;

async function ownAccount(t: Tester, made: Made): Promise<Stage> {
  const account = await made.account();
  const path = { account_id: account.account_id };
  return {
    own: ownPath(ACCOUNT_ID, account.account_id),
    residue: async () => changeOf(account, (await t.ok('getAccount', 200, { path })).data),
  };
}

async function ownDomain(t: Tester, made: Made): Promise<Stage> {
  const domain = await made.domain();
  const path = { domain_id: domain.domain_id };
  return {
    own: ownPath(DOMAIN_ID, domain.domain_id),
    residue: async () => changeOf(domain, (await t.ok('getDomain', 200, { path })).data),
  };
}

/** What a domain is assigned to, and where its bounces go. */
async function ownAssignment(made: Made): Promise<NonNullable<OwnParts['body']>> {
  const accounts = [await made.account(), await made.account()].map(({ account_id: id }) => id);
  return { accounts: fc.subarray(accounts), return_path_hostname: fc.option(label(), { nil: null }) };
}

function ownPath(name: string, id: string): OwnParts {
  return { path: { [name]: fc.constant(id) } };
}

function changeOf(before: object, after: object): string | undefined {
  const changes = differences(after, before);
  return changes === '' ? undefined : changes;
}
