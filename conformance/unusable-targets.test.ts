import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAuthority, createServerCertificate } from '../server/http/local-ca.ts';

// What stands at the address of a target may be anything. Each case goes through the command line: exit code 2, one clear
// message, no stack trace, and never a pass.

let folder: string;
const open: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unusable-'));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});
afterAll(() => rm(folder, { recursive: true }));

const ACCOUNT = {
  account_id: '0b1f7a52-1111-4222-8333-444455556666',
  api_key: 'key-of-nobody',
  type: 'marketing',
};
const TENANT = {
  email: 'owner@example.test',
  password: 'a secret that nobody may read',
  from_email: 'hello@example.test',
  domain_id: '0b1f7a52-1111-4222-8333-444455556667',
  accounts: [ACCOUNT],
};

async function listening(server: Server): Promise<number> {
  open.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const overHttp = (listener: RequestListener) => listening(createHttpServer(listener));
const overTcp = (onSocket: (socket: Socket) => void) => listening(createTcpServer(onSocket));

interface Outcome {
  code: number;
  text: string;
}

function run(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['conformance/main.ts', ...args],
      { timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code ?? -1);
        resolve({ code, text: `${stdout}${stderr}` });
      },
    );
  });
}

async function judge(target: unknown, args: readonly string[] = []): Promise<Outcome> {
  const file = join(folder, `target-${Math.random().toString(36).slice(2)}.json`);
  await writeFile(file, typeof target === 'string' ? target : JSON.stringify(target));
  return await run(['--target', file, ...args]);
}

const at = (port: number, more: object = {}) => ({
  base_url: `http://127.0.0.1:${port}`,
  tenants: [TENANT],
  ...more,
});

function expectRefusal({ code, text }: Outcome, ...said: (string | RegExp)[]): void {
  for (const part of said) expect(text).toMatch(part);
  expect(text).not.toMatch(/^\s+at .+:\d+:\d+/m);
  expect(text).not.toContain(TENANT.password);
  expect(text).not.toContain(ACCOUNT.api_key);
  expect(code).toBe(2);
}

test('nothing listens at the address', async () => {
  const port = await overTcp(() => {});
  await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
  expectRefusal(await judge(at(port)), /nothing answers there/, /Is the server running/);
});

test('a web page stands there', async () => {
  const port = await overHttp((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Hi</h1>'),
  );
  expectRefusal(await judge(at(port)), /not JSON \(text\/html\)/, /Is base_url the address of the API/);
});

test('another API stands there', async () => {
  const port = await overHttp((_request, response) => response.writeHead(404).end('{"message": "no route"}'));
  expectRefusal(await judge(at(port)), /has no endpoint POST \/v1\/login/);
});

test('the server fails at everything', async () => {
  const port = await overHttp((_request, response) => response.writeHead(503).end('{}'));
  expectRefusal(await judge(at(port)), /answered POST \/v1\/login with 503/);
});

test('the server never answers', async () => {
  const port = await overHttp(() => {});
  expectRefusal(await judge(at(port), ['--timeout', '2']), /no whole response within 2 seconds/);
});

test('the server drips its answer for ever', async () => {
  const port = await overHttp((_request, response) => {
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  });
  expectRefusal(await judge(at(port), ['--timeout', '2']), /no whole response within 2 seconds/);
});

test('the server resets every connection', async () => {
  const port = await overTcp((socket) => socket.resetAndDestroy());
  expectRefusal(await judge(at(port)), /the connection broke before a response came/);
});

test('the server closes half-way through the answer', async () => {
  const port = await overTcp((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"token_type"')),
  );
  expectRefusal(await judge(at(port)), /the connection broke after 13 bytes of the body of a 200/);
});

test('what comes back is not HTTP', async () => {
  const port = await overTcp((socket) => socket.end('220 mail.example.test ESMTP\r\n'));
  expectRefusal(await judge(at(port)), /what came back is not HTTP/);
});

test('the credentials are wrong', async () => {
  const port = await overHttp((_request, response) => response.writeHead(401).end('{}'));
  expectRefusal(await judge(at(port)), /refuses email and password of tenants\[0\]/);
});

test('the rate limit never lets the run in', async () => {
  const port = await overHttp((_request, response) =>
    response.writeHead(429, { 'retry-after': '86400' }).end('{}'),
  );
  expectRefusal(await judge(at(port)), /the rate limit asks to wait 86400 seconds/);
});

test('the certificate has expired, is for another name, or from an unknown authority', async () => {
  const now = new Date();
  const authority = await createAuthority(now);
  const longAgo = new Date(now.getTime() - 400 * 86_400_000);
  const expired = await createServerCertificate(authority, longAgo);
  const renamed = await createServerCertificate(authority, now, [{ type: 'dns', value: 'localhost' }]);
  const foreign = await createServerCertificate(await createAuthority(now), now);
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const cases = [
    { certificate: expired, said: /expired/ },
    { certificate: renamed, said: /does not match|altnames/i },
    { certificate: foreign, said: /unable to verify|issuer|self-signed/i },
  ];
  for (const { certificate, said } of cases) {
    const port = await listening(createHttpsServer(certificate));
    const target = { base_url: `https://127.0.0.1:${port}`, ca_file: caFile, tenants: [TENANT] };
    expectRefusal(await judge(target), /the TLS connection failed/, said);
  }
});

test.each([
  ['no JSON', '{"base_url": ', /is not JSON/],
  ['an empty file', '', /is not JSON/],
  ['a typing error', { ...at(1), base_ulr: 'x' }, /"base_ulr" is not known here/],
  ['a missing part', { base_url: 'http://localhost' }, /"tenants" is missing/],
  ['no account', at(1, { tenants: [{ ...TENANT, accounts: [] }] }), /tenants\.0\.accounts/],
  ['no address', { base_url: 'mail.example.test', tenants: [TENANT] }, /base_url/],
  ['an unknown profile', at(1, { profiles: ['core', 'everything'] }), /must be one of core, extensions/],
  ['a hook that webhooks need', at(1, { webhooks: { registration: 'hook' } }), /"hooks" is missing/],
  ['a ca_file that is not there', at(1, { ca_file: 'nowhere.pem' }), /ca_file .*nowhere\.pem cannot be used/],
])('a target file with %s', async (_name, target, said) => {
  expectRefusal(await judge(target), said);
});

test.each([
  ['no target', [], /--target FILE is missing/],
  ['an unknown option', ['--target', 'x', '--fast'], /Unknown option '--fast'/],
  ['a stray word', ['--target', 'x', 'core'], /Unexpected argument/i],
  ['a seed that is no number', ['--target', 'x', '--seed', 'seven'], /--seed must be a whole number/],
  ['an effort of nothing', ['--target', 'x', '--effort', '0'], /--effort must be a whole number/],
  ['an unknown profile', ['--target', 'x', '--profile', 'all'], /--profile must be core or extensions/],
  ['a target file that is not there', ['--target', 'nowhere.json'], /nowhere\.json cannot be used/],
])('a command line with %s', async (_name, args, said) => {
  expectRefusal(await run(args), said);
});
