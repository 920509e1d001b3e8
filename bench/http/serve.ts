import { listen } from '../../server/http/listen.ts';
import { createListener } from '../../server/http/listener.ts';
import { listenerOf } from './arms.ts';
import { type Arm, emptyParts, partsOnStore } from './parts.ts';

// A server process of its own: node bench/http/serve.ts '{"arm":"express","databaseUrl":"..."}'

/** Which arm is served; without a database its handlers are empty. */
export interface ServeOptions {
  arm: Arm;
  databaseUrl?: string | undefined;
}

/** What the process says once it listens. */
export interface ServeGreeting {
  port: number;
}

const { arm, databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as ServeOptions;
const parts = databaseUrl === undefined ? emptyParts(arm) : await partsOnStore(arm, databaseUrl);
const server = createListener(listenerOf(arm, parts));
const port = await listen(
  server,
  { host: '127.0.0.1', port: 0 },
  { what: `the arm ${arm}`, portSetting: 'port' },
);
const greeting: ServeGreeting = { port };
process.send?.(greeting);
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
