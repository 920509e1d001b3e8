import { asciiDomain } from './ascii.ts';

/** The host below the service's own mail name that takes bounces, feedback reports and unsubscribe mails. */
export function bounceHostOf(mailHostname: string): string {
  return `bounces.${asciiDomain(mailHostname)}`;
}

/** The envelope sender of the service's own mails, which takes no answer. At the bounce host, so that its SPF record speaks for them. */
export function ownSenderOf(mailHostname: string): string {
  return `no-reply@${bounceHostOf(mailHostname)}`;
}
