import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { codeOf } from '../files.ts';
import { explainListenFailure } from '../http/listen.ts';
import { answerFrom, refusal, type Zone } from './authority.ts';
import { createResponseRate } from './response-rate.ts';
import {
  type DnsQuery,
  type DnsReply,
  RCODE,
  readQuery,
  writeReply,
  writeTruncated,
  writeUdpReply,
} from './wire.ts';

export interface DnsServerOptions {
  /** Undefined: every address of the machine. */
  host: string | undefined;
  /** 0 for any that is free for UDP and TCP. */
  port: number;
  zone: () => Promise<Zone>;
  onFault: (error: unknown) => void;
  /** Answers a second to one network over UDP. */
  answersPerSecond?: number;
}

/** Answers questions about the service's own zone. */
export interface DnsServer {
  port: number;
  close(): Promise<void>;
}

const ANSWERS_PER_SECOND = 200;
const MOST_CONNECTIONS = 200;
const IDLE_MS = 10_000;
const LONGEST_QUESTION = 4096;
const MOST_UNREAD_BYTES = 256 * 1024;
const TRIES = 20;

/**
 * Opens the port for UDP and TCP (RFC 7766).
 * @throws StartupError when it cannot be opened.
 */
export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnBoth(options);
    } catch (error) {
      // A port that UDP had to give may be in use for TCP; then another one is asked for.
      if (options.port === 0 && codeOf(error) === 'EADDRINUSE' && attempt < TRIES) continue;
      if (!(error instanceof Error)) throw error;
      const name = { what: 'the DNS server', portSetting: 'SENDSPEC_DNS_PORT', hostSetting: 'SENDSPEC_HOST' };
      throw explainListenFailure(error, options, name);
    }
  }
}

async function listenOnBoth(options: DnsServerOptions): Promise<DnsServer> {
  const udp = await openUdp(options);
  const { port } = udp.address();
  const connections = new Set<Socket>();
  const tcp = createServer((connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    converse(connection, options);
  });
  tcp.maxConnections = MOST_CONNECTIONS;
  try {
    await listen(tcp, options.host, port);
  } catch (error) {
    udp.close();
    throw error;
  }
  tcp.on('error', options.onFault);
  return {
    port,
    async close() {
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      tcp.close();
      for (const connection of connections) connection.destroy();
      await Promise.all(closed);
    },
  };
}

async function openUdp(options: DnsServerOptions): Promise<UdpSocket> {
  const { host, port } = options;
  if (host !== undefined) return await bindUdp(options, host, port);
  try {
    return await bindUdp(options, '::', port);
  } catch (error) {
    if (codeOf(error) !== 'EAFNOSUPPORT' && codeOf(error) !== 'EADDRNOTAVAIL') throw error;
    return await bindUdp(options, '0.0.0.0', port);
  }
}

async function bindUdp(options: DnsServerOptions, host: string, port: number): Promise<UdpSocket> {
  const rate = createResponseRate(options.answersPerSecond ?? ANSWERS_PER_SECOND);
  const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  udp.on('message', (message, peer) => {
    void answerPacket(message, options, (query, reply) => {
      const treatment = rate(peer.address);
      if (treatment === 'drop') return;
      const write = treatment === 'send' ? writeUdpReply : writeTruncated;
      sendPacket(udp, write(query, reply), peer, options);
    });
  });
  udp.bind(port, host);
  try {
    await once(udp, 'listening');
  } catch (error) {
    udp.close();
    throw error;
  }
  udp.on('error', options.onFault);
  return udp;
}

// An address that cannot be reached (a forged one, mostly) is no fault of ours.
function sendPacket(udp: UdpSocket, reply: Buffer, peer: RemoteInfo, { onFault }: DnsServerOptions): void {
  try {
    udp.send(reply, peer.port, peer.address, () => undefined);
  } catch (error) {
    // The socket was closed meanwhile, or the port is 0.
    if (codeOf(error) !== 'ERR_SOCKET_DGRAM_NOT_RUNNING' && codeOf(error) !== 'ERR_SOCKET_BAD_PORT')
      onFault(error);
  }
}

/** Questions on one connection, one after the other, each with its length in front (RFC 1035, 4.2.2). */
function converse(connection: Socket, options: DnsServerOptions): void {
  let received = Buffer.alloc(0);
  connection.setTimeout(IDLE_MS, () => connection.destroy());
  connection.on('error', () => connection.destroy());
  connection.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2) {
      const length = received.readUInt16BE(0);
      if (length > LONGEST_QUESTION || connection.writableLength > MOST_UNREAD_BYTES) {
        connection.destroy();
        return;
      }
      if (received.length < 2 + length) return;
      const message = received.subarray(2, 2 + length);
      received = received.subarray(2 + length);
      void answerPacket(message, options, (query, reply) => {
        if (!connection.writable) return;
        const body = writeReply(query, reply);
        const prefix = Buffer.alloc(2);
        prefix.writeUInt16BE(body.length);
        connection.write(Buffer.concat([prefix, body]));
      });
    }
  });
}

async function answerPacket(
  message: Buffer,
  { zone, onFault }: DnsServerOptions,
  send: (query: DnsQuery, reply: DnsReply) => void,
): Promise<void> {
  const query = readQuery(message);
  if (query === undefined) return;
  try {
    send(query, await replyTo(query, zone));
  } catch (error) {
    onFault(error);
  }
}

async function replyTo(query: DnsQuery, zone: () => Promise<Zone>): Promise<DnsReply> {
  if (query.fault !== RCODE.NOERROR) return refusal(query.fault);
  try {
    return answerFrom(await zone(), query);
  } catch {
    // Reported where the zone is read.
    return refusal(RCODE.SERVFAIL);
  }
}

async function listen(server: Server, host: string | undefined, port: number): Promise<void> {
  server.listen(host === undefined ? { port } : { port, host });
  await once(server, 'listening');
}
