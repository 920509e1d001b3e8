import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';
import { show } from '../support/compare.ts';
import { domainName, withMade } from '../support/made.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { verify } from '../support/verified.ts';
import { kept } from './domain.ts';

const VERIFICATIONS = [
  {
    operation: 'verifyDomainDkim',
    requirement: 'domains.verify-dkim',
    field: 'dkim_verified_at',
    code: 'DKIM_NOT_VERIFIED',
  },
  {
    operation: 'verifyDomainReturnPath',
    requirement: 'domains.verify-return-path',
    field: 'return_path_verified_at',
    code: 'RETURN_PATH_NOT_VERIFIED',
  },
] as const;

/** Verification, where there are records and where there are none. */
export const verification: readonly Check[] = [
  {
    id: 'domains/verification-answers-ok',
    title: "Each verification of the target's own domain answers OK and sets its timestamp",
    async run(t: Tester) {
      const path = { domain_id: t.tenant.domainId };
      for (const { operation, requirement, field } of VERIFICATIONS) {
        const before = (await t.ok('getDomain', 200, { path })).data[field];
        const answer = await t.call(operation, { path });
        if (answer.status === 409)
          throw new SetupFailed(`the target's own domain does not verify now: ${operation} answered 409`);
        requireStatus(t, requirement, answer, 200);
        const isOk = valueAt(answer.json, 'data') === 'OK';
        t.require(requirement, isOk, `expected data to be "OK", got ${show(answer.json)}`, answer);
        const after = (await t.ok('getDomain', 200, { path })).data[field];
        if (after === null)
          t.fail('domains.verification-states', `expected ${field} to be a timestamp, got null`);
        t.require(
          'domains.verification-sets-timestamp',
          before === null || Date.parse(after) >= Date.parse(before),
          `expected ${field} to be set to the moment of the verification, got ${after} after ${before}`,
        );
      }
    },
  },
  {
    id: 'domains/each-verification-by-itself',
    title: 'Verifying a new domain sets the timestamp of what was verified, and only that',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        for (const { operation, field } of VERIFICATIONS) {
          const domain = await made.domain();
          await verify(t, operation, domain);
          const now = await kept(t, domain);
          for (const other of VERIFICATIONS) {
            const isSet = now[other.field] !== null;
            t.require(
              'domains.verification-sets-timestamp',
              isSet === (other.field === field),
              `after ${operation}, ${other.field} is ${show(now[other.field])}`,
            );
          }
        }
      }),
  },
  {
    id: 'domains/failed-verification',
    title: 'Verifying a domain that cannot have DNS records is an error, and leaves it unverified',
    run: (t: Tester) =>
      withMade(t, async (made) => {
        // RFC 6761, section 6.4: no name under .invalid exists.
        const domain = await made.domain({ name: domainName(t).replace(/\.test$/, '.invalid') });
        const path = { domain_id: domain.domain_id };
        for (const { operation, field, code } of VERIFICATIONS) {
          const answer = await t.call(operation, { path });
          t.require(
            'domains.failed-verification-is-an-error',
            answer.status >= 400,
            `expected an error from ${operation} of ${domain.name}, which has no DNS records, got ${answer.status}`,
            answer,
          );
          requireStatus(t, 'domains.failed-verification-409', answer, 409);
          requireCode(t, 'domains.failed-verification-409', answer, code);
          const is = (await kept(t, domain))[field];
          t.require('domains.failed-verification-409', is === null, `expected ${field} null, got ${is}`);
        }
      }),
  },
];
