import { isIPv6 } from 'node:net';

/** What is done with an answer to this network: sent, sent as an invitation to come over TCP, or not at all. */
export type Treatment = 'send' | 'truncate' | 'drop';

const SECOND_MS = 1000;
const MOST_NETWORKS = 50_000;

/**
 * Bounds the answers over UDP, where anybody can write anybody's address into a question and make this server flood it.
 * Each network (IPv4 /24, IPv6 /56) gets so many answers a second; of those beyond, every second one is a short "ask over TCP",
 * which real resolvers follow.
 */
export function createResponseRate(perSecond: number, now = () => performance.now()) {
  const sent = new Map<string, number>();
  let second = Number.NEGATIVE_INFINITY;

  return (address: string): Treatment => {
    const present = Math.floor(now() / SECOND_MS);
    if (present !== second) {
      second = present;
      sent.clear();
    }
    const network = networkOf(address);
    const count = (sent.get(network) ?? 0) + 1;
    if (count === 1 && sent.size >= MOST_NETWORKS) return 'drop';
    sent.set(network, count);
    if (count <= perSecond) return 'send';
    return count % 2 === 0 ? 'truncate' : 'drop';
  };
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (!isIPv6(plain)) return plain.split('.').slice(0, 3).join('.');
  const [head = ''] = plain.split('%');
  return `${head.split(':').slice(0, 3).join(':')}:${(head.split(':')[3] ?? '').padStart(4, '0').slice(0, 2)}`;
}
