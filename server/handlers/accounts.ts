import { created, given, listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** The operations of the tag Accounts. */
export function accountHandlers(): HandlersOf<'Accounts'> {
  return {
    createAccount: async ({ body, caller }) => created(await caller.store.accounts.create(body)),

    getAccount: async ({ path, caller }) => ok(await caller.store.accounts.get(path.account_id)),

    updateAccount: async ({ path, body, caller }) =>
      ok(
        await caller.store.accounts.update(path.account_id, { name: body.name, status: given(body.status) }),
      ),

    deleteAccount: async ({ path, caller }) => ok(await caller.store.accounts.delete(path.account_id)),

    listAccounts: async ({ query, caller }) =>
      listed(await caller.store.accounts.list({ name: query.name, type: query.type }, query), query),
  };
}
