import type { Socket } from 'node:net';
import type { SMTPServerSession } from 'smtp-server';
import type { Refusal } from './destination.ts';

const MOST_CONNECTIONS_EACH = 20;
const MOST_REFUSED = 20;
const LONGEST_CONNECTION_MS = 15 * 60_000;

/** What clients from other machines may not have too much of: connections, refused recipients, time. */
export class Strangers {
  readonly #connections = new Map<string, Set<SMTPServerSession>>();
  readonly #refused = new WeakMap<SMTPServerSession, number>();

  /** Counts a connection; the reply when it is one too many. */
  enter(session: SMTPServerSession): Refusal | undefined {
    const { remoteAddress } = session;
    if (isThisMachine(remoteAddress)) return undefined;
    const own = this.#connections.get(remoteAddress) ?? new Set();
    if (own.size >= MOST_CONNECTIONS_EACH)
      return { code: 421, text: '4.7.0 Too many connections from your address' };
    this.#connections.set(remoteAddress, own.add(session));
    return undefined;
  }

  leave(session: SMTPServerSession): void {
    const own = this.#connections.get(session.remoteAddress);
    own?.delete(session);
    if (own?.size === 0) this.#connections.delete(session.remoteAddress);
  }

  /** Counts a recipient that is refused; the reply when it is one too many, which ends the connection. */
  refused(session: SMTPServerSession): Refusal | undefined {
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

function isThisMachine(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
