import { created, given, listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** The operations of the tag Users. */
export function userHandlers(): HandlersOf<'Users'> {
  return {
    createUser: async ({ body, caller }) => created(await caller.store.users.create(body)),

    getUser: async ({ path, caller }) => ok(await caller.store.users.get(path.user_id)),

    updateUser: async ({ path, body, caller }) =>
      ok(
        await caller.store.users.update(path.user_id, {
          email: given(body.email),
          name: given(body.name),
          role: given(body.role),
          password: given(body.password),
        }),
      ),

    deleteUser: async ({ path, caller }) => ok(await caller.store.users.delete(path.user_id)),

    listUsers: async ({ query, caller }) => listed(await caller.store.users.list(query), query),
  };
}
