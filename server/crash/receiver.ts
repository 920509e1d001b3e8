import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A notification that was answered with 200. */
export interface Arrival {
  body: string;
  /** How often it came. */
  times: number;
}

type Phase = 'up' | 'closed' | 'failing' | 'resetting';

const PHASE_MS = 2000;
const DOWN: readonly Phase[] = ['closed', 'failing', 'resetting'];

/** The customer's receiver of notifications, down half of the time: its port is closed, it answers 500, or resets its connections. */
export class Receiver {
  readonly port: number;
  /** By their webhook-id. */
  readonly arrivals = new Map<string, Arrival>();
  /** Bodies that came under the id of another one. */
  readonly contradictions: string[] = [];
  /** Requests that were answered with 500 or a reset. */
  refused = 0;
  readonly #open = new Set<Socket>();
  #phase: Phase = 'up';
  #server: Server | undefined;
  #isStaying = false;
  #phases: Promise<void> | undefined;

  constructor(port: number) {
    this.port = port;
  }

  async start(): Promise<void> {
    await this.#listen();
    this.#phases = this.#run();
  }

  /** From now on it stays up. */
  async stay(): Promise<void> {
    this.#isStaying = true;
    await this.#phases;
  }

  async stop(): Promise<void> {
    await this.stay();
    await this.#close();
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#isStaying; round += 1) {
      await wait(PHASE_MS);
      this.#phase = DOWN[round % DOWN.length] ?? 'closed';
      if (this.#phase === 'closed') await this.#close();
      await wait(PHASE_MS);
      if (this.#server === undefined) await this.#listen();
      this.#phase = 'up';
    }
  }

  async #listen(): Promise<void> {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#open.add(socket.once('close', () => this.#open.delete(socket)));
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (this.#phase !== 'up') return this.#refuse(response);
      this.#keep(String(request.headers['webhook-id']), Buffer.concat(chunks).toString());
      response.end();
    });
  }

  #refuse(response: ServerResponse): void {
    this.refused += 1;
    if (this.#phase === 'resetting') response.socket?.resetAndDestroy();
    else response.writeHead(500).end();
  }

  #keep(id: string, body: string): void {
    const before = this.arrivals.get(id);
    if (before !== undefined && before.body !== body)
      this.contradictions.push(`${id}: ${before.body}, then ${body}`);
    this.arrivals.set(id, { body, times: (before?.times ?? 0) + 1 });
  }
}
