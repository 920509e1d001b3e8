import { BlockList, isIP } from 'node:net';

/**
 * Addresses that no stranger's name or URL may lead to: this machine, its networks, what carries them inside IPv6, and what the
 * registries of IANA (RFC 6890) do not call globally reachable. Anybody can point the MX of a domain, or a webhook, at them, and the
 * service would then talk to them from the inside.
 */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by the customers of a provider (CGNAT)
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, where clouds keep their metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3], // multicast, reserved, broadcast
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['2001::', 23], // Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');
}

/** All that is assigned to hosts of the internet. What is outside: loopback, NAT64, local, link-local and multicast addresses. */
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');

const GROUPS = 8;
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
/** The groups before an IPv4 address that an IPv6 address carries (ISATAP, RFC 5214 section 6.1). */
const ISATAP_GROUPS: ReadonlySet<string> = new Set(['0:5efe', '200:5efe']);

/**
 * Whether an IP address is one of the public internet. IPv4 mapped into IPv6 counts as the IPv4 address; what is meant for one
 * link (`fe80::1%eth0`) is not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = MAPPED.exec(canonical);
  if (mapped !== null) return isPublicAddress(dotted(mapped.slice(1)));
  if (!GLOBAL_UNICAST.check(canonical, 'ipv6') || NOT_PUBLIC.check(canonical, 'ipv6')) return false;
  const groups = groupsOf(canonical);
  return !ISATAP_GROUPS.has(`${groups[4]}:${groups[5]}`);
}

function dotted(halves: readonly string[]): string {
  return halves
    .map((half) => Number.parseInt(half, 16))
    .map((half) => `${half >> 8}.${half & 0xff}`)
    .join('.');
}

/** The eight groups of an IPv6 address in its canonical form. */
function groupsOf(canonical: string): string[] {
  const [before = [], after = []] = canonical
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  return [...before, ...Array<string>(GROUPS - before.length - after.length).fill('0'), ...after];
}
