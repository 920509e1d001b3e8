import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../server/testing/free-port.ts';
import { forgeries, newSecret, notification, type SentNotification } from './notifications.ts';

// The receiver that the guide shows, as a process of its own.
const [current, former] = [newSecret(), newSecret()];
const port = await freePort();
const receiver = spawn(
  process.execPath,
  [
    '--import',
    new URL('../samples/own-package.ts', import.meta.url).href,
    fileURLToPath(new URL('receiver.ts', import.meta.url)),
  ],
  {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRETS: `${current} ${former}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
let printed = '';
receiver.stdout.on('data', (text: Buffer) => {
  printed += text.toString();
});
beforeAll(() => vi.waitFor(() => post({ headers: {}, body: '' }), { timeout: 60_000 }));
afterAll(() => receiver.kill());

async function post({ headers, body }: SentNotification): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
}

test('what the service sends is received, once', async () => {
  const sent = await notification('message.click', [current]);
  expect(await post(sent)).toBe(204);
  expect(await post(sent)).toBe(204);
  expect(printed).toBe('message.click ada@customer.test\n');
});

test('during a rotation either secret will do', async () => {
  expect(await post(await notification('message.open', [former]))).toBe(204);
  expect(await post(await notification('message.open', [newSecret(), current]))).toBe(204);
});

test('what somebody else sends is not', async () => {
  for (const [what, sent] of Object.entries(await forgeries(current))) {
    expect([what, await post(sent)]).toEqual([what, 400]);
  }
});
