import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test('nothing set: a first run on the embedded database, in the sandbox', () => {
  expect(loadConfig({ HOME: '/root', PATH: '/bin' })).toEqual({
    role: 'all',
    host: undefined,
    apiPort: 8443,
    webPort: 8080,
    webUrl: undefined,
    smtpPort: 2525,
    opsPort: 9090,
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseBackend: 'postgres',
    poolSize: 10,
    delivery: { mode: 'sandbox' },
    webhookAllowPrivate: true,
    mailHostname: 'mail.sendspec.test',
    dnsServers: [],
    mailAddresses: [],
    postmaster: undefined,
    dnsPort: undefined,
    logRetentionDays: 60,
    rateLimitPerMinute: 600,
    tls: { kind: 'local' },
    corsOrigins: [],
    logLevel: 'info',
    workerConcurrency: 100,
    warnings: [],
  });
});

test('webhooks lead to private addresses in the sandbox, and elsewhere where it is allowed', () => {
  const relay = { SENDSPEC_DELIVERY: 'relay', SENDSPEC_SMTP_URL: 'smtp://relay' };
  const allowed = (env: Record<string, string>) => loadConfig(env).webhookAllowPrivate;
  expect(allowed(relay)).toBe(false);
  expect(allowed({ ...relay, SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '1' })).toBe(true);
  expect(allowed({ SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '0' })).toBe(false);
});

test('an empty value is an absent one, and space around a value does not matter', () => {
  const config = loadConfig({
    PORT: '',
    SENDSPEC_DELIVERY: '  ',
    SENDSPEC_OPS_PORT: ' 0 ',
    SENDSPEC_SMTP_URL: '',
  });
  expect(config).toMatchObject({ apiPort: 8443, opsPort: 0, delivery: { mode: 'sandbox' }, warnings: [] });
});

test('everything set', () => {
  const config = loadConfig({
    PORT: '443',
    DATABASE_URL: 'postgres://app:secret@db:5432/mail',
    SENDSPEC_HOST: '[::1]',
    SENDSPEC_DB_BACKEND: 'yugabytedb',
    SENDSPEC_DELIVERY: 'Relay',
    SENDSPEC_SMTP_URL: 'smtps://user:secret@smtp.example.com:465',
    SENDSPEC_MAIL_HOSTNAME: 'Mail.Example.com.',
    SENDSPEC_DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353,[2620:fe::fe]:53, 2620:fe::9 ,[::1]',
    SENDSPEC_CORS_ORIGINS: 'https://app.example.com,http://localhost:5173/',
    SENDSPEC_TLS_CERT: 'cert.pem',
    SENDSPEC_TLS_KEY: '/etc/key.pem',
    SENDSPEC_WEB_URL: 'https://Links.Example.com/',
    SENDSPEC_POSTMASTER: 'postmaster@example.org',
    SENDSPEC_RATE_LIMIT: '0',
    SENDSPEC_LOG_LEVEL: 'WARN',
  });
  expect(config).toMatchObject({
    host: '::1',
    apiPort: 443,
    databaseUrl: 'postgres://app:secret@db:5432/mail',
    databaseBackend: 'yugabytedb',
    delivery: { mode: 'relay', url: 'smtps://user:secret@smtp.example.com:465' },
    mailHostname: 'mail.example.com',
    dnsServers: ['9.9.9.9', '127.0.0.1:5353', '[2620:fe::fe]:53', '2620:fe::9', '::1'],
    corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    tls: { kind: 'files', cert: resolve('cert.pem'), key: '/etc/key.pem' },
    webUrl: 'https://links.example.com',
    postmaster: 'postmaster@example.org',
    rateLimitPerMinute: 0,
    logLevel: 'warn',
    warnings: [],
  });
});

test('plain HTTP binds to loopback; behind a proxy it does not', () => {
  expect(loadConfig({ SENDSPEC_INSECURE_HTTP: '1' })).toMatchObject({
    host: '127.0.0.1',
    tls: { kind: 'insecure' },
  });
  expect(loadConfig({ SENDSPEC_TRUST_PROXY: 'true' })).toMatchObject({
    host: undefined,
    tls: { kind: 'proxy' },
  });
  expect(loadConfig({ SENDSPEC_TRUST_PROXY: '0' })).toMatchObject({ tls: { kind: 'local' } });
});

test('every fault is reported at once', () => {
  const faults = faultsOf({ PORT: 'https', SENDSPEC_OPS_PORT: '-1', SENDSPEC_DELIVERY: 'carrier pigeon' });
  expect(faults).toEqual([
    'PORT must be a whole number from 0 to 65535, not "https"',
    'SENDSPEC_OPS_PORT must be a whole number from 0 to 65535, not "-1"',
    'SENDSPEC_DELIVERY must be one of sandbox, relay, mx, not "carrier pigeon"',
  ]);
});

