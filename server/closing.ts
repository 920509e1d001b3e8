/** What has been opened, to be closed in reverse order. */
export interface Closing {
  /** Remembers how something that was just opened is closed. */
  add(close: () => unknown): void;
  /** Closes everything, the last opened first, whatever fails on the way. Throws an AggregateError of what failed. */
  closeAll(): Promise<void>;
}

export function createClosing(): Closing {
  const closers: (() => unknown)[] = [];
  return {
    add: (close) => closers.push(close),
    async closeAll() {
      const faults: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close();
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length > 0) throw new AggregateError(faults, 'not everything could be closed');
    },
  };
}
