import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { StartupError } from '../errors.ts';

/** Why a DNS question has no answer. `missing`: the name does not exist; `empty`: it exists without such a record. */
export type DnsFailure = 'missing' | 'empty' | 'server failure' | 'timeout' | 'refused' | 'malformed';

/** The answer to a DNS question, or why there is none. Failures are data here: they are what the caller reports. */
export type DnsAnswer<T> = { ok: true; values: T[] } | { ok: false; failure: DnsFailure };

export interface MxRecord {
  exchange: string;
  priority: number;
}

export interface ResolverOptions {
  /** `host:port`, `host`, `[ipv6]:port` or a bare IPv6 address each; empty for the servers of the system. */
  servers?: readonly string[];
  /** How long the first try of a question waits; each further try waits longer. */
  timeoutMs?: number;
  tries?: number;
}

/** Asks the DNS. None of the questions throws. */
export interface DnsResolver {
  cname(name: string): Promise<DnsAnswer<string>>;
  /** The strings of each TXT record, joined. */
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** IPv4 and IPv6 addresses, in this order; ok when either kind is found. */
  addresses(name: string): Promise<DnsAnswer<string>>;
}

const FAILURE_BY_CODE: Readonly<Record<string, DnsFailure>> = {
  ENOTFOUND: 'missing',
  ENODATA: 'empty',
  ESERVFAIL: 'server failure',
  ENOTIMP: 'server failure',
  EREFUSED: 'refused',
  ECONNREFUSED: 'refused',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
};

const LONGEST_NAME = 253;

/**
 * Opens a resolver on the given servers.
 * Throws StartupError when a server is not an address.
 */
export function openResolver({
  servers = [],
  timeoutMs = 2000,
  tries = 3,
}: ResolverOptions = {}): DnsResolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) resolver.setServers(servers.map(serverAddress));

  async function addresses(name: string): Promise<DnsAnswer<string>> {
    const [v4, v6] = await Promise.all([
      ask(name, () => resolver.resolve4(name)),
      ask(name, () => resolver.resolve6(name)),
    ]);
    if (v4.ok || v6.ok)
      return { ok: true, values: [v4, v6].flatMap((answer) => (answer.ok ? answer.values : [])) };
    // "There is none" is only certain when both questions were answered so.
    return v4.failure === 'missing' || v4.failure === 'empty' ? v6 : v4;
  }

  return {
    cname: (name) => ask(name, () => resolver.resolveCname(name)),
    txt: (name) =>
      ask(name, async () => (await resolver.resolveTxt(name)).map((strings) => strings.join(''))),
    mx: (name) => ask(name, () => resolver.resolveMx(name)),
    addresses,
  };
}

async function ask<T>(name: string, question: () => Promise<T[]>): Promise<DnsAnswer<T>> {
  if (name === '' || name.length > LONGEST_NAME) return { ok: false, failure: 'missing' };
  try {
    const values = await question();
    return values.length > 0 ? { ok: true, values } : { ok: false, failure: 'empty' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { ok: false, failure: FAILURE_BY_CODE[code] ?? 'malformed' };
  }
}

/** A name server as `setServers` takes it: `192.0.2.1:5353`, `[2001:db8::1]:5353`. */
function serverAddress(server: string): string {
  const text = server.trim();
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = isIP(text) === 6 ? text : (bracketed ?? plain ?? '');
  const family = isIP(host);
  if (family === 0 || Number(port) < 1 || Number(port) > 65_535) {
    throw new StartupError(
      `"${text}" in SENDSPEC_DNS_SERVERS is not the address of a DNS server.`,
      'Write IP addresses with an optional port, separated by commas: 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353.',
    );
  }
  return family === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
