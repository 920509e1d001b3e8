import { bounceHostOf } from './domain/bounce-host.ts';
import { StartupError } from './errors.ts';
import { SettingFault } from './setting-values.ts';
import { SETTINGS, type Setting } from './settings.ts';

type SettingKey = keyof typeof SETTINGS;
type Values = { [Key in SettingKey]: (typeof SETTINGS)[Key] extends Setting<infer T> ? T : never };

/** What a process of the service does. */
export type Role = Values['role'];

/** Where accepted mail goes. */
type DeliveryMode =
  | { mode: 'sandbox' }
  | { mode: 'relay'; url: string }
  | { mode: 'mx'; port: number; allowPrivateAddresses: boolean };

/** How the API is encrypted: by the local CA, by files of the operator, by a proxy in front, or (on loopback) not at all. */
export type TlsMode =
  | { kind: 'local' }
  | { kind: 'files'; cert: string; key: string }
  | { kind: 'proxy' }
  | { kind: 'insecure' };

/** All settings of the process, checked. */
export interface Config {
  role: Role;
  /** Undefined: every address of the machine. */
  host: string | undefined;
  apiPort: number;
  webPort: number;
  /** What the links in mails begin with; undefined: the web listener as this machine reaches it. */
  webUrl: string | undefined;
  smtpPort: number;
  opsPort: number;
  dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  databaseBackend: 'postgres' | 'citus' | 'yugabytedb' | 'cockroachdb';
  poolSize: number;
  delivery: DeliveryMode;
  /** Whether webhooks may lead to private addresses, and be unencrypted. */
  webhookAllowPrivate: boolean;
  mailHostname: string;
  mailAddresses: readonly string[];
  /** Undefined: nobody reads the mail to postmaster@ and abuse@. */
  postmaster: string | undefined;
  dnsServers: readonly string[];
  /** Undefined: the zone is not served. */
  dnsPort: number | undefined;
  logRetentionDays: number;
  rateLimitPerMinute: number;
  tls: TlsMode;
  corsOrigins: readonly string[];
  logLevel: Values['logLevel'];
  workerConcurrency: number;
  /** What the operator should know, though the service starts. */
  warnings: readonly string[];
}

/** Settings that cannot be used: one line for each fault. */
export class ConfigError extends StartupError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'), 'All settings: sendspec serve --help');
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const LONGEST_SHOWN_VALUE = 60;
// CAN-SPAM, 15 U.S.C. 7704 (a)(3)(A)(ii).
const UNSUBSCRIBE_DAYS = 30;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Reads all settings from the environment; an empty value is an absent one.
 * @throws ConfigError that names every fault at once.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const values = readValues(env, faults);
  faults.push(...conflicts(values));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    role: values.role,
    host: values.host ?? (values.insecureHttp ? '127.0.0.1' : undefined),
    apiPort: values.apiPort,
    webPort: values.webPort,
    webUrl: values.webUrl,
    smtpPort: values.smtpPort,
    opsPort: values.opsPort,
    dataDir: values.dataDir,
    databaseUrl: values.databaseUrl,
    databaseBackend: values.databaseBackend ?? 'postgres',
    poolSize: values.poolSize,
    delivery: deliveryOf(values),
    webhookAllowPrivate: values.webhookAllowPrivate ?? values.delivery === 'sandbox',
    mailHostname: values.mailHostname,
    mailAddresses: values.mailAddresses,
    postmaster: values.postmaster,
    dnsServers: values.dnsServers,
    dnsPort: values.dnsPort,
    logRetentionDays: values.logRetentionDays,
    rateLimitPerMinute: values.rateLimitPerMinute,
    tls: tlsOf(values),
    corsOrigins: values.corsOrigins,
    logLevel: values.logLevel,
    workerConcurrency: values.workerConcurrency,
    warnings: [...unknownNames(env), ...doubts(values)],
  };
}

function readValues(env: Readonly<Record<string, string | undefined>>, faults: string[]): Values {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = env[setting.name]?.trim() ?? '';
    values[key] = setting.fallback;
    if (text === '') continue;
    try {
      values[key] = setting.parse(text);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push(`${setting.name} ${error.message}${setting.secret ? '' : `, not ${shown(text)}`}`);
    }
  }
  // The parsers of the table give each key its type.
  return values as Values;
}

