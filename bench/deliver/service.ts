import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../server/testing/free-port.ts';
import type { BenchContext } from '../context.ts';
import { endProcess, spawnService } from '../processes.ts';

/** A process of the service that delivers to a sink. */
export interface DeliveringService {
  pid: number;
  /** Of the API, where the role has it. */
  apiUrl: string;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/** Starts a process of a role on a database and waits until it is ready. Over plain HTTP: encryption is not what is measured. */
export async function startRole(
  context: BenchContext,
  role: 'all' | 'api' | 'worker',
  parts: { databaseUrl: string; folder: string; sinkPort: number },
): Promise<DeliveringService> {
  const [apiPort, opsPort] = [await freePort(), await freePort()];
  const child = spawnService(context, {
    SENDSPEC_ROLE: role,
    DATABASE_URL: parts.databaseUrl,
    SENDSPEC_DATA_DIR: join(parts.folder, `${role}-${opsPort}`),
    SENDSPEC_INSECURE_HTTP: '1',
    SENDSPEC_RATE_LIMIT: '0',
    SENDSPEC_DELIVERY: 'relay',
    SENDSPEC_SMTP_URL: `smtp://127.0.0.1:${parts.sinkPort}`,
    SENDSPEC_WEB_URL: 'https://links.sendspec.test',
    SENDSPEC_WEBHOOK_ALLOW_PRIVATE: '1',
    PORT: String(apiPort),
    SENDSPEC_OPS_PORT: String(opsPort),
    SENDSPEC_WEB_PORT: '0',
    SENDSPEC_SMTP_PORT: '0',
  });
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isReady(opsPort))) {
    if (child.exitCode !== null) throw new Error('the service ended while it started; see its message above');
    if (performance.now() > deadline) throw new Error('the service did not get ready in time');
    await wait(POLL_MS);
  }
  return { pid: child.pid ?? 0, apiUrl: `http://127.0.0.1:${apiPort}`, stop: () => endProcess(child) };
}

async function isReady(opsPort: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => undefined);
  return answer?.ok === true;
}