test.each([
  ['PORT', '65536'],
  ['PORT', '8443.0'],
  ['PORT', '0x1F'],
  ['PORT', '1e3'],
  ['PORT', '٨٤٤٣'],
  ['PORT', '99999999999999999999'],
  ['PORT', '8443; rm -rf /'],
  ['SENDSPEC_DB_POOL', '0'],
  ['SENDSPEC_RATE_LIMIT', 'Infinity'],
  ['SENDSPEC_HOST', 'example.com'],
  ['SENDSPEC_HOST', '[::1]:8443'],
  ['SENDSPEC_DELIVERY', '__proto__'],
  ['SENDSPEC_LOG_LEVEL', 'constructor'],
  ['SENDSPEC_TRUST_PROXY', '2'],
  ['SENDSPEC_DNS_SERVERS', 'dns.example.com'],
  ['SENDSPEC_DNS_SERVERS', '9.9.9.9:0'],
  ['SENDSPEC_DNS_SERVERS', '9.9.9.9:99999'],
  ['SENDSPEC_DNS_SERVERS', '[9.9.9.9]:53'],
  ['SENDSPEC_CORS_ORIGINS', 'app.example.com'],
  ['SENDSPEC_CORS_ORIGINS', 'https://app.example.com/path'],
  ['SENDSPEC_CORS_ORIGINS', 'https://user@app.example.com'],
  ['SENDSPEC_CORS_ORIGINS', 'null'],
  ['SENDSPEC_CORS_ORIGINS', 'javascript:alert(1)'],
  ['SENDSPEC_WEB_URL', 'links.example.com'],
  ['SENDSPEC_WEB_URL', 'ftp://links.example.com'],
  ['SENDSPEC_WEB_URL', 'https://links.example.com/path'],
  ['SENDSPEC_WEB_URL', 'https://links.example.com?a=b'],
  ['SENDSPEC_WEB_URL', 'http://links.example.com'],
  ['SENDSPEC_POSTMASTER', 'root'],
  ['SENDSPEC_POSTMASTER', 'a@b.example, c@d.example'],
  ['SENDSPEC_POSTMASTER', 'a@b.example>\r\nRCPT TO:<c@d.example'],
  ['SENDSPEC_MAIL_HOSTNAME', 'localhost'],
  ['SENDSPEC_MAIL_HOSTNAME', '10.0.0.1'],
  ['SENDSPEC_MAIL_HOSTNAME', 'mail.example.com\r\nQUIT'],
  ['SENDSPEC_MAIL_HOSTNAME', '-a.example.com'],
  ['SENDSPEC_MAIL_HOSTNAME', `${'a.'.repeat(127)}com`],
])('%s=%s is refused in one line that names it', (name, value) => {
  const [fault = '', ...others] = faultsOf({ [name]: value });
  expect(fault).toMatch(new RegExp(`^${name} must `));
  expect(fault).not.toMatch(/[\r\n]/);
  expect(others).toEqual([]);
});

test('what may hold a password is never repeated', () => {
  for (const [name, value] of [
    ['DATABASE_URL', 'mysql://root:hunter2@db/mail'],
    ['DATABASE_URL', 'postgres//root:hunter2@db/mail'],
    ['SENDSPEC_SMTP_URL', 'http://root:hunter2@relay'],
    ['SENDSPEC_SMTP_URL', 'smtp://'],
    ['SENDSPEC_CORS_ORIGINS', 'https://root:hunter2@app.example.com'],
    ['SENDSPEC_WEB_URL', 'https://root:hunter2@app.example.com'],
  ] as const) {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults.join()).toContain(name);
    expect(faults.join()).not.toContain('hunter2');
  }
});

