import type { HandlersOf } from '../contract/handler.ts';
import type { DomainVerifier } from '../dns/verification.ts';
import { created, given, listed, ok } from './replies.ts';

/** The operations of the tag Domains. */
export function domainHandlers({ verifier }: { verifier: DomainVerifier }): HandlersOf<'Domains'> {
  return {
    createDomain: async ({ body, caller }) =>
      created(
        await caller.store.domains.create({
          ...body,
          return_path_hostname: given(body.return_path_hostname),
        }),
      ),

    getDomain: async ({ path, caller }) => ok(await caller.store.domains.get(path.domain_id)),

    updateDomain: async ({ path, body, caller }) =>
      ok(
        await caller.store.domains.update(path.domain_id, {
          ...body,
          return_path_hostname: given(body.return_path_hostname),
        }),
      ),

    deleteDomain: async ({ path, caller }) => ok(await caller.store.domains.delete(path.domain_id)),

    listDomains: async ({ query, caller }) =>
      listed(await caller.store.domains.list({ name: query.name }, query), query),

    verifyDomainDkim: async ({ path, caller }) => {
      const { domains } = caller.store;
      const domain = await domains.get(path.domain_id);
      await verifier.verifyDkim(domain.name, await domains.dkimKeys(domain.domain_id));
      await domains.markDkimVerified(domain.domain_id);
      return ok('OK');
    },

    verifyDomainReturnPath: async ({ path, caller }) => {
      const { domains } = caller.store;
      const domain = await domains.get(path.domain_id);
      await verifier.verifyReturnPath(domain);
      await domains.markReturnPathVerified(domain.domain_id, domain.return_path_hostname);
      return ok('OK');
    },
  };
}