/** The value as it can be repeated to people: on one line, short, nothing that steers a terminal. */
function shown(text: string): string {
  const cut = text.length <= LONGEST_SHOWN_VALUE ? text : `${text.slice(0, LONGEST_SHOWN_VALUE)}...`;
  return JSON.stringify(cut.replace(/(:\/\/)[^/\s@]*@/g, '$1...@').replace(/[\u007f-\u009f]/g, '?'));
}

function conflicts(values: Values): string[] {
  const { tlsCert, tlsKey, insecureHttp, trustProxy, host } = values;
  const faults: (string | false)[] = [
    values.delivery === 'relay' &&
      values.smtpUrl === undefined &&
      'SENDSPEC_SMTP_URL must name the relay when SENDSPEC_DELIVERY is relay',
    values.delivery === 'mx' &&
      values.mailHostname.endsWith('.test') &&
      'SENDSPEC_MAIL_HOSTNAME must be the public name of this server when SENDSPEC_DELIVERY is mx',
    values.postmaster !== undefined &&
      isBelow(values.postmaster, values.mailHostname) &&
      `SENDSPEC_POSTMASTER must be a mailbox elsewhere, not ${shown(values.postmaster)}: ${values.mailHostname} has none`,
    tlsCert !== undefined &&
      tlsKey === undefined &&
      'SENDSPEC_TLS_KEY must be set when SENDSPEC_TLS_CERT is: a certificate needs its key',
    tlsKey !== undefined &&
      tlsCert === undefined &&
      'SENDSPEC_TLS_CERT must be set when SENDSPEC_TLS_KEY is: a key needs its certificate',
    insecureHttp && trustProxy && 'SENDSPEC_INSECURE_HTTP and SENDSPEC_TRUST_PROXY exclude each other',
    (insecureHttp || trustProxy) &&
      (tlsCert !== undefined || tlsKey !== undefined) &&
      `SENDSPEC_TLS_CERT and SENDSPEC_TLS_KEY have no use with ${insecureHttp ? 'SENDSPEC_INSECURE_HTTP' : 'SENDSPEC_TRUST_PROXY'}: remove one of them`,
    insecureHttp &&
      host !== undefined &&
      !LOOPBACK.test(host) &&
      `SENDSPEC_INSECURE_HTTP is for loopback only: SENDSPEC_HOST must be 127.0.0.1 or ::1, not ${shown(host)}`,
    values.webUrl?.startsWith('http:') === true &&
      !insecureHttp &&
      `SENDSPEC_WEB_URL must begin with https://, not ${shown(values.webUrl)}: mail programs unsubscribe by HTTPS only`,
    values.databaseBackend !== undefined &&
      values.databaseUrl === undefined &&
      'DATABASE_URL must be set when SENDSPEC_DB_BACKEND is',
    ...roleConflicts(values),
  ];
  return [...faults.filter((fault) => fault !== false), ...samePorts(values)];
}

function isBelow(address: string, hostname: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domain === hostname || domain === bounceHostOf(hostname);
}

/** A process that does not do everything needs the others: their database, and their ports where it cannot be told them. */
function roleConflicts({
  role,
  databaseUrl,
  delivery,
  smtpPort,
  webPort,
  webUrl,
}: Values): (string | false)[] {
  return [
    role !== 'all' &&
      databaseUrl === undefined &&
      `DATABASE_URL must be set when SENDSPEC_ROLE is ${role}: the embedded database belongs to one process, which does everything`,
    role === 'api' &&
      delivery === 'sandbox' &&
      smtpPort === 0 &&
      'SENDSPEC_SMTP_PORT must be the port of a worker when SENDSPEC_ROLE is api in the sandbox: mails of the API itself go there',
    role === 'worker' &&
      webPort === 0 &&
      (webUrl === undefined || delivery === 'sandbox') &&
      'SENDSPEC_WEB_PORT must be the port of an API process when SENDSPEC_ROLE is worker: the links in mails lead there',
  ];
}

