import type { IncomingMessage } from 'node:http';
import { ApiError } from '../domain/errors.ts';

const MAX_HEADER_BLOCK = 32_768;
const MAX_HEADERS = 200;

/** Refuses a header block that is too long. Throws INVALID_JSON, the contract's only 400. */
export function checkHeaders({ rawHeaders }: IncomingMessage): void {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  if (length > MAX_HEADER_BLOCK || rawHeaders.length > 2 * MAX_HEADERS) {
    throw new ApiError('INVALID_JSON', 'the headers of the request are too long');
  }
}
