import { ApiError } from '../domain/errors.ts';
import { fieldsOf } from '../fields.ts';
import { type OperationsEndpoints, OperationsError } from '../operations/listener.ts';
import type { DkimRotationRow } from '../store/rows.ts';
import type { SystemStore } from '../store/store.ts';
import { completeRotations, type RotationParts } from './dkim-rotation.ts';
import { verifiesWithoutDns } from './verification.ts';

/** What the endpoint works on, once the service has started. */
export interface DkimRouteParts extends Omit<RotationParts, 'store'> {
  store: Pick<SystemStore, 'dkim' | 'forOrganisation'>;
  deliveryMode: 'sandbox' | 'relay' | 'mx';
}

/** The endpoint on the operations listener that rotates the DKIM key of a sending domain, by name or id, and says in words how far it is. */
export function createDkimRoute(parts: () => DkimRouteParts | undefined): OperationsEndpoints {
  return {
    'POST /dkim/rotate': async ({ json }) => {
      const ready = parts();
      if (ready === undefined) throw new OperationsError(503, 'The service is starting.');
      const { domain } = fieldsOf(await json());
      if (typeof domain !== 'string' || domain === '')
        throw new OperationsError(400, 'The body must be {"domain": "example.com"}.');
      const body = await rotateAll(ready, domain);
      return { status: 200, body, contentType: 'text/plain; charset=utf-8' };
    },
  };
}

async function rotateAll(parts: DkimRouteParts, domain: string): Promise<string> {
  const found = await parts.store.dkim.named(domain);
  if (found.length === 0) throw new OperationsError(409, `There is no sending domain ${domain}.`);
  const lines = [];
  let areAllRefused = true;
  for (const { domainId, organisationId } of found) {
    const { domains } = parts.store.forOrganisation(organisationId);
    const { name } = await domains.get(domainId);
    const { isRefused, words } = await rotated(parts, name, domainId, domains);
    areAllRefused &&= isRefused;
    lines.push(`${name} (${domainId}): ${words}`);
  }
  if (areAllRefused) throw new OperationsError(409, lines.join('\n'));
  return `${lines.join('\n')}\n`;
}

async function rotated(
  { store, resolver, clock, deliveryMode }: DkimRouteParts,
  name: string,
  domainId: string,
  domains: ReturnType<SystemStore['forOrganisation']>['domains'],
): Promise<{ isRefused: boolean; words: string }> {
  try {
    const begun = await domains.rotateDkim(domainId, { atOnce: verifiesWithoutDns(name, deliveryMode) });
    if (begun.status === 'complete') return { isRefused: false, words: inWords(begun) };
    await completeRotations({ store: store.dkim, resolver, clock }, domainId);
    return { isRefused: false, words: inWords(await domains.dkimRotation(domainId)) };
  } catch (error) {
    if (error instanceof ApiError) return { isRefused: true, words: `not rotated, ${error.message}.` };
    throw error;
  }
}

function inWords({ status, signing_selector, next_selector, requested_at }: DkimRotationRow): string {
  if (status === 'complete') return `mail is signed with the new key, behind ${signing_selector}.`;
  return [
    `the new key stands behind ${next_selector}, asked for at ${requested_at}.`,
    `Until it is seen in the DNS and an hour old, mail is signed with the key behind ${signing_selector}; then with the new one, by itself.`,
    'Nothing is to be done unless you publish the zone by hand: then do so now (sendspec dns zone).',
  ].join('\n  ');
}
