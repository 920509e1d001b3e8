import { resolve } from 'node:path';
import { LOG_LEVELS } from './operations/logger.ts';
import {
  dnsServer,
  flag,
  hostname,
  integer,
  ipAddress,
  list,
  mailbox,
  oneOf,
  origin,
  path,
  publicAddress,
  urlOf,
  webAddress,
} from './setting-values.ts';

/** One setting: how it is named, described and read from its text. */
export interface Setting<T> {
  readonly name: string;
  /** Shown to people; what the setting is when it is absent. */
  readonly default: string;
  readonly description: string;
  /** The value may hold credentials: it is never repeated in a message. */
  readonly secret?: true;
  readonly parse: (text: string) => T;
  readonly fallback: T;
}

/** What a process of the service does: answer requests, deliver mail, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;

/** Every setting of the service. The list in the docs and `sendspec serve --help` are made from it. */
export const SETTINGS = {
  role: setting('SENDSPEC_ROLE', 'all', {
    description:
      'What this process does: api (the API and the web listener), worker (delivery and the mail that comes back) or all. Several processes of each share one PostgreSQL. `serve --role` goes before it.',
    parse: oneOf(ROLES),
    fallback: 'all',
  }),
  apiPort: port('PORT', 8443, 'Port of the API.'),
  host: setting('SENDSPEC_HOST', 'all addresses; loopback with SENDSPEC_INSECURE_HTTP', {
    description: 'Address that the API listens on, for instance 127.0.0.1.',
    parse: ipAddress,
    fallback: undefined,
  }),
  webPort: port(
    'SENDSPEC_WEB_PORT',
    8080,
    'Port of the public web listener, where pixels, tracked links and unsubscribe links lead; encrypted as the API is.',
  ),
  webUrl: setting('SENDSPEC_WEB_URL', 'this machine, at the port of the web listener', {
    description:
      'Public address of the web listener, which the links in mails begin with: https://links.example.com.',
    parse: webAddress,
    fallback: undefined,
  }),
  smtpPort: port(
    'SENDSPEC_SMTP_PORT',
    2525,
    'Port of the SMTP listener for bounces, complaints and unsubscribe mails; in sandbox mode also of the built-in sink.',
  ),
  opsPort: port(
    'SENDSPEC_OPS_PORT',
    9090,
    'Port for health, metrics and the sandbox inbox; on loopback only.',
  ),
  dataDir: setting('SENDSPEC_DATA_DIR', './data', {
    description: 'Folder of the embedded database, the local certificates and target.json.',
    parse: path,
    fallback: resolve('data'),
  }),
  databaseUrl: setting('DATABASE_URL', 'the embedded database', {
    description: 'PostgreSQL 15 or newer, for instance postgres://user:password@host:5432/sendspec.',
    parse: (text) => urlOf(text, ['postgres:', 'postgresql:']),
    fallback: undefined,
    secret: true,
  }),
  databaseBackend: setting('SENDSPEC_DB_BACKEND', 'postgres', {
    description:
      'What answers at DATABASE_URL: postgres, citus, yugabytedb or cockroachdb. Only the queue adapts to it: sendspec is tested on postgres alone.',
    parse: oneOf(['postgres', 'citus', 'yugabytedb', 'cockroachdb']),
    fallback: undefined,
  }),
  poolSize: setting('SENDSPEC_DB_POOL', '10', {
    description: 'Connections to PostgreSQL, at most.',
    parse: integer(1, 1000),
    fallback: 10,
  }),
  delivery: setting('SENDSPEC_DELIVERY', 'sandbox', {
    description:
      'Where mail goes: sandbox (to the built-in sink, none leaves the machine), relay (to SENDSPEC_SMTP_URL) or mx (to the servers of the recipients).',
    parse: oneOf(['sandbox', 'relay', 'mx']),
    fallback: 'sandbox',
  }),
  mxPort: setting('SENDSPEC_MX_PORT', '25', {
    description: 'Port of the mail hosts that mx delivers to; another one only in a laboratory.',
    parse: integer(1, 65_535),
    fallback: 25,
  }),
  mxAllowPrivate: setting('SENDSPEC_MX_ALLOW_PRIVATE', '0', {
    description:
      '1 to deliver to mail hosts with private addresses too, as in a closed network, when SENDSPEC_DELIVERY is mx.',
    parse: flag,
    fallback: false,
  }),
  webhookAllowPrivate: setting('SENDSPEC_WEBHOOK_ALLOW_PRIVATE', '1 in the sandbox, otherwise 0', {
    description:
      '1 to take webhooks at private addresses and without TLS too, as in a closed network; 0 for public ones and HTTPS only.',
    parse: flag,
    fallback: undefined,
  }),
  smtpUrl: setting('SENDSPEC_SMTP_URL', 'none', {
    description: 'The relay, for instance smtps://user:password@smtp.example.com:465.',
    parse: (text) => urlOf(text, ['smtp:', 'smtps:']),
    fallback: undefined,
    secret: true,
  }),
  mailHostname: setting('SENDSPEC_MAIL_HOSTNAME', 'mail.sendspec.test', {
    description:
      'Name of this mail server in SMTP greetings and in the DNS records that domains point at it.',
    parse: hostname,
    fallback: 'mail.sendspec.test',
  }),
  mailAddresses: setting('SENDSPEC_MAIL_ADDRESSES', 'none', {
    description:
      'Public IP addresses of SENDSPEC_MAIL_HOSTNAME, separated by commas, for its A and AAAA records in the zone that SENDSPEC_DNS_PORT serves.',
    parse: list(publicAddress),
    fallback: [],
  }),
  postmaster: setting('SENDSPEC_POSTMASTER', 'nobody: such mail is refused, in the sandbox captured', {
    description:
      'Mailbox of the people who run the service, elsewhere: mail to postmaster@ and abuse@ of its mail hosts is forwarded to it.',
    parse: mailbox,
    fallback: undefined,
  }),
  dnsServers: setting('SENDSPEC_DNS_SERVERS', "the machine's own", {
    description: 'Resolvers, separated by commas: 9.9.9.9, 127.0.0.1:5353, [2620:fe::fe]:53.',
    parse: list(dnsServer),
    fallback: [],
  }),
  dnsPort: setting('SENDSPEC_DNS_PORT', 'none: the zone is printed by sendspec dns zone', {
    description:
      'Port, UDP and TCP, at which the DNS records below SENDSPEC_MAIL_HOSTNAME are served at SENDSPEC_HOST, in any role; 53 for the world.',
    parse: integer(0, 65_535),
    fallback: undefined,
  }),
  logRetentionDays: setting('SENDSPEC_LOG_RETENTION_DAYS', '60', {
    description:
      'Days that messages, events and statistics are kept, at least 3; what still waits for delivery stays.',
    parse: integer(3, 36_500),
    fallback: 60,
  }),
  rateLimitPerMinute: setting('SENDSPEC_RATE_LIMIT', '600', {
    description: 'Requests a minute for each caller; 0 is no limit.',
    parse: integer(0, 1_000_000),
    fallback: 600,
  }),
  tlsCert: setting('SENDSPEC_TLS_CERT', 'made by a local CA in data/tls', {
    description: 'File with your certificate and its chain, PEM.',
    parse: path,
    fallback: undefined,
  }),
  tlsKey: setting('SENDSPEC_TLS_KEY', 'made by a local CA in data/tls', {
    description: 'File with the private key of your certificate, PEM, without a passphrase.',
    parse: path,
    fallback: undefined,
  }),
  trustProxy: setting('SENDSPEC_TRUST_PROXY', '0', {
    description:
      '1 when a proxy in front ends TLS: the API then speaks plain HTTP and takes the client address from X-Forwarded-For.',
    parse: flag,
    fallback: false,
  }),
  insecureHttp: setting('SENDSPEC_INSECURE_HTTP', '0', {
    description: '1 for plain HTTP, on loopback only.',
    parse: flag,
    fallback: false,
  }),
  corsOrigins: setting('SENDSPEC_CORS_ORIGINS', 'none', {
    description:
      'Origins of web pages that may call the API, separated by commas: https://app.example.com; * for any.',
    parse: list(origin),
    fallback: [],
  }),
  logLevel: setting('SENDSPEC_LOG_LEVEL', 'info', {
    description: `Least important entry that is logged: ${LOG_LEVELS.join(', ')}.`,
    parse: oneOf(LOG_LEVELS),
    fallback: 'info',
  }),
  workerConcurrency: setting('SENDSPEC_WORKER_CONCURRENCY', '100', {
    description: 'Messages that are delivered at the same time.',
    parse: integer(1, 10_000),
    fallback: 100,
  }),
} as const satisfies Record<string, Setting<unknown>>;

function setting<T, const F>(
  name: string,
  defaultText: string,
  rest: { description: string; parse: (text: string) => T; fallback: F; secret?: true },
): Setting<T | F> {
  return { name, default: defaultText, ...rest };
}

function port(name: string, fallback: number, description: string): Setting<number> {
  return setting(name, String(fallback), { description, parse: integer(0, 65_535), fallback });
}
