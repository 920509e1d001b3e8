import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BenchContext } from './context.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What the script `start` of package.json gives to node; its options hold for everything that is compared. */
const START_ARGUMENTS = startArguments();
const NODE_OPTIONS = START_ARGUMENTS.filter((argument) => argument.startsWith('--'));
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const SAMPLE_MS = 25;

/** Processes that were told to end. */
const ending = new WeakSet<ChildProcess>();

/** A helper process that is spoken to by messages. */
export interface Helper<Request, Answer> {
  pid: number;
  ask(request: Request): Promise<Answer>;
}

/**
 * Starts a script of ours in a process of its own. Its arguments go as JSON, its first message says that it is ready and
 * is returned as `greeting`.
 */
export async function startHelper<Greeting, Request = never, Answer = never>(
  context: BenchContext,
  script: string,
  options: object,
): Promise<{ greeting: Greeting; helper: Helper<Request, Answer> }> {
  const child = spawn(process.execPath, [...profiling(), ...NODE_OPTIONS, script, JSON.stringify(options)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  context.defer(() => endProcess(child));
  const ask = async (request: Request): Promise<Answer> => {
    child.send(Object(request));
    return nextMessage<Answer>(child, script);
  };
  const greeting = await nextMessage<Greeting>(child, script, START_TIMEOUT_MS);
  return { greeting, helper: { pid: child.pid ?? 0, ask } };
}

/** Starts the service as `npm start` does, with nothing in its environment but these settings. */
export function spawnService(context: BenchContext, settings: Record<string, string>): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...profiling(), ...START_ARGUMENTS], {
    cwd: ROOT,
    env: { PATH, HOME, SENDSPEC_LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.once('exit', (code, signal) => {
    if (!ending.has(child))
      context.progress(`the service ended by itself with ${signal ?? `exit code ${code}`}`);
  });
  context.defer(() => endProcess(child));
  return child;
}

/** Ends a process in order, and by force when it does not want to. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  ending.add(child);
  const ended = once(child, 'exit');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(force);
}

/** Memory of a process in megabytes (2^20 bytes) that is really in RAM. */
export async function residentMegabytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  } catch {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) / 1024;
  }
}

/** Does something, and looks at the resident memory of a process all the while; returns its highest. */
export async function whileWatching<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; peak: number }> {
  let peak = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentMegabytes(pid));
      await wait(SAMPLE_MS);
    }
  };
  const watching = watch();
  const result = await work().finally(() => {
    isOver = true;
  });
  await watching;
  return { result, peak };
}

function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [command, ...rest] = String(scripts.start).split(' ');
  if (command !== 'node') throw new Error('the script "start" of package.json does not begin with node');
  return rest;
}

// BENCH_PROFILE=folder writes a CPU profile of every process that is measured.
function profiling(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

function nextMessage<Message>(child: ChildProcess, script: string, timeoutMs?: number): Promise<Message> {
  return new Promise((resolve, reject) => {
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => finish(() => reject(new Error(`${script} did not start in time`))), timeoutMs);
    const onMessage = (message: unknown) => finish(() => settle(message));
    const onExit = () => finish(() => reject(new Error(`${script} ended; see its message above`)));
    child.on('message', onMessage).on('exit', onExit);

    function finish(outcome: () => void): void {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      outcome();
    }
    function settle(message: unknown): void {
      // Both ends of the pipe are ours: what arrives is what the script sends.
      resolve(message as Message);
    }
  });
}
