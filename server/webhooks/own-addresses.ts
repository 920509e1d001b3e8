import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Whether an address is one of this machine's own, as they are now. A connection to it passes no firewall: whatever listens here would
 * be open to it, public as the address may be.
 */
export function isOwnAddress(address: string): boolean {
  const own = new BlockList();
  for (const { address: of, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    own.addAddress(of, family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
