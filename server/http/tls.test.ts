import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartupError } from '../errors.ts';
import { createAuthority, createServerCertificate } from './local-ca.ts';
import { loadTls } from './tls.ts';

const NOW = new Date();
const LATER = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendspec-tls-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function local(now = NOW) {
  const material = await loadTls({ kind: 'local' }, folder, now);
  if (material?.caFile === undefined) throw new Error('nothing was made');
  return { ...material, ca: await readFile(material.caFile, 'utf8') };
}

/** Connects to a server with that certificate; resolves with the status or the error's code. */
async function connect(served: { cert: string; key: string }, ca: string, url: string, servername?: string) {
  const server = createServer(served, (_request, response) => response.end('hello'));
  const { hostname } = new URL(url);
  const host = hostname === '[::1]' ? '::1' : '127.0.0.1';
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve) => {
      const options = {
        host,
        port,
        ca,
        servername: servername ?? hostname,
        agent: false,
        headers: { host: hostname },
      };
      request(
        { ...options, ...(hostname === 'localhost' ? {} : { servername: servername ?? '' }) },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        },
      )
        .on('error', (error) => resolve(error.message))
        .end();
    });
  } finally {
    server.close();
  }
}

test('clients that trust the local authority reach localhost, 127.0.0.1 and ::1', async () => {
  const made = await local();
  expect(await connect(made, made.ca, 'https://localhost')).toBe(200);
  expect(await connect(made, made.ca, 'https://127.0.0.1')).toBe(200);
  expect(await connect(made, made.ca, 'https://[::1]')).toBe(200);
});

test('clients that do not trust it refuse', async () => {
  const made = await local();
  const other = await createAuthority(NOW);
  expect(await connect(made, other.cert, 'https://localhost')).toMatch(/unable to verify|certificate/);
});

test('the authority vouches for no other name', async () => {
  const made = await local();
  const key = await readFile(join(folder, 'tls/ca-key.pem'), 'utf8');
  const foreign = await createServerCertificate({ cert: made.ca, key }, NOW, [
    { type: 'dns', value: 'bank.example' },
  ]);
  expect(await connect(foreign, made.ca, 'https://localhost', 'bank.example')).toMatch(
    /permitted subtree violation/,
  );
});

test('keys are for the owner alone', async () => {
  await local();
  for (const name of ['key.pem', 'ca-key.pem']) {
    expect((await stat(join(folder, 'tls', name))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(join(folder, 'tls/ca.pem'))).mode & 0o777).toBe(0o644);
});

test('a second start presents the same certificate', async () => {
  const first = await local();
  const second = await local(LATER(300));
  expect(second).toEqual(first);
});

test('the certificate is renewed a month before it expires, under the same authority', async () => {
  const first = await local();
  const renewed = await local(LATER(370));
  expect(renewed.ca).toBe(first.ca);
  expect(renewed.cert).not.toBe(first.cert);
  expect(renewed.expiresAt.getTime()).toBeGreaterThan(LATER(700).getTime());
  expect(new X509Certificate(renewed.cert).checkIssued(new X509Certificate(first.ca))).toBe(true);
});

test('an authority that is about to expire is replaced with everything under it', async () => {
  const first = await local();
  const renewed = await local(LATER(3640));
  expect(renewed.ca).not.toBe(first.ca);
  expect(new X509Certificate(renewed.cert).checkIssued(new X509Certificate(renewed.ca))).toBe(true);
});

test('what was deleted is made again', async () => {
  const first = await local();
  await rm(join(folder, 'tls/cert.pem'));
  const again = await local();
  expect(again.ca).toBe(first.ca);
  await rm(join(folder, 'tls/ca-key.pem'));
  const afresh = await local();
  expect(afresh.ca).not.toBe(first.ca);
  expect(await connect(afresh, afresh.ca, 'https://localhost')).toBe(200);
});

test.each(['ca.pem', 'ca-key.pem', 'cert.pem', 'key.pem'])(
  'a damaged %s is named, with what to do',
  async (name) => {
    await local();
    await writeFile(join(folder, 'tls', name), '-----BEGIN nothing');
    const fault = await local().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StartupError);
    expect(String(fault)).toContain(`${name} is damaged`);
    expect(fault).toHaveProperty('hint', expect.stringContaining('Delete the folder'));
  },
);

test("a key of another certificate is damage, not a surprise on the first client's visit", async () => {
  await local();
  const other = await createAuthority(NOW);
  await writeFile(join(folder, 'tls/key.pem'), other.key);
  await expect(local()).rejects.toThrow('key.pem is damaged');
});

test('a folder that cannot be written to is named', async () => {
  await writeFile(join(folder, 'tls'), 'a file in the way');
  await expect(local()).rejects.toThrow(/cannot (?:read|write) .*tls/);
});

test("the operator's own files are checked", async () => {
  const { cert, key } = await local();
  const other = await createAuthority(NOW);
  const files = { kind: 'files' as const, cert: join(folder, 'own.pem'), key: join(folder, 'own-key.pem') };
  const load = () => loadTls(files, folder, NOW);
  await expect(load()).rejects.toThrow('own.pem: there is no such file');
  await writeFile(files.cert, 'nonsense');
  await writeFile(files.key, 'nonsense');
  await expect(load()).rejects.toThrow('own.pem is not a PEM certificate');
  await writeFile(files.cert, cert);
  await expect(load()).rejects.toThrow('own-key.pem is not a PEM private key');
  const locked = createPrivateKey(key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  await writeFile(files.key, locked);
  await expect(load()).rejects.toThrow('without a passphrase');
  await writeFile(files.key, createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  await expect(load()).rejects.toThrow('own-key.pem is not a PEM private key');
  await writeFile(files.key, other.key);
  await expect(load()).rejects.toThrow('is not the key of');
  await writeFile(files.key, key);
  expect(await load()).toMatchObject({ cert, key, caFile: undefined });
});

test('behind a proxy and without encryption nothing is made', async () => {
  expect(await loadTls({ kind: 'proxy' }, folder, NOW)).toBeUndefined();
  expect(await loadTls({ kind: 'insecure' }, folder, NOW)).toBeUndefined();
  await expect(stat(join(folder, 'tls'))).rejects.toThrow('ENOENT');
});

test('processes that start in one folder at the same moment get the same certificate', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => local()));
  expect(new Set(made.map(({ cert }) => cert)).size).toBe(1);
  expect(new Set(made.map(({ ca }) => ca)).size).toBe(1);
  expect(await local()).toEqual(made[0]);
});
