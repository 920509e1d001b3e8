import { valueAt } from '../../suite/answer.ts';
import type { Check } from '../../suite/check.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { type Domain, withMade } from '../support/made.ts';
import { requireCode, requireStatus } from '../support/refused.ts';
import { verify } from '../support/verified.ts';

// Longer than the five days in which another rotation is refused.
const A_WHILE_SECONDS = 6 * 86_400;

/** Rotates, and returns how far it is: one selector of the domain signs, and the other one is next while it waits. */
async function rotated(t: Tester, domain: Domain) {
  const path = { domain_id: domain.domain_id };
  const { data } = await t.ok('rotateDomainDkim', 200, { path }, 'domains.rotation');
  const selectors = [domain.dkim_selector_1, domain.dkim_selector_2];
  const named =
    data.status === 'complete' ? [data.signing_selector] : [data.signing_selector, data.next_selector];
  const areIts = named.every((selector) => selector !== null && selectors.includes(selector));
  const isClear =
    areIts &&
    new Set(named).size === named.length &&
    (data.status === 'waiting') === (data.next_selector !== null);
  t.require(
    'domains.rotation',
    isClear,
    `expected which selector signs, and the other one as next while it waits, got ${show(data)}`,
  );
  return data;
}

/** New keys for the mail of a domain (extensions). */
export const rotation: readonly Check[] = [
  {
    id: 'domains/rotation-moves-to-the-other-selector',
    title: 'Each rotation of DKIM lets the selector sign that did not, and leaves the records as they are',
    profile: 'extensions',
    needs: ['clock'],
    exclusive: true,
    run: (t) =>
      withMade(t, async (made) => {
        const domain = await made.domain();
        await verify(t, 'verifyDomainDkim', domain);
        const first = await rotated(t, domain);
        await t.advanceClock(A_WHILE_SECONDS);
        const second = await rotated(t, domain);
        const isOther = second.status === 'waiting' || second.signing_selector !== first.signing_selector;
        const message = `expected the other selector to sign after another rotation, got ${show([first, second])}`;
        t.require('domains.rotation', isOther, message);
        const { data: after } = await t.ok('getDomain', 200, { path: { domain_id: domain.domain_id } });
        const records = ['dkim_selector_1', 'dkim_cname_1', 'dkim_selector_2', 'dkim_cname_2'] as const;
        const areSame = records.every((name) => after[name] === domain[name]);
        t.require(
          'domains.rotation-without-records',
          areSame,
          'expected the DNS records to stay as they were',
        );
      }),
  },
  {
    id: 'domains/rotation-waits-for-the-one-before',
    title: 'A rotation that waits is not started again, and one that is complete is not followed at once',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const domain = await made.domain();
        await verify(t, 'verifyDomainDkim', domain);
        const path = { domain_id: domain.domain_id };
        const { data: first } = await t.ok('rotateDomainDkim', 200, { path });
        const again = await t.call('rotateDomainDkim', { path });
        if (first.status === 'waiting' && again.status === 200) {
          const isSame = valueAt(again.json, 'data.requested_at') === first.requested_at;
          t.require('domains.rotation-waits', isSame, 'expected the rotation that waits', again);
          return;
        }
        requireStatus(t, 'domains.rotation-waits', again, 409, 'a second rotation at once');
        requireCode(t, 'domains.rotation-waits', again, 'DKIM_ROTATED_RECENTLY');
      }),
  },
  {
    id: 'domains/rotation-needs-verified-records',
    title: 'A domain whose DKIM records were never verified gets no new key',
    profile: 'extensions',
    run: (t) =>
      withMade(t, async (made) => {
        const domain = await made.domain();
        const answer = await t.call('rotateDomainDkim', { path: { domain_id: domain.domain_id } });
        requireStatus(t, 'domains.rotation-needs-verification', answer, 409, 'rotating an unverified domain');
        requireCode(t, 'domains.rotation-needs-verification', answer, 'DKIM_NOT_VERIFIED');
      }),
  },
];