function samePorts(values: Values): string[] {
  const keys = ['apiPort', 'webPort', 'smtpPort', 'opsPort', 'dnsPort'] as const;
  const owners = new Map<number, string>();
  const faults: string[] = [];
  for (const key of keys) {
    const { name } = SETTINGS[key];
    const port = values[key];
    if (port === undefined || port === 0) continue;
    const owner = owners.get(port);
    if (owner !== undefined) faults.push(`${name} must differ from ${owner}: both are ${port}`);
    else owners.set(port, name);
  }
  return faults;
}

function deliveryOf(values: Values): DeliveryMode {
  if (values.delivery === 'relay') return { mode: 'relay', url: values.smtpUrl ?? '' };
  if (values.delivery === 'sandbox') return { mode: 'sandbox' };
  return { mode: 'mx', port: values.mxPort, allowPrivateAddresses: values.mxAllowPrivate };
}

function tlsOf({ insecureHttp, trustProxy, tlsCert, tlsKey }: Values): TlsMode {
  if (insecureHttp) return { kind: 'insecure' };
  if (trustProxy) return { kind: 'proxy' };
  if (tlsCert !== undefined && tlsKey !== undefined) return { kind: 'files', cert: tlsCert, key: tlsKey };
  return { kind: 'local' };
}

function doubts(values: Values): string[] {
  const warnings: (string | false)[] = [
    (values.mxPort !== SETTINGS.mxPort.fallback || values.mxAllowPrivate) &&
      values.delivery !== 'mx' &&
      `SENDSPEC_MX_PORT and SENDSPEC_MX_ALLOW_PRIVATE are not used: SENDSPEC_DELIVERY is ${values.delivery}`,
    values.smtpUrl !== undefined &&
      values.delivery !== 'relay' &&
      `SENDSPEC_SMTP_URL is not used: SENDSPEC_DELIVERY is ${values.delivery}`,
    values.delivery === 'relay' &&
      values.mailHostname.endsWith('.test') &&
      'SENDSPEC_MAIL_HOSTNAME is not set: mail introduces itself with a name that nobody can resolve',
    values.delivery !== 'sandbox' &&
      values.webUrl === undefined &&
      'SENDSPEC_WEB_URL is not set: pixels, tracked links and unsubscribe links lead to this machine, where nobody else gets to',
    values.delivery !== 'sandbox' &&
      values.role !== 'api' &&
      values.postmaster === undefined &&
      'SENDSPEC_POSTMASTER is not set: mail to postmaster@ and abuse@ of the mail hosts is refused, which RFC 5321 forbids',
    values.delivery !== 'sandbox' &&
      values.logRetentionDays < UNSUBSCRIBE_DAYS &&
      `SENDSPEC_LOG_RETENTION_DAYS is ${values.logRetentionDays}: unsubscribe links end with the log, and laws ask for ${UNSUBSCRIBE_DAYS} days`,
    values.dnsPort !== undefined &&
      values.mailAddresses.length === 0 &&
      'SENDSPEC_MAIL_ADDRESSES is not set: the zone that is served has no address for SENDSPEC_MAIL_HOSTNAME',
    values.delivery !== 'sandbox' &&
      values.databaseUrl === undefined &&
      'real mail on the embedded database, which a power loss can damage: set DATABASE_URL',
  ];
  return warnings.filter((warning) => warning !== false);
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values<Setting<unknown>>(SETTINGS).map((setting) => setting.name);
  return Object.keys(env)
    .filter((name) => /^SENDSPEC_/i.test(name) && !known.includes(name))
    .sort()
    .map((name) => {
      const meant = nearest(name.toUpperCase(), known);
      return `${shown(name).slice(1, -1)} is not a setting and is ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const bare = name.replace(/^SENDSPEC_/, '');
  if (known.includes(bare)) return bare;
  const furthest = Math.max(2, Math.floor(bare.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, steps: editSteps(bare, candidate.replace(/^SENDSPEC_/, '')) }))
    .sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= furthest ? best.candidate : undefined;
}

/** Letters to change, add or remove to get from one word to the other (Levenshtein). */
function editSteps(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= Math.min(from.length, LONGEST_SHOWN_VALUE); row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
