import { relative } from 'node:path';
import type { Config } from './config.ts';
import { DOCS_PATH } from './docs/site.ts';
import { type Addresses, baseUrlOf, opsUrlOf, type TargetTenant } from './sandbox/target.ts';

/** What people are told at the start. */
export interface BannerParts {
  config: Config;
  addresses: Addresses;
  smtpPort: number | undefined;
  dnsPort: number | undefined;
  /** What the links in mails begin with. */
  webUrl: string;
  caFile: string | undefined;
  /** The demo organisations, in sandbox mode. */
  tenants: readonly TargetTenant[];
}

const EMBEDDED_WARNING = `The embedded database is safe against a killed process, not against power loss.
Use PostgreSQL (DATABASE_URL) for mail that matters.`;
const SAMPLE_RECIPIENT = 'someone@example.test';

/** The text that `npm start` prints once the service is up: where things are, and how to send a first mail. */
export function banner({
  config,
  addresses,
  smtpPort,
  dnsPort,
  webUrl,
  caFile,
  tenants,
}: BannerParts): string {
  const ops = opsUrlOf(addresses);
  const answers = config.role !== 'worker';
  const places: [string, string][] = [
    ['Health, metrics', `${ops}/healthz  ${ops}/readyz  ${ops}/metrics`],
    ['Mail goes', whereMailGoes(config, smtpPort)],
    ['Links in mails', webUrl],
    ['Data', shownPath(config.dataDir)],
  ];
  if (answers) {
    places.unshift(['API', baseUrlOf(addresses)], ['Documentation', `${webUrl}${DOCS_PATH}/`]);
  }
  if (dnsPort !== undefined) places.push(['DNS zone', `${config.mailHostname}, port ${dnsPort} (UDP, TCP)`]);
  if (caFile !== undefined) places.push(['Certificate authority', shownPath(caFile)]);
  const [tenant] = tenants;
  if (tenant !== undefined) {
    places.push(
      ['Inbox of the sandbox', `${ops}/sandbox/messages`],
      ['Demo user', `${tenant.email}, password ${tenant.password}`],
      ['All credentials', shownPath(`${config.dataDir}/target.json`)],
    );
  }
  const width = Math.max(...places.map(([label]) => label.length));
  const table = places.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n');
  const what = config.role === 'all' ? 'sendspec' : `sendspec (${config.role})`;
  const parts = [`${what} is running.`, table];
  if (config.databaseUrl === undefined) parts.push(EMBEDDED_WARNING);
  if (tenant !== undefined) parts.push(firstMail(tenant, addresses, caFile));
  else if (answers) parts.push(registration(addresses));
  return `\n${parts.join('\n\n')}\n\nCtrl-C stops it.\n`;
}

/** Outside of the sandbox there is nobody yet. */
function registration(addresses: Addresses): string {
  return `The first user registers an organisation with POST ${baseUrlOf(addresses)}/v1/register.`;
}

function whereMailGoes({ delivery }: Config, smtpPort: number | undefined): string {
  switch (delivery.mode) {
    case 'sandbox':
      return `to the built-in sink at smtp://127.0.0.1:${smtpPort}; none leaves this machine`;
    case 'relay':
      return `to the relay ${URL.parse(delivery.url)?.host ?? ''}`;
    case 'mx':
      return 'to the servers of the recipients';
  }
}

function firstMail(tenant: TargetTenant, addresses: Addresses, caFile: string | undefined): string {
  const [account] = tenant.accounts;
  const message = [
    {
      from: { email: tenant.from_email, name: 'Demo' },
      to: [{ email: SAMPLE_RECIPIENT }],
      subject: 'First mail',
      body: { text: 'It works.' },
    },
  ];
  const trust = caFile === undefined ? '' : ` --cacert ${quoted(shownPath(caFile))}`;
  const send = [
    `curl${trust} ${baseUrlOf(addresses)}/v1/send_email`,
    `-u ${quoted(`${account?.account_id}:${account?.api_key}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(message))}`,
  ].join(' \\\n    ');
  const look = `curl ${quoted(`${opsUrlOf(addresses)}/sandbox/messages?to=${SAMPLE_RECIPIENT}`)}`;
  return `Send a first mail:\n\n  ${send}\n\nSee it arrive:\n\n  ${look}`;
}

/** As it is typed in the folder that the service was started in, which is where the next terminal opens. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** For a POSIX shell, where nothing is special between single quotes but the quote itself. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
