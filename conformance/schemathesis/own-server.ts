import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './tool.ts';

/** A server of this project, started for one run. */
export interface OwnServer {
  targetFile: string;
  /** Ends it and removes what it kept. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const LAST_LINE = 'Ctrl-C stops it.';
// Any free ports; without a limit, for Schemathesis does not wait.
const SETTINGS = {
  PORT: '0',
  SENDSPEC_WEB_PORT: '0',
  SENDSPEC_SMTP_PORT: '0',
  SENDSPEC_OPS_PORT: '0',
  SENDSPEC_RATE_LIMIT: '0',
};

/**
 * Starts the service in a folder of its own, in sandbox mode, on the embedded database.
 * @throws SetupError when it does not start.
 */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-schemathesis-'));
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...SETTINGS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  let output = '';
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk).slice(-2000);
  });
  const started = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes(LAST_LINE)) resolve(true);
    });
    ended.then(() => resolve(false));
  });
  if (await started) return { targetFile: join(folder, 'data/target.json'), stop };
  await stop();
  throw new SetupError(`The service to be tested did not start:\n${log}`);
}
