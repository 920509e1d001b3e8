import { setImmediate } from 'node:timers/promises';

interface Entry<T> {
  item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes items in batches that form by themselves: while one batch is being written, the next one collects. Nothing ever
 * waits for a timer, and under load one transaction serves many.
 */
export class Batcher<T> {
  readonly #write: (items: T[]) => Promise<unknown>;
  readonly #largest: number;
  #collected: Entry<T>[] = [];
  #writing: Promise<void> | undefined;

  constructor(write: (items: T[]) => Promise<unknown>, largest: number) {
    this.#write = write;
    this.#largest = largest;
  }

  /** Resolves when the item is written. When its batch fails, the items are written one by one, and rejects only what fails alone. */
  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#collected.push({ item, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#collected.length > 0) {
      // One turn of the event loop: the embedded database works on this thread and would never let the next item arrive.
      await setImmediate();
      await this.#writeBatch(this.#collected.splice(0, this.#largest));
    }
    this.#writing = undefined;
  }

  async #writeBatch(batch: Entry<T>[]): Promise<void> {
    try {
      await this.#write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const entry of batch) await this.#writeBatch([entry]);
    }
  }
}