test('a hostile value cannot fill or steer the terminal', () => {
  const [fault = ''] = faultsOf({ PORT: `\u001b[2J\u009b${'9'.repeat(10_000)}` });
  expect(fault.length).toBeLessThan(200);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(fault).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test.each([
  [{ SENDSPEC_DELIVERY: 'relay' }, 'SENDSPEC_SMTP_URL must name the relay'],
  [
    { SENDSPEC_POSTMASTER: 'me@bounces.mail.sendspec.test' },
    'SENDSPEC_POSTMASTER must be a mailbox elsewhere',
  ],
  [{ SENDSPEC_DELIVERY: 'mx' }, 'SENDSPEC_MAIL_HOSTNAME must be the public name'],
  [{ SENDSPEC_TLS_CERT: 'cert.pem' }, 'SENDSPEC_TLS_KEY must be set'],
  [{ SENDSPEC_TLS_KEY: 'key.pem' }, 'SENDSPEC_TLS_CERT must be set'],
  [{ SENDSPEC_INSECURE_HTTP: '1', SENDSPEC_TRUST_PROXY: '1' }, 'exclude each other'],
  [{ SENDSPEC_INSECURE_HTTP: '1', SENDSPEC_HOST: '0.0.0.0' }, 'for loopback only'],
  [{ SENDSPEC_INSECURE_HTTP: '1', SENDSPEC_HOST: '::' }, 'for loopback only'],
  [
    { SENDSPEC_TRUST_PROXY: '1', SENDSPEC_TLS_CERT: 'a', SENDSPEC_TLS_KEY: 'b' },
    'have no use with SENDSPEC_TRUST_PROXY',
  ],
  [{ SENDSPEC_DB_BACKEND: 'citus' }, 'DATABASE_URL must be set'],
  [{ PORT: '9090' }, 'SENDSPEC_OPS_PORT must differ from PORT: both are 9090'],
])('settings that contradict each other are refused: %o', (env, expected) => {
  const faults = faultsOf(env);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(expected);
});

test('several ports may be 0', () => {
  expect(
    faultsOf({ PORT: '0', SENDSPEC_OPS_PORT: '0', SENDSPEC_SMTP_PORT: '0', SENDSPEC_WEB_PORT: '0' }),
  ).toEqual([]);
});

test('an unknown name is a warning with the name that was meant', () => {
  const { warnings } = loadConfig({
    SENDSPEC_RATELIMIT: '1',
    SENDSPEC_PORT: '1',
    SENDSPEC_DATABASE_URL: 'x',
    sendspec_ops_port: '1',
    SENDSPEC_COMPLETELY_DIFFERENT_THING: '1',
    [`SENDSPEC_${'X'.repeat(10_000)}\n`]: '1',
    SENDMAIL: '1',
  });
  expect(warnings).toHaveLength(6);
  const text = warnings.join('\n');
  expect(text).toContain(
    'SENDSPEC_RATELIMIT is not a setting and is ignored; did you mean SENDSPEC_RATE_LIMIT?',
  );
  expect(text).toContain('did you mean PORT?');
  expect(text).toContain('did you mean DATABASE_URL?');
  expect(text).toContain('did you mean SENDSPEC_OPS_PORT?');
  expect(text).toContain('SENDSPEC_COMPLETELY_DIFFERENT_THING is not a setting and is ignored');
  expect(text.length).toBeLessThan(1000);
});

test('what the operator should know is a warning', () => {
  expect(loadConfig({ SENDSPEC_SMTP_URL: 'smtp://relay' }).warnings.join()).toContain(
    'SENDSPEC_SMTP_URL is not used',
  );
  const relay = loadConfig({ SENDSPEC_DELIVERY: 'relay', SENDSPEC_SMTP_URL: 'smtp://relay' }).warnings.join(
    '\n',
  );
  expect(relay).toContain('SENDSPEC_MAIL_HOSTNAME');
  expect(relay).toContain('SENDSPEC_WEB_URL');
  expect(relay).toContain('SENDSPEC_POSTMASTER');
  const days = (count: string) =>
    loadConfig({
      SENDSPEC_DELIVERY: 'relay',
      SENDSPEC_SMTP_URL: 'smtp://relay',
      SENDSPEC_LOG_RETENTION_DAYS: count,
    });
  expect(days('29').warnings.join()).toContain('end with the log');
  expect(days('30').warnings.join()).not.toContain('end with the log');
  expect(relay).toContain('DATABASE_URL');
});

test('each setting is described, and its stated default is what it falls back to', () => {
  for (const setting of Object.values(SETTINGS)) {
    expect(setting.description).toMatch(/\.$/);
    expect(setting.name).toMatch(/^(?:PORT|DATABASE_URL|SENDSPEC_[A-Z_]+)$/);
    if (/^\d+$/.test(setting.default)) expect(setting.parse(setting.default)).toBe(setting.fallback);
  }
});

const shared = { DATABASE_URL: 'postgres://db/mail' };

test.each(['api', 'worker'])('a process of the role %s needs a database that it can share', (role) => {
  expect(faultsOf({ SENDSPEC_ROLE: role })).toEqual([
    `DATABASE_URL must be set when SENDSPEC_ROLE is ${role}: the embedded database belongs to one process, which does everything`,
  ]);
  expect(loadConfig({ ...shared, SENDSPEC_ROLE: role })).toMatchObject({ role });
});

test('a port of another process has to be known', () => {
  expect(faultsOf({ ...shared, SENDSPEC_ROLE: 'worker', SENDSPEC_WEB_PORT: '0' })).toEqual([
    expect.stringMatching(/^SENDSPEC_WEB_PORT must be the port of an API process/),
  ]);
  expect(faultsOf({ ...shared, SENDSPEC_ROLE: 'api', SENDSPEC_SMTP_PORT: '0' })).toEqual([
    expect.stringMatching(/^SENDSPEC_SMTP_PORT must be the port of a worker/),
  ]);
});

test('the port of the DNS server must be its own; days of the log are whole ones', () => {
  expect(faultsOf({ SENDSPEC_DNS_PORT: '2525', SENDSPEC_LOG_RETENTION_DAYS: '2' })).toHaveLength(2);
  expect(faultsOf({ SENDSPEC_DNS_PORT: '2525' })).toEqual([
    'SENDSPEC_DNS_PORT must differ from SENDSPEC_SMTP_PORT: both are 2525',
  ]);
  expect(loadConfig({ SENDSPEC_DNS_PORT: '0', SENDSPEC_LOG_RETENTION_DAYS: '7' })).toMatchObject({
    dnsPort: 0,
    logRetentionDays: 7,
  });
});
