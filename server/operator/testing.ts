import { createServer } from 'node:http';
import { vi } from 'vitest';
import { runCli } from '../cli.ts';
import { closeWebServer, listen } from '../http/listen.ts';
import { createHealth } from '../operations/health.ts';
import { createOperationsListener } from '../operations/listener.ts';
import { createLogger } from '../operations/logger.ts';
import { createMetrics } from '../operations/metrics.ts';
import { openTestStore } from '../store/testing.ts';
import { createOperatorRoutes } from './routes.ts';

export type TestOperator = Awaited<ReturnType<typeof openTestOperator>>;

/** A store behind a real operations listener, and the commands as an operator types them. `close` returns what was logged as faulty. */
export async function openTestOperator() {
  const parts = await openTestStore();
  const faults: string[] = [];
  const server = createServer(
    createOperationsListener({
      health: createHealth({}),
      metrics: createMetrics(),
      logger: createLogger('error', { write: (line) => void faults.push(line) }),
      extra: createOperatorRoutes(() => parts),
    }),
  );
  const address = { host: '127.0.0.1', port: 0 };
  const port = await listen(server, address, { what: 'the test', portSetting: 'SENDSPEC_OPS_PORT' });
  return {
    parts,
    port,
    env: { SENDSPEC_OPS_PORT: String(port) },
    async type(...args: string[]): Promise<{ code: number; out: string; err: string }> {
      let [out, err] = ['', ''];
      const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
        out += String(chunk);
        return true;
      });
      const error = vi.spyOn(console, 'error').mockImplementation((line) => {
        err += `${line}\n`;
      });
      const code = await runCli(args, { SENDSPEC_OPS_PORT: String(port) });
      write.mockRestore();
      error.mockRestore();
      return { code, out, err };
    },
    async close(): Promise<string[]> {
      await closeWebServer(server, 0);
      await parts.close();
      return faults;
    },
  };
}
