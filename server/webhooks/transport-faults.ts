import { errors } from 'undici';
import { safeText } from '../domain/safe-text.ts';
import { ForbiddenTarget } from './guard.ts';
import { UnknownHost } from './name-lookup.ts';

const LONGEST_DETAIL = 200;
const CERTIFICATE = 'The TLS certificate';
/** What the codes of Node.js, OpenSSL and undici mean to whoever runs the receiver. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused: nothing listens at that address and port.',
  ECONNRESET: 'The connection was reset before an answer.',
  EPIPE: 'The connection was reset before an answer.',
  UND_ERR_SOCKET: 'The connection was closed before an answer.',
  ETIMEDOUT: 'The connection could not be made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'There is no route to that address.',
  ENETUNREACH: 'There is no route to that address.',
  UND_ERR_HEADERS_OVERFLOW: "The answer's headers are too long: 16 kB are read at most.",
  CERT_HAS_EXPIRED: `${CERTIFICATE} has expired.`,
  CERT_NOT_YET_VALID: `${CERTIFICATE} is not valid yet.`,
  ERR_TLS_CERT_ALTNAME_INVALID: `${CERTIFICATE} is for another name.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: `${CERTIFICATE} is self-signed, and not trusted.`,
  SELF_SIGNED_CERT_IN_CHAIN: `${CERTIFICATE} comes from an authority that is not trusted.`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${CERTIFICATE} comes from an authority that is not trusted.`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${CERTIFICATE} comes without its intermediate ones, or from an authority that is not trusted.`,
};

/** Why there was no answer, in a sentence for the delivery log. */
export function describeFault(error: unknown): string {
  if (error instanceof ForbiddenTarget || error instanceof UnknownHost) return error.message;
  // One for each address that was tried.
  if (error instanceof AggregateError && error.errors.length > 0) return describeFault(error.errors[0]);
  if (error instanceof errors.HTTPParserError) return 'The answer is not HTTP.';
  const code = codeOf(error);
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return `TLS failed (${code}).`;
  const detail = error instanceof Error ? error.message : String(error);
  return `The request failed: ${safeText(detail, LONGEST_DETAIL)}`;
}

/** Whether a connection broke, as one does that the other side closes when it is about to be used again. */
export function isBrokenConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
