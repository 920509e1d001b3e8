import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Copy, CopyEnd, SinkOptions } from './sink.ts';

const SCRIPT = fileURLToPath(new URL('./sink.ts', import.meta.url));

/** The mail server of the other side, which can be cut off and comes back. */
export class Sink {
  readonly #options: SinkOptions;
  #process: ChildProcess | undefined;
  /** How often it was cut off. */
  cuts = 0;

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
    this.cuts += 1;
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

  /** Every copy that it took, in order, and those that it could not answer as it was cut off. */
  async copies(): Promise<{ copies: Copy[]; unanswered: ReadonlySet<string> }> {
    const { log } = this.#options;
    const text = existsSync(log) ? await readFile(log, 'utf8') : '';
    const copies: Copy[] = [];
    const unanswered = new Set<string>();
    for (const line of text.split('\n').filter((part) => part !== '')) {
      const entry: Copy | CopyEnd = JSON.parse(line);
      if ('endOf' in entry) unanswered.delete(entry.endOf);
      else {
        copies.push(entry);
        unanswered.add(entry.copyId);
      }
    }
    return { copies, unanswered };
  }
}
