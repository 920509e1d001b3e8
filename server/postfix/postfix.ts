import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority, createServerCertificate } from '../http/local-ca.ts';

export interface PostfixOptions {
  /** An empty folder for all that it has: settings, queue, mailboxes, log. */
  folder: string;
  port: number;
  /** The domain it has mailboxes for, and their names. */
  domain: string;
  mailboxes: readonly string[];
  /** A mailbox that it asks to be tried again later. */
  busyMailbox: string;
  /** Domains that it passes on: to a port of this machine each. */
  nextHops: Readonly<Record<string, number>>;
}

/** A Postfix of the test's own; that of the machine, if it has one, is left alone. */
export interface Postfix {
  /** The mails in a mailbox, oldest first. */
  mailsTo(mailbox: string): Promise<string[]>;
  log(): Promise<string>;
  stop(): Promise<void>;
}

const execute = promisify(execFile);
// Where Debian has it; not everybody's PATH leads there.
const POSTFIX = '/usr/sbin/postfix';
const NOBODY = 65_534;

/** Starts a Postfix with mailboxes, and domains that it passes on. */
export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const { folder, port } = options;
  const mail = join(folder, 'mail');
  await mkdir(mail);
  await chmod(mail, 0o777);
  const { cert, key } = await createServerCertificate(await createAuthority(new Date()), new Date());
  await writeFile(join(folder, 'tls.pem'), `${key}\n${cert}`);
  const { stop } = await startInstance(folder, port, mainSettings(options));
  return {
    mailsTo: (mailbox) => readMailbox(join(mail, mailbox, 'new')),
    log: () => readFile(join(folder, 'log'), 'utf8'),
    stop,
  };
}

/**
 * Starts a Postfix on a port of loopback, with a folder of its own and these settings beside its defaults. It has to start as
 * root, which it asks sudo for.
 */
export async function startInstance(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  // Its processes have users of their own, who have to get in.
  await chmod(folder, 0o755);
  const [etc, data, queue] = [join(folder, 'etc'), join(folder, 'data'), join(folder, 'queue')];
  for (const part of [etc, data, queue]) await mkdir(part);
  const all = {
    ...OWN_SETTINGS,
    queue_directory: queue,
    data_directory: data,
    maillog_file: join(folder, 'log'),
    maillog_file_prefixes: folder,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(join(etc, 'main.cf'), lines.join(''));
  await writeFile(join(etc, 'master.cf'), services(port));
  await asRoot('chown', 'postfix', data);
  await asRoot(POSTFIX, '-c', etc, 'start');
  return {
    stop: async () => {
      await asRoot(POSTFIX, '-c', etc, 'stop');
      await asRoot('chown', '-R', String(process.getuid?.()), folder);
    },
  };
}

/** On loopback, and nothing of the machine's own. */
const OWN_SETTINGS = {
  compatibility_level: '3.6',
  mydestination: '',
  mynetworks: '',
  inet_interfaces: '127.0.0.1',
  inet_protocols: 'ipv4',
  alias_maps: '',
};

function asRoot(command: string, ...args: string[]) {
  return process.getuid?.() === 0 ? execute(command, args) : execute('sudo', ['-n', command, ...args]);
}

async function readMailbox(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
}

function mainSettings({
  folder,
  domain,
  mailboxes,
  busyMailbox,
  nextHops,
}: PostfixOptions): Record<string, string> {
  const owner = process.getuid?.() || NOBODY;
  const boxes = mailboxes.map((name) => `{${name}@${domain} = ${name}/}`);
  const routes = Object.entries(nextHops).map(([name, port]) => `{${name} = smtp:[127.0.0.1]:${port}}`);
  return {
    myhostname: `mx.${domain}`,
    virtual_mailbox_domains: domain,
    virtual_mailbox_base: join(folder, 'mail'),
    virtual_mailbox_maps: `inline:{ ${boxes.join(', ')} }`,
    virtual_uid_maps: `static:${owner}`,
    virtual_gid_maps: `static:${owner}`,
    relay_domains: Object.keys(nextHops).join(', '),
    transport_maps: `inline:{ ${routes.join(', ')} }`,
    smtpd_recipient_restrictions: `check_recipient_access inline:{ {${busyMailbox}@${domain} = 450 4.2.0 Mailbox busy, try again later} }, reject_unauth_destination`,
    smtpd_tls_security_level: 'may',
    smtpd_tls_chain_files: join(folder, 'tls.pem'),
    smtpd_tls_received_header: 'yes',
    smtp_tls_security_level: 'may',
    smtp_tls_loglevel: '1',
    // What cannot be delivered at once comes back at once.
    maximal_queue_lifetime: '0',
    bounce_queue_lifetime: '0',
  };
}

/** As in the package's own file, without its cages (chroot), whose content belongs to the machine's Postfix. */
function services(port: number): string {
  return `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`.trimStart();
}
