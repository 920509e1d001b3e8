import type { Socket } from 'node:net';
import type { Refusal } from './destination.ts';

/** A connection, as far as it matters here: who it is from. */
interface Session {
  remoteAddress: string;
}

const MOST_CONNECTIONS_EACH = 20;
const MOST_REFUSED = 20;
const LONGEST_CONNECTION_MS = 15 * 60_000;

/** What clients from other machines may not have too much of: connections, refused recipients, time. */
export class Strangers {
  readonly #connections = new Map<string, Set<Session>>();
  readonly #refused = new WeakMap<Session, number>();

  /** Counts a connection; the reply when it is one too many. */
  enter(session: Session): Refusal | undefined {
    const { remoteAddress } = session;
    if (isThisMachine(remoteAddress)) return undefined;
    const network = networkOf(remoteAddress);
    const own = this.#connections.get(network) ?? new Set();
    if (own.size >= MOST_CONNECTIONS_EACH)
      return { code: 421, text: '4.7.0 Too many connections from your address' };
    this.#connections.set(network, own.add(session));
    return undefined;
  }

  leave(session: Session): void {
    const network = networkOf(session.remoteAddress);
    const own = this.#connections.get(network);
    own?.delete(session);
    if (own?.size === 0) this.#connections.delete(network);
  }

  /** Counts a recipient that is refused; the reply when it is one too many, which ends the connection. */
  refused(session: Session): Refusal | undefined {
    if (isThisMachine(session.remoteAddress)) return undefined;
    const refused = (this.#refused.get(session) ?? 0) + 1;
    this.#refused.set(session, refused);
    return refused > MOST_REFUSED ? { code: 421, text: '4.7.0 Too many refused recipients' } : undefined;
  }

  /** Ends a connection that never ends: a byte from time to time is no silence, and yet holds a place. */
  limitTime(socket: Socket): void {
    if (isThisMachine(socket.remoteAddress ?? '')) return;
    const timer = setTimeout(() => socket.destroy(), LONGEST_CONNECTION_MS);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  }
}

/** Whom an address stands for: of IPv6, one client has a whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = new Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...(tail === undefined ? [] : missing), ...after].slice(0, 4).join(':');
}

function isThisMachine(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
