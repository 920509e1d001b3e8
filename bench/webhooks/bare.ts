import { Pool } from 'undici';

// What notifications are compared with: node bench/webhooks/bare.ts '{"origin": ..., "connections": ...}'. It posts the bodies of a message in
// a bare loop over so many connections, and answers how many seconds that took.

export interface BareOptions {
  origin: string;
  connections: number;
}

const { origin, connections } = JSON.parse(process.argv[2] ?? '{}') as BareOptions;
const pool = new Pool(origin, { connections });
const headers = { 'content-type': 'application/json' };

process.on('message', (bodies: string[]) => void post(bodies));
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function post(bodies: string[]): Promise<void> {
  const startedAt = performance.now();
  let next = 0;
  const loop = async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const response = await pool.request({ path: '/', method: 'POST', headers, body });
      await response.body.text();
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  process.send?.((performance.now() - startedAt) / 1000);
}
