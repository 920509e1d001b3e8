import { bounceHostOf } from '../domain/bounce-host.ts';
import type { DomainRow } from './rows.ts';

/** What is known of a domain and decides its DNS records. */
export interface DomainFacts {
  domain_id: string;
  name: string;
  return_path_hostname: string;
}

export type DomainRecords = Pick<
  DomainRow,
  'return_path_cname' | 'dkim_selector_1' | 'dkim_cname_1' | 'dkim_selector_2' | 'dkim_cname_2'
>;

/** The host of the Return-Path record unless the organisation names another. */
export const DEFAULT_RETURN_PATH_HOSTNAME = 'cs-bounces';

/** The selectors that a new domain gets, in order. */
export const FIRST_SELECTORS = ['cs1', 'cs2'] as const;

const SHORT_ID_LENGTH = 12;

/**
 * The DNS records that the owner of a domain has to create, from the domain, its two selectors and the mail name of the
 * service. The random end of the domain's id keeps the targets of different domains (and organisations) apart.
 */
export function domainRecords(
  domain: DomainFacts,
  selectors: readonly [string, string],
  mailHostname: string,
): DomainRecords {
  const [first, second] = selectors;
  return {
    return_path_cname: bounceHostOf(mailHostname),
    dkim_selector_1: `${first}._domainkey.${domain.name}`,
    dkim_cname_1: dkimTarget(domain.domain_id, first, mailHostname),
    dkim_selector_2: `${second}._domainkey.${domain.name}`,
    dkim_cname_2: dkimTarget(domain.domain_id, second, mailHostname),
  };
}

/** The name in the service's zone that the CNAME of a domain's selector points to. */
export function dkimTarget(domainId: string, selector: string, mailHostname: string): string {
  return `${selector}-${domainId.slice(-SHORT_ID_LENGTH)}.dkim.${mailHostname}`;
}
