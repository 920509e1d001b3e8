import type { IncomingMessage } from 'node:http';
import type { Visit } from '../domain/events.ts';
import { safeText } from '../domain/safe-text.ts';
import { clientAddress } from '../http/client-address.ts';
import { AUTOMATED_VISITORS } from './automated-visitors.ts';

// The contract's bounds for what the details of an event hold.
const LONGEST_USER_AGENT = 1024;
const LONGEST_ADDRESS = 45;
const PREFETCHES = /\b(?:prefetch|prerender|preview)\b/i;

/**
 * Who has sent a request, in text that is fit to be stored and shown, and whether it was sent by itself rather than by a
 * person (DECISIONS: mail-tracking-automated).
 */
export function visitOf(request: IncomingMessage, trustProxy: boolean): Visit {
  const userAgent = safeText(request.headers['user-agent'] ?? '', LONGEST_USER_AGENT);
  // An IPv6 address may name its network card, which is nobody's business.
  const [address = ''] = clientAddress(request, trustProxy).split('%');
  return {
    userAgent,
    userIp: address.slice(0, LONGEST_ADDRESS),
    automated: request.method === 'HEAD' || isPrefetch(request) || isAutomated(userAgent),
  };
}

function isPrefetch({ headers }: IncomingMessage): boolean {
  const purposes = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']];
  return purposes.flat().some((purpose) => purpose !== undefined && PREFETCHES.test(purpose));
}

function isAutomated(userAgent: string): boolean {
  return userAgent === '' || AUTOMATED_VISITORS.some(([, , pattern]) => pattern.test(userAgent));
}
