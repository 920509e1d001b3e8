import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Copy, SinkOptions } from './sink.ts';

const SCRIPT = fileURLToPath(new URL('./sink.ts', import.meta.url));

/** The mail server of the other side, which can be cut off and comes back. */
export class Sink {
  readonly #options: SinkOptions;
  #process: ChildProcess | undefined;
  /** When it was cut off, in milliseconds since 1970. */
  readonly cuts: number[] = [];

  constructor(options: SinkOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(this.#options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process = child;
    await once(child, 'message');
  }

  /** Ends it in the middle of whatever it does. */
  async cut(): Promise<void> {
    this.cuts.push(Date.now());
    await this.stop();
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Every copy that it took, in order. */
  async copies(): Promise<Copy[]> {
    const { log } = this.#options;
    const text = existsSync(log) ? await readFile(log, 'utf8') : '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Copy => JSON.parse(line));
  }
}
