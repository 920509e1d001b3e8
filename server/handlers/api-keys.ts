import { created, listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** The operations of the tag API keys. */
export function apiKeyHandlers(): HandlersOf<'API keys'> {
  return {
    createApiKey: async ({ path, body, caller }) =>
      created(await caller.store.apiKeys.create(path.account_id, { name: body.name })),

    listApiKeys: async ({ path, query, caller }) =>
      listed(await caller.store.apiKeys.list(path.account_id, query), query),

    revokeApiKey: async ({ path, caller }) =>
      ok(await caller.store.apiKeys.revoke(path.account_id, path.api_key_id)),
  };
}
