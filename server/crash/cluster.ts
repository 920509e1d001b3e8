import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../testing/free-port.ts';

/** A PostgreSQL that belongs to the test, so that the test may do to it what it likes. */
export interface Cluster {
  url: string;
  /** Starts it again: `fast` ends every session in order, `immediate` is a crash, with recovery at the start. */
  restart(how: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

const execute = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** Makes a cluster in a folder of its own, with PostgreSQL's own defaults (every commit is on the disk), and starts it. */
export async function startCluster(): Promise<Cluster> {
  const tools = toolsFolder();
  const data = await mkdtemp(join(tmpdir(), 'sendspec-crash-postgresql-'));
  const port = await freePort();
  const owner = owningUser();
  const run = (tool: string, ...args: string[]) => execute(join(tools, tool), args, { cwd: data, ...owner });
  if (owner !== undefined) await chown(data, owner.uid, owner.gid);
  await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C');
  const options = `-p ${port} -k ${data} -c listen_addresses=127.0.0.1`;
  const control = (...args: string[]) =>
    run('pg_ctl', '-D', data, '-l', join(data, 'server.log'), '-o', options, '-w', ...args);
  await control('start');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async (how) => void (await control('-m', how, 'restart')),
    stop: async () => {
      await control('-m', 'immediate', 'stop');
      await rm(data, { recursive: true, force: true });
    },
  };
}

function toolsFolder(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = folders.find((path) => existsSync(join(path, 'initdb')));
  if (found === undefined)
    throw new Error('There is no initdb on this machine: install PostgreSQL (apt-get install postgresql).');
  return found;
}

/** PostgreSQL refuses to run as root; then it runs as the user of its package. */
function owningUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
