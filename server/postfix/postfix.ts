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
const NOBODY = 65_534;

/** Starts a Postfix on loopback. It has to start as root, which it asks sudo for. */
export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const { folder } = options;
  const mail = join(folder, 'mail');
  // Its processes have users of their own, who have to get in.
  await chmod(folder, 0o755);
  for (const part of ['etc', 'queue', 'data', 'mail']) await mkdir(join(folder, part));
  await chmod(mail, 0o777);
  const { cert, key } = await createServerCertificate(await createAuthority(new Date()), new Date());
  await writeFile(join(folder, 'etc/tls.pem'), `${key}\n${cert}`);
  await writeFile(join(folder, 'etc/main.cf'), mainSettings(options));
  await writeFile(join(folder, 'etc/master.cf'), services(options.port));
  await asRoot('chown', 'postfix', join(folder, 'data'));
  await asRoot('postfix', '-c', join(folder, 'etc'), 'start');
  const log = () => readFile(join(folder, 'log'), 'utf8');
  return {
    mailsTo: (mailbox) => readMailbox(join(mail, mailbox, 'new')),
    log,
    stop: async () => {
      await asRoot('postfix', '-c', join(folder, 'etc'), 'stop');
      await asRoot('chown', '-R', String(process.getuid?.()), folder);
    },
  };
}

function asRoot(command: string, ...args: string[]) {
  return process.getuid?.() === 0 ? execute(command, args) : execute('sudo', ['-n', command, ...args]);
}

async function readMailbox(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
}

function mainSettings({ folder, domain, mailboxes, busyMailbox, nextHops }: PostfixOptions): string {
  const owner = process.getuid?.() || NOBODY;
  const boxes = mailboxes.map((name) => `{${name}@${domain} = ${name}/}`);
  const routes = Object.entries(nextHops).map(([name, port]) => `{${name} = smtp:[127.0.0.1]:${port}}`);
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    maillog_file: join(folder, 'log'),
    maillog_file_prefixes: folder,
    myhostname: `mx.${domain}`,
    mydestination: '',
    mynetworks: '',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    alias_maps: '',
    virtual_mailbox_domains: domain,
    virtual_mailbox_base: join(folder, 'mail'),
    virtual_mailbox_maps: `inline:{ ${boxes.join(', ')} }`,
    virtual_uid_maps: `static:${owner}`,
    virtual_gid_maps: `static:${owner}`,
    relay_domains: Object.keys(nextHops).join(', '),
    transport_maps: `inline:{ ${routes.join(', ')} }`,
    smtpd_recipient_restrictions: `check_recipient_access inline:{ {${busyMailbox}@${domain} = 450 4.2.0 Mailbox busy, try again later} }, reject_unauth_destination`,
    smtpd_tls_security_level: 'may',
    smtpd_tls_chain_files: join(folder, 'etc/tls.pem'),
    smtpd_tls_received_header: 'yes',
    smtp_tls_security_level: 'may',
    smtp_tls_loglevel: '1',
    // What cannot be delivered at once comes back at once.
    maximal_queue_lifetime: '0',
    bounce_queue_lifetime: '0',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
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
