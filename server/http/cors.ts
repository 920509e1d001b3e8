import type { IncomingMessage } from 'node:http';

/** What browsers are told about requests from other origins. */
export interface Cors {
  /** The headers of the answer to a preflight request; undefined when it is none, or of an origin that may not call. */
  preflight(request: IncomingMessage): Record<string, string> | undefined;
  /** The headers that every answer to this request carries. */
  headersFor(request: IncomingMessage): Record<string, string>;
}

const ANY_ORIGIN = '*';
const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, Content-Disposition';
const METHODS = 'GET, POST, PATCH, DELETE';
const REQUEST_HEADERS = 'Authorization, Content-Type';
const DAY_IN_SECONDS = '86400';

/** Allows the listed origins (`*` for all) to call from a browser; with an empty list nothing is said, and OPTIONS is an unknown endpoint. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const none: Record<string, string> = {};

  function headersFor(request: IncomingMessage): Record<string, string> {
    if (allowed.size === 0) return none;
    const { origin } = request.headers;
    if (origin === undefined || !(allowed.has(origin) || allowed.has(ANY_ORIGIN))) return { Vary: 'Origin' };
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED,
    };
  }

  return {
    headersFor,
    preflight(request) {
      if (request.method !== 'OPTIONS' || !('access-control-request-method' in request.headers))
        return undefined;
      const headers = headersFor(request);
      if (!('Access-Control-Allow-Origin' in headers)) return undefined;
      return {
        ...headers,
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Allow-Headers': REQUEST_HEADERS,
        'Access-Control-Max-Age': DAY_IN_SECONDS,
      };
    },
  };
}
