import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openResolver } from '../dns/resolver.ts';
import { createAuthority, createServerCertificate } from '../http/local-ca.ts';
import { createGuardedConnector } from './guard.ts';
import { openLine } from './http-sender.ts';
import { createNameLookup } from './name-lookup.ts';
import { startRawReceiver, startReceiver } from './testing.ts';
import { describeFault } from './transport-faults.ts';

const LIMITS = { answerMs: 400, bodyMs: 200 };
const UNHURRIED = { answerMs: 20_000, bodyMs: 20_000 };
const undos: (() => unknown)[] = [];

afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo();
});

function line(limits = UNHURRIED) {
  const lookup = createNameLookup(openResolver(), true);
  const connect = createGuardedConnector({ lookup, allowPrivate: true, timeoutMs: limits.answerMs });
  const opened = openLine({ connect, limits });
  undos.push(() => opened.destroy());
  return opened;
}

async function receiver(...parameters: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...parameters);
  undos.push(() => started.close());
  return started;
}

async function rawReceiver(answer: (socket: Socket) => void) {
  const started = await startRawReceiver(answer);
  undos.push(() => started.close());
  return started;
}

const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'one' };
const post = (url: string, limits = UNHURRIED) =>
  line(limits).post({ url, headers: HEADERS, body: '{"a":"ä"}' });

/** What a receiver that speaks raw bytes leads to, in words. */
async function faultOf(bytes: string, limits = UNHURRIED): Promise<string> {
  const { url } = await rawReceiver((socket) => socket.end(bytes));
  const answer = await post(url, limits);
  return answer.kind === 'failed' ? describeFault(answer.error) : answer.kind;
}

describe('a request', () => {
  test('is a POST of the body as it is, with the headers and no cookie, proxy or language of anybody', async () => {
    const { url, received } = await receiver();
    expect(await post(`${url}?shop=1&x=%2F`)).toMatchObject({ kind: 'answered', status: 200 });
    expect(received).toMatchObject([{ method: 'POST', path: '/hooks?shop=1&x=%2F', body: '{"a":"ä"}' }]);
    expect(Object.keys(received[0]?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'webhook-id',
    ]);
  });

  test('goes over a connection that is kept', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await receiver((_request, response) => {
      ports.add(response.socket?.remotePort);
      response.end();
    });
    const { post: postAgain } = line();
    for (let i = 0; i < 20; i += 1) await postAgain({ url, headers: HEADERS, body: '{}' });
    // A connection rests for a moment after its use; another one may be taken meanwhile.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  test('is sent once more when the kept connection turns out to be closed', async () => {
    let requests = 0;
    const { url } = await receiver((_request, response) => {
      requests += 1;
      if (requests === 2) response.socket?.resetAndDestroy();
      else response.end();
    });
    const { post: postAgain } = line();
    expect(await postAgain({ url, headers: HEADERS, body: '{}' })).toMatchObject({ status: 200 });
    expect(await postAgain({ url, headers: HEADERS, body: '{}' })).toMatchObject({ status: 200 });
    expect(requests).toBe(3);
  });

  test('is not sent twice each time to a receiver that only breaks connections', async () => {
    let requests = 0;
    const { url } = await receiver((_request, response) => {
      requests += 1;
      if (requests > 1) response.socket?.resetAndDestroy();
      else response.end();
    });
    const { post: postAgain } = line();
    for (let post = 0; post < 4; post += 1) await postAgain({ url, headers: HEADERS, body: '{}' });
    expect(requests).toBe(5);
  });

  test('ignores the proxies of the environment', async () => {
    const proxy = await receiver();
    process.env.HTTP_PROXY = proxy.url;
    process.env.http_proxy = proxy.url;
    undos.push(() => {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    });
    const { url, received } = await receiver();
    await post(url);
    expect([received.length, proxy.received.length]).toEqual([1, 0]);
  });
});

describe('an answer', () => {
  test.each([200, 204, 404, 410, 500, 599, 999])('%i is given with its body', async (status) => {
    const { url } = await receiver((_request, response) => response.writeHead(status).end('text'));
    const answer = await post(url);
    expect(answer).toMatchObject({ kind: 'answered', status, retryAfter: undefined });
    expect(answer.kind === 'answered' && answer.body.toString()).toBe(status === 204 ? '' : 'text');
  });

  test.each([301, 302, 303, 307, 308])('the redirect %i is not followed', async (status) => {
    const elsewhere = await receiver();
    const { url } = await receiver((_request, response) =>
      response.writeHead(status, { location: elsewhere.url, 'retry-after': '5' }).end(),
    );
    expect(await post(url)).toMatchObject({ kind: 'answered', status, retryAfter: '5' });
    await delay(20);
    expect(elsewhere.received).toEqual([]);
  });

  test('counts although its body has no end', async () => {
    const { url } = await receiver((_request, response) => response.writeHead(200).write('so far'));
    const answer = await post(url, LIMITS);
    expect(answer.kind === 'answered' && [answer.status, answer.body.toString()]).toEqual([200, 'so far']);
  });

  test('counts although its connection breaks in the body', async () => {
    const { url } = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.resetAndDestroy());
    });
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 200 });
  });

  test('of 10 MB is read at its beginning, and the connection ends', async () => {
    let sent = 0;
    const ended = Promise.withResolvers<void>();
    const { url } = await receiver((_request, response) => {
      response.once('close', ended.resolve);
      const write = () => {
        while (sent < 10 * 2 ** 20 && !response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const answer = await post(url);
    expect(answer.kind === 'answered' && answer.body.length).toBe(16 * 1024);
    await ended.promise;
    expect(sent).toBeLessThan(10 * 2 ** 20);
  });

  test('may come after informational ones, and have trailers', async () => {
    const { url } = await rawReceiver((socket) =>
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n' +
          '2\r\nok\r\n0\r\nretry-after: 9\r\n\r\n',
      ),
    );
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 202, retryAfter: undefined });
  });
});

