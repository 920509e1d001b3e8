import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Target } from '../sandbox/target.ts';
import { emptyDatabase } from '../store/testing-template.ts';

// For tests that come through the front door: the service as its own process, as people start it.

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const LAST_LINE = 'Ctrl-C stops it.';

/** Where a service of its own keeps its data. */
export interface TestDatabase {
  /** What the service is told. */
  env: Record<string, string>;
  drop(): Promise<void>;
}

/**
 * A new database on the PostgreSQL of `DATABASE_URL`; without that, the embedded one in the service's folder. For a test that
 * is not about a first start it lies there already: without tables, but ready to be opened.
 */
export async function createDatabase(folder?: string): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL ?? '';
  if (server === '') {
    if (folder !== undefined) await unpackDatabase(join(folder, 'data/database'));
    return { env: {}, drop: async () => {} };
  }
  const name = `sendspec_test_${randomUUIDv7().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    env: { DATABASE_URL: url.href },
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

/** Saves the service the making of its database, which takes several seconds of a core. */
export async function unpackDatabase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await execute('tar', ['-xf', await emptyDatabase(), '-C', folder]);
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running (or failed) `node server/main.ts`. */
export interface ServiceProcess {
  readonly pid: number;
  /** What people see. */
  stdout(): string;
  /** The log, and faults. */
  stderr(): string;
  /** Resolves once it ended. */
  exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the service in a folder, with any free ports unless others are given; nothing else of this process's environment reaches it. */
export function launch(folder: string, env: Record<string, string> = {}): ServiceProcess {
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      SENDSPEC_OPS_PORT: '0',
      SENDSPEC_SMTP_PORT: '0',
      SENDSPEC_WEB_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk));
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited: exitOf(child),
    kill: (signal) => child.kill(signal),
  };
}

/** Starts the service and waits until it has said that it runs. */
export async function start(folder: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = launch(folder, env);
  const ended = service.exited.then((exit) => {
    throw new Error(`the service ended (${JSON.stringify(exit)}): ${service.stderr()}`);
  });
  await Promise.race([eventually(() => service.stdout().includes(LAST_LINE)), ended]);
  ended.catch(() => undefined);
  return service;
}

/** Ends the service as Ctrl-C does. */
export async function stop(service: ServiceProcess): Promise<Exit> {
  service.kill('SIGINT');
  return await service.exited;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
}

/** Asks again and again until the answer is truthy, and returns it. The time-out of the test ends the waiting. */
export async function eventually<T>(ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const execute = promisify(execFile);

/** Runs what a person would paste into a terminal in that folder. */
export async function paste(folder: string, commands: string): Promise<string> {
  const { stdout } = await execute('bash', ['-euc', commands], { cwd: folder });
  return stdout;
}

/** The command that the banner prints under a heading. */
export function commandUnder(banner: string, heading: string): string {
  const [, after = ''] = banner.split(`${heading}:\n\n`);
  return after.split('\n\n')[0] ?? '';
}

export async function readTarget(folder: string): Promise<Target> {
  return JSON.parse(await readFile(join(folder, 'data/target.json'), 'utf8'));
}

/** A request to the API or to the operations listener, trusting the folder's own certificate authority. */
export async function call(
  folder: string,
  method: string,
  url: string,
  options: { authorization?: string; body?: unknown } = {},
): Promise<{ status: number; body: { data?: unknown; [name: string]: unknown } }> {
  if (url.startsWith('http:')) return await callPlain(method, url, options.body);
  const ca = await readFile(join(folder, 'data/tls/ca.pem'), 'utf8');
  const headers = options.authorization === undefined ? {} : { authorization: options.authorization };
  return await new Promise((resolve, reject) => {
    const outgoing = request(url, { method, ca, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    outgoing.on('error', reject);
    outgoing.end(options.body === undefined ? undefined : JSON.stringify(options.body));
  });
}

async function callPlain(method: string, url: string, body: unknown) {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** The Basic credentials of the demo's first account. */
export function basicOf(target: Target): string {
  const account = target.tenants[0]?.accounts[0];
  return `Basic ${Buffer.from(`${account?.account_id}:${account?.api_key}`).toString('base64')}`;
}

/** Logs the demo's first user in and returns his Bearer credentials. */
export async function bearerOf(folder: string, target: Target): Promise<string> {
  const { email, password } = target.tenants[0] ?? {};
  const { status, body } = await call(folder, 'POST', `${target.base_url}/v1/login`, {
    body: { email, password, grant_type: 'password' },
  });
  if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`);
  return `Bearer ${body.access_token}`;
}
