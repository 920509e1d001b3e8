import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startInstance } from '../../server/postfix/postfix.ts';
import { freePort } from '../../server/testing/free-port.ts';
import type { BenchContext } from '../context.ts';
import { POSTGRES_URL } from '../postgres.ts';
import { endProcess } from '../processes.ts';

// What comes with Postfix: a sink that takes all mail and forgets it, a source of mail, and Postfix itself.

const SINK = '/usr/sbin/smtp-sink';
const SOURCE = '/usr/sbin/smtp-source';
const SINK_BACKLOG = '1000';
const POLL_MS = 20;

/** Why figures of delivery cannot be taken here; undefined when they can. */
export function whyNoDelivery({ postgres }: BenchContext): string | undefined {
  if (postgres === undefined) return `no PostgreSQL at ${POSTGRES_URL}`;
  const isThere = existsSync(SINK) && existsSync(SOURCE);
  return isThere ? undefined : 'no Postfix on this machine (apt-get install postfix)';
}

/** Starts the sink in a process of its own; returns its port. */
export async function startSink(context: BenchContext): Promise<number> {
  const port = await freePort();
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(SINK, [...user, `127.0.0.1:${port}`, SINK_BACKLOG], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  context.defer(() => endProcess(child));
  while (!(await answers(port))) await wait(POLL_MS);
  return port;
}

/** A Postfix that relays everything to the sink. */
export interface Relay {
  /** Hands it so many mails of so many bytes, and waits until it has got rid of them; returns the mails per second. */
  relay(mails: number, bytes: number): Promise<number>;
}

/** Starts it, with its defaults: unsigned, and every mail on the disk before it is accepted. */
export async function startRelay(context: BenchContext, sinkPort: number, sessions: number): Promise<Relay> {
  const folder = await context.folder();
  const port = await freePort();
  const { stop } = await startInstance(folder, port, {
    myhostname: 'relay.example',
    mynetworks: '127.0.0.0/8',
    relayhost: `[127.0.0.1]:${sinkPort}`,
  });
  context.defer(stop);
  const waiting = async () => {
    const queues = ['incoming', 'active', 'deferred'].map((name) => filesIn(join(folder, 'queue', name)));
    return (await Promise.all(queues)).reduce((sum, files) => sum + files, 0);
  };
  return {
    async relay(mails, bytes) {
      const startedAt = performance.now();
      const load = ['-s', String(sessions), '-m', String(mails), '-l', String(bytes)];
      await promisify(execFile)(SOURCE, [
        ...load,
        '-f',
        'hello@demo.test',
        '-t',
        'ann@example.com',
        `127.0.0.1:${port}`,
      ]);
      while ((await waiting()) > 0) await wait(POLL_MS);
      return mails / ((performance.now() - startedAt) / 1000);
    },
  };
}

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
