import type { Cursor } from '../cursor.ts';
import { everyOperation } from '../operations.ts';
import type { Rule } from '../redocly.ts';

interface Options {
  /** Public operations that judge credentials of their own: their 401 comes after the rate limiter. */
  judgeCredentials?: string[];
}

const rateLimit = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The statuses that come after the rate limiter. */
const counted = ['200', '201', '207', '400', '403', '409', '422', '429'];

/** The headers that a status promises, each of them required. */
export const responseHeaders: Rule<Options> = ({ judgeCredentials = [] }) =>
  everyOperation(({ id, responses }) => {
    for (const [status, response] of responses) {
      const limited = counted.includes(status) || (status === '401' && judgeCredentials.includes(id));
      if (limited) for (const name of rateLimit) demand(response, status, name);
      if (!limited && status === '401') for (const name of rateLimit) refuse(response, name);
      if (status === '429') demand(response, status, 'Retry-After');
      if (status === '401') demand(response, status, 'WWW-Authenticate');
    }
  });

function demand(response: Cursor, status: string, name: string): void {
  const header = response.get('headers', name);
  if (header?.get('required')?.node === true) return;
  const fix = header
    ? 'set required: true on it'
    : `refer to components/headers/${name.replaceAll('-', '')}.yaml`;
  (header ?? response).report(`Every ${status} carries ${name}: ${fix}.`);
}

function refuse(response: Cursor, name: string): void {
  response
    .get('headers', name)
    ?.reportUse(
      `A 401 is decided before the rate limit is counted, so it has no ${name}: remove the header.`,
    );
}
