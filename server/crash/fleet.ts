import { setTimeout as wait } from 'node:timers/promises';
import { launch, type ServiceProcess } from '../testing/service-process.ts';

/** A kill: when (milliseconds since 1970), and which messages were in delivery then. */
export interface Blow {
  at: number;
  active: ReadonlySet<string>;
}

/** One process of the service and its supervisor, which starts it again whenever it has ended. */
export class Member {
  readonly name: string;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #kills: Blow[] = [];
  /** Ends that nobody ordered, of a process that was running. */
  readonly ownEnds: string[] = [];
  #process: ServiceProcess;
  #isKilled = false;
  #isStopping = false;
  #loop: Promise<void>;

  constructor(name: string, folder: string, env: Record<string, string>) {
    this.name = name;
    this.#folder = folder;
    this.#env = env;
    this.#process = launch(folder, env);
    this.#loop = this.#supervise();
  }

  get kills(): readonly Blow[] {
    return this.#kills;
  }

  get isReady(): boolean {
    return !this.#isKilled && isReady(this.#process);
  }

  /** kill -9, without a word; once it is dead, `readActive` says what was in delivery. */
  async kill(readActive: () => Promise<ReadonlySet<string>>): Promise<void> {
    this.#isKilled = true;
    const { exited } = this.#process;
    this.#process.kill('SIGKILL');
    await exited;
    this.#kills.push({ at: Date.now(), active: await readActive() });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#process.kill('SIGTERM');
    await this.#loop;
  }

  /** The end of what it wrote last, for people. */
  lastWords(): string {
    return this.#process.stderr().slice(-2000);
  }

  async #supervise(): Promise<void> {
    for (;;) {
      const { code, signal } = await this.#process.exited;
      if (this.#isStopping) return;
      // Without a database a process that starts says so and ends; one that ran has to bear it.
      if (!this.#isKilled && isReady(this.#process)) {
        this.ownEnds.push(`${this.name} ended by itself (${signal ?? code}): ${this.lastWords()}`);
      }
      if (!this.#isKilled) await wait(SUPERVISOR_PAUSE_MS);
      this.#isKilled = false;
      this.#process = launch(this.#folder, this.#env);
    }
  }
}

const SUPERVISOR_PAUSE_MS = 500;
const READY = 'Ctrl-C stops it.';

function isReady(process: ServiceProcess): boolean {
  return process.stdout().includes(READY);
}
