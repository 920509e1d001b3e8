import { completeRotations, type RotationParts } from '../dns/dkim-rotation.ts';
import type { DnsResolver } from '../dns/resolver.ts';
import {
  errorsOf,
  type VerificationReport,
  verifiesWithoutDns,
  verifyDkim,
  verifyReturnPath,
} from '../dns/verification.ts';
import { ApiError } from '../domain/errors.ts';
import { created, given, listed, ok } from './replies.ts';
import type { HandlersOf } from './tags.ts';

/** Where domains are looked up, and the mode that decides whether they have to be. */
export interface DomainVerification {
  resolver: DnsResolver;
  deliveryMode: 'sandbox' | 'relay' | 'mx';
  dkimRotations: RotationParts;
}

/** The operations of the tag Domains. */
export function domainHandlers({
  resolver,
  deliveryMode,
  dkimRotations,
}: DomainVerification): HandlersOf<'Domains'> {
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
      if (!verifiesWithoutDns(domain.name, deliveryMode)) {
        const report = await verifyDkim(resolver, await domains.dkimKeys(domain.domain_id));
        requireVerified(report, 'DKIM_NOT_VERIFIED');
      }
      await domains.markDkimVerified(domain.domain_id);
      return ok('OK');
    },

    rotateDomainDkim: async ({ path, caller }) => {
      const { domains } = caller.store;
      const domain = await domains.get(path.domain_id);
      const atOnce = verifiesWithoutDns(domain.name, deliveryMode);
      const rotation = await domains.rotateDkim(domain.domain_id, { atOnce });
      if (rotation.status === 'complete') return ok(rotation);
      await completeRotations(dkimRotations, domain.domain_id);
      return ok(await domains.dkimRotation(domain.domain_id));
    },

    verifyDomainReturnPath: async ({ path, caller }) => {
      const { domains } = caller.store;
      const domain = await domains.get(path.domain_id);
      if (!verifiesWithoutDns(domain.name, deliveryMode)) {
        const name = `${domain.return_path_hostname}.${domain.name}`;
        requireVerified(
          await verifyReturnPath(resolver, { name, target: domain.return_path_cname }),
          'RETURN_PATH_NOT_VERIFIED',
        );
      }
      await domains.markReturnPathVerified(domain.domain_id, domain.return_path_hostname);
      return ok('OK');
    },
  };
}

function requireVerified(
  report: VerificationReport,
  code: 'DKIM_NOT_VERIFIED' | 'RETURN_PATH_NOT_VERIFIED',
): void {
  if (!report.ok)
    throw new ApiError(code, 'the DNS records are not as they should be', errorsOf(report, code));
}
