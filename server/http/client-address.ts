import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const IPV4_MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/**
 * The address that a request came from. Behind a trusted proxy it is the last entry of X-Forwarded-For, the one that the proxy
 * itself wrote; what stands before it is the client's word. Without one the header is ignored.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const peer = request.socket.remoteAddress ?? '';
  if (!trustProxy) return normalise(peer);
  const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',');
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return normalise(isIP(last) ? last : peer);
}

/** What callers from one address are counted under: a whole /64 for IPv6, since any customer has one to himself. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const { hostname } = new URL(`http://[${address.split('%')[0] ?? ''}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`;
}

function normalise(address: string): string {
  return address.replace(IPV4_MAPPED, '');
}
