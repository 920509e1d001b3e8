import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { createLogger } from '../operations/logger.ts';
import { type Service, startService } from '../service.ts';
import { createDatabase, eventually, type TestDatabase } from '../testing/service-process.ts';
import { BROWSER, readMail } from './testing.ts';

// The whole service over HTTPS, with the certificate authority that it made for itself.

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-stop-'));
  database = await createDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start() {
  const config = loadConfig({
    ...database.env,
    PORT: '0',
    SENDSPEC_HOST: '127.0.0.1',
    SENDSPEC_WEB_PORT: '0',
    SENDSPEC_SMTP_PORT: '0',
    SENDSPEC_OPS_PORT: '0',
    SENDSPEC_DATA_DIR: folder,
  });
  const faults: string[] = [];
  const service = await startService(
    config,
    createLogger('error', { write: (line) => void faults.push(line) }),
  );
  const base = `https://127.0.0.1:${service.addresses.apiPort}`;
  const stop = async () => {
    await service.stop();
    expect(faults).toEqual([]);
  };
  return { service, base, stop };
}

async function fetchSecurely(url: string, options: { authorization?: string; body?: unknown } = {}) {
  const { authorization, body } = options;
  const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
  const headers = { 'user-agent': BROWSER, ...(authorization === undefined ? {} : { authorization }) };
  const method = body === undefined ? 'GET' : 'POST';
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(url, { method, ca, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function bearerOf(service: Service, base: string): Promise<string> {
  const { email, password } = service.tenants[0] ?? {};
  const { text } = await fetchSecurely(`${base}/v1/login`, {
    body: { email, password, grant_type: 'password' },
  });
  return `Bearer ${JSON.parse(text).access_token}`;
}

test('what was answered before a stop is known after it', async () => {
  const first = await start();
  const [account] = first.service.tenants[0]?.accounts ?? [];
  const basic = Buffer.from(`${account?.account_id}:${account?.api_key}`).toString('base64');
  const to = 'ada@customer.test';
  const message = {
    from: { email: 'hello@demo.test' },
    to: [{ email: to }],
    subject: 'x',
    track_opens: true,
  };
  const sent = await fetchSecurely(`${first.base}/v1/send_email`, {
    authorization: `Basic ${basic}`,
    body: [{ ...message, body: { html: '<p>Hello' } }],
  });
  const [{ message_id }] = JSON.parse(sent.text).data;
  const inbox = `http://127.0.0.1:${first.service.addresses.opsPort}/sandbox/messages?to=${to}`;
  const raw = await eventually(
    async () => (await (await fetch(inbox)).json()).messages[0]?.raw as string | undefined,
  );
  const [pixel = ''] = (await readMail(raw)).pixels;
  expect(pixel.startsWith(`${first.service.webUrl}/o/`)).toBe(true);
  expect(pixel).toMatch(/^https:/);
  const answers = await Promise.all(Array.from({ length: 50 }, () => fetchSecurely(pixel)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await first.stop();

  const second = await start();
  const authorization = await bearerOf(second.service, second.base);
  const events = await fetchSecurely(`${second.base}/v1/messages/${message_id}/events?limit=1000`, {
    authorization,
  });
  const types: string[] = JSON.parse(events.text).data.map(({ type }: { type: string }) => type);
  expect(types.filter((type) => type === 'open')).toHaveLength(50);
  await second.stop();
});
