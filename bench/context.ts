import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './report.ts';

/** A PostgreSQL server on which the benches make databases of their own. */
export interface PostgresServer {
  url: string;
  version: string;
}

/** What every bench works with. */
export interface BenchContext {
  /** A small run that only shows that everything works. */
  isQuick: boolean;
  /** Undefined when none answers. */
  postgres: PostgresServer | undefined;
  /** Tells people what is going on, on standard error. */
  progress(text: string): void;
  /** Has something undone at the end, whatever happens in between; the last one first. */
  defer(undo: () => Promise<void>): void;
  /** A folder that is gone afterwards. */
  folder(): Promise<string>;
}

export interface Bench {
  /** What it is called on the command line. */
  name: string;
  run(context: BenchContext): Promise<BenchResult>;
}

/** A context, and how everything that was made in it is taken down. */
export function createContext(parts: Pick<BenchContext, 'isQuick' | 'postgres' | 'progress'>): {
  context: BenchContext;
  cleanUp(): Promise<void>;
} {
  const undos: (() => Promise<void>)[] = [];
  const context: BenchContext = {
    ...parts,
    defer: (undo) => undos.push(undo),
    folder: async () => {
      const path = await mkdtemp(join(tmpdir(), 'sendspec-bench-'));
      undos.push(() => rm(path, { recursive: true, force: true }));
      return path;
    },
  };
  const cleanUp = async () => {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      await undo().catch((error: unknown) => parts.progress(`cleaning up: ${String(error)}`));
    }
  };
  return { context, cleanUp };
}
