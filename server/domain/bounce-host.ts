import { asciiDomain } from './ascii.ts';

/** The host below the service's own mail name that takes bounces, feedback reports and unsubscribe mails. */
export function bounceHostOf(mailHostname: string): string {
  return `bounces.${asciiDomain(mailHostname)}`;
}
