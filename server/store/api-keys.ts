import { randomUUIDv7 } from 'node:crypto';
import { holdAccounts, notFound, requireAllOwn, requireOwn } from './ownership.ts';
import { pageClause, single, toPage } from './page.ts';
import type { ApiKeyRow } from './rows.ts';
import { own, type Scope } from './scope.ts';
import { digest, newApiKey } from './secrets.ts';
import type { ApiKeyStore } from './store.ts';

const missing = () => notFound('apiKey');

/** API keys of the accounts of one organisation. */
export function apiKeyStore(scope: Scope): ApiKeyStore {
  return {
    create: async (accountId, { name }) => {
      await requireOwn(scope, 'account', [accountId]);
      const { key, prefix } = newApiKey();
      return scope.transaction(async (tx) => {
        await holdAccounts(tx, [accountId]);
        const rows = await tx.rows<ApiKeyRow>`
          insert into api_keys (organisation_id, api_key_id, account_id, name, prefix, key_hash, created_at)
          values (${own}, ${randomUUIDv7()}, ${accountId}, ${name}, ${prefix}, ${digest(key)}, ${tx.clock.now()})
          returning api_key_id, account_id, name, prefix, created_at, last_used_at`;
        return { ...single(rows, missing), api_key: key };
      });
    },
    list: async (accountId, page) => {
      await requireOwn(scope, 'account', [accountId]);
      const rows = await scope.rows<ApiKeyRow>`
        select api_key_id, account_id, name, prefix, created_at, last_used_at from api_keys
        where organisation_id = ${own} and account_id = ${accountId}
        order by created_at desc, api_key_id desc ${pageClause(page)}`;
      const counted = await scope.rows<{ total: number }>`
        select count(*) as total from api_keys where organisation_id = ${own} and account_id = ${accountId}`;
      return toPage(rows, counted);
    },
    revoke: async (accountId, apiKeyId) => {
      await requireAllOwn(scope, [
        { kind: 'account', ids: [accountId] },
        { kind: 'apiKey', ids: [apiKeyId] },
      ]);
      const rows = await scope.rows<ApiKeyRow>`
        delete from api_keys
        where organisation_id = ${own} and account_id = ${accountId} and api_key_id = ${apiKeyId}
        returning api_key_id, account_id, name, prefix, created_at, last_used_at`;
      return single(rows, missing);
    },
  };
}
