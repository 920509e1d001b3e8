import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from '../server/sandbox/target.ts';
import type { BenchContext } from './context.ts';
import { endProcess, spawnService } from './processes.ts';

/** A running service of ours, as `npm start` runs it, on ports of its own. */
export interface RunningService {
  pid: number;
  target: Target;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 10;

/** Starts the service in a folder and waits until it has written its target file, which it does when it is ready. */
export async function startServiceIn(
  context: BenchContext,
  folder: string,
  settings: Record<string, string>,
): Promise<RunningService> {
  const targetFile = join(folder, 'target.json');
  await rm(targetFile, { force: true });
  const child = spawnService(context, {
    SENDSPEC_DATA_DIR: folder,
    PORT: '0',
    SENDSPEC_WEB_PORT: '0',
    SENDSPEC_SMTP_PORT: '0',
    SENDSPEC_OPS_PORT: '0',
    SENDSPEC_RATE_LIMIT: '0',
    ...settings,
  });
  const deadline = performance.now() + TIMEOUT_MS;
  while (!existsSync(targetFile)) {
    if (child.exitCode !== null) throw new Error('the service ended while it started; see its message above');
    if (performance.now() > deadline) throw new Error('the service did not get ready in time');
    await wait(POLL_MS);
  }
  const target = JSON.parse(await readFile(targetFile, 'utf8')) as Target;
  return { pid: child.pid ?? 0, target, stop: () => endProcess(child) };
}
