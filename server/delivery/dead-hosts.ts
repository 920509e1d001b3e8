import { createRecent } from './recent.ts';

/** Mail hosts that could not be reached a short while ago. */
export interface DeadHosts {
  add(host: string): void;
  /** The same hosts in the same order, but those last that could not be reached: waiting for them costs a minute each time. */
  lastOf(hosts: readonly string[]): string[];
}

const REMEMBERED_MS = 5 * 60_000;
const MOST_HOSTS = 10_000;

/** Creates the memory, empty. */
export function createDeadHosts(now: () => number = Date.now): DeadHosts {
  const until = createRecent<string, number>(MOST_HOSTS);
  const isDead = (host: string) => (until.get(host) ?? 0) > now();
  return {
    add: (host) => until.set(host, now() + REMEMBERED_MS),
    lastOf: (hosts) => [...hosts.filter((host) => !isDead(host)), ...hosts.filter(isDead)],
  };
}
