import { once } from 'node:events';
import DNS from 'dns2';

// For tests of what asks the DNS: a real server on loopback.

export type DnsRecord =
  | { cname: string }
  | { txt: string | string[] }
  | { mx: string; priority: number }
  | { a: string }
  | { aaaa: string };
/** What each name has, or how the server answers questions about it; a function is called for each question, with its type. */
export type DnsZone = Record<string, DnsAnswering | ((type: number | undefined) => DnsAnswering)>;
type DnsAnswering = DnsRecord[] | 'SERVFAIL' | 'REFUSED';

const MOST_TRIES = 20;

/** A DNS server (UDP and TCP) that knows exactly this zone, as it is when asked; everything else is NXDOMAIN. */
export async function startDnsServer(zone: DnsZone): Promise<{ address: string; close(): void }> {
  const handle: DNS.DnsHandler = (request, send) => send(answerFrom(zone, request));
  // A port that UDP had to give may be in use for TCP; then another one is asked for.
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnBoth(handle);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || tries === MOST_TRIES) throw error;
    }
  }
}

async function listenOnBoth(handle: DNS.DnsHandler): Promise<{ address: string; close(): void }> {
  const udp = DNS.createUDPServer(handle);
  await udp.listen(0, '127.0.0.1');
  const { port } = udp.address();
  const tcp = DNS.createTCPServer(handle);
  try {
    await once(tcp.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    udp.close();
    throw error;
  }
  const close = () => {
    udp.close();
    tcp.close();
  };
  return { address: `127.0.0.1:${port}`, close };
}

function answerFrom(zone: DnsZone, request: DNS.Packet): DNS.Packet {
  const response = DNS.Packet.createResponseFromRequest(request);
  const [question] = request.questions;
  const name = question?.name ?? '';
  const known = zone[name.toLowerCase()];
  const entry = typeof known === 'function' ? known(question?.type) : known;
  if (entry === undefined) response.header.rcode = DNS.Packet.RCODE.NXDOMAIN;
  else if (typeof entry === 'string') response.header.rcode = DNS.Packet.RCODE[entry];
  else {
    const answers: unknown[] = response.answers;
    for (const answer of entry) {
      const { type, ...data } = wireOf(answer);
      if (type === DNS.Packet.TYPE.CNAME || type === question?.type)
        answers.push({ name, class: DNS.Packet.CLASS.IN, ttl: 60, type, ...data });
    }
  }
  return response;
}

function wireOf(record: DnsRecord) {
  const { TYPE } = DNS.Packet;
  if ('cname' in record) return { type: TYPE.CNAME, domain: record.cname };
  if ('txt' in record) return { type: TYPE.TXT, data: record.txt };
  if ('mx' in record) return { type: TYPE.MX, exchange: record.mx, priority: record.priority };
  if ('a' in record) return { type: TYPE.A, address: record.a };
  return { type: TYPE.AAAA, address: record.aaaa };
}