describe('the limit holds', () => {
  test('while nothing is answered', async () => {
    const { url } = await rawReceiver(() => {});
    expect(await post(url, LIMITS)).toEqual({ kind: 'timed out' });
  });

  test.each([
    ['a status line', 'HTTP/1.1 200 OK'],
    ['headers', `HTTP/1.1 200 OK\r\n${'x-drop: 1\r\n'.repeat(1_000)}`],
    ['informational answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
  ])('while %s come in drops', async (_what, text) => {
    const { url } = await rawReceiver(async (socket) => {
      for (const byte of text) {
        if (socket.destroyed) return;
        socket.write(byte);
        await delay(10);
      }
    });
    expect(await post(url, LIMITS)).toEqual({ kind: 'timed out' });
  });

  test('while the connection does not come about, and then nothing is sent late', async () => {
    const { url, received } = await receiver();
    const late = openLine({
      limits: LIMITS,
      connect: (target, callback) => {
        setTimeout(() => {
          const connect = createGuardedConnector({
            lookup: createNameLookup(openResolver(), true),
            allowPrivate: true,
            timeoutMs: 1_000,
          });
          connect(target, callback);
        }, 2 * LIMITS.answerMs);
      },
    });
    undos.push(() => late.destroy());
    expect(await late.post({ url, headers: HEADERS, body: '{}' })).toEqual({ kind: 'timed out' });
    await delay(3 * LIMITS.answerMs);
    expect(received).toEqual([]);
  });
});

describe('a fault is told in plain words', () => {
  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_10.0\r\n', 'The answer is not HTTP.'],
    ['two answers in one', 'HTTP/1.1 2OO OK\r\n\r\n', 'The answer is not HTTP.'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      'closed',
    ],
    ['a premature 100', 'HTTP/1.1 100 Continue\r\n\r\n', 'closed'],
    ['huge headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 'headers are too long'],
    ['half of a head', 'HTTP/1.1 200 OK\r\nx: ', 'closed before an answer'],
    ['nothing', '', 'closed before an answer'],
  ])('%s', async (_what, bytes, words) => {
    expect(await faultOf(bytes)).toContain(words);
  });

  test('a reset', async () => {
    const { url } = await rawReceiver((socket) => socket.resetAndDestroy());
    const answer = await post(url);
    expect(answer.kind === 'failed' && describeFault(answer.error)).toContain('reset before an answer');
  });

  test('a closed port', async () => {
    const { url, close } = await startReceiver();
    await close();
    const answer = await post(url);
    expect(answer.kind === 'failed' && describeFault(answer.error)).toContain('connection was refused');
  });

  test('a name that nobody has', async () => {
    const answer = await post('http://nobody.invalid/hooks');
    expect(answer.kind === 'failed' && describeFault(answer.error)).toContain(
      'nobody.invalid has no address',
    );
  });

  test.each([
    ['as it comes', undefined],
    ['where Node.js is told to trust everybody', '0'],
  ])('a certificate that nobody vouches for, %s', async (_where, setting) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', setting);
    undos.push(() => vi.unstubAllEnvs());
    const names = [{ type: 'ip', value: '127.0.0.1' }] as const;
    const tls = await createServerCertificate(await createAuthority(new Date()), new Date(), names);
    const { url, received } = await receiver(undefined, tls);
    const answer = await post(url);
    expect(answer.kind === 'failed' && describeFault(answer.error)).toContain(
      'authority that is not trusted',
    );
    expect(received).toEqual([]);
  });

  test('a certificate for another name', async () => {
    const authority = await createAuthority(new Date());
    const names = [{ type: 'dns', value: 'localhost' }] as const;
    const { url } = await receiver(undefined, await createServerCertificate(authority, new Date(), names));
    trust(authority.cert);
    const answer = await post(url);
    expect(answer.kind === 'failed' && describeFault(answer.error)).toContain('is for another name');
    expect(await post(url.replace('127.0.0.1', 'localhost'))).toMatchObject({
      kind: 'answered',
      status: 200,
    });
  });

  test('no TLS where it should be', async () => {
    const { url } = await receiver();
    const answer = await post(url.replace('http:', 'https:'));
    expect(answer.kind === 'failed' && describeFault(answer.error)).toContain('TLS failed');
  });
});

/** What NODE_EXTRA_CA_CERTS does for a process from its start. */
function trust(authority: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authority]);
  undos.push(() => setDefaultCACertificates(before));
}
