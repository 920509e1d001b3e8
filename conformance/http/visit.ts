import { openConnection } from './connection.ts';
import type { ReceivedResponse } from './exchange.ts';

/**
 * Opens an address that stands in a mail, as the reader's mail program or browser does; redirects are not followed.
 * @throws TransportFault when no whole response comes back.
 */
export async function visit(address: string, ca: string | undefined): Promise<ReceivedResponse> {
  const { origin, pathname, search } = new URL(address);
  const connection = openConnection({ baseUrl: origin, ca });
  try {
    const headers = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (a reader of sendspec-conformance)' };
    return await connection.send({ method: 'GET', path: `${pathname}${search}`, headers, body: undefined });
  } finally {
    connection.close();
  }
}
