import { ConfigError } from '../config.ts';
import { StartupError } from '../errors.ts';

export const SUCCESS = 0;
export const FAILURE = 1;
export const USAGE = 2;

/** One command of `sendspec`. */
export interface Command {
  /** How it is called, and what it does in a line: what `sendspec help` shows of it. */
  readonly help: readonly { readonly usage: string; readonly does: string }[];
  /** What `--help` shows below that; a command without it answers `--help` by itself. */
  readonly details?: () => string;
  /**
   * Runs it and returns the exit code. What was asked for goes to standard output.
   * @throws UsageError for a wrong command line; anything else for a failure, which is reported.
   */
  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number>;
}

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** One line for each fault, with what to do about it; never a stack trace for what an operator can mend. Returns the exit code. */
export function report(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`sendspec: ${error.message}; see sendspec help`);
    return USAGE;
  }
  if (error instanceof ConfigError) {
    for (const fault of error.faults) console.error(`sendspec: ${fault}`);
    console.error(`sendspec: ${error.hint}`);
  } else if (error instanceof StartupError) {
    const message = error.message.replace(/\s+/g, ' ').replace(/[.\s]*$/, '.');
    console.error(`sendspec: ${message} ${error.hint}`.trimEnd());
  } else {
    console.error('sendspec: cannot start, for a reason that it does not know:', error);
  }
  return FAILURE;
}

/** How a command is called and what it does, in two columns. */
export function helpTable(rows: Command['help']): string {
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  return rows.map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`).join('\n');
}
