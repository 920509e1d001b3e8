import { StartupError } from '../server/errors.ts';

export const SUCCESS = 0;
const FAILURE = 1;
const USAGE = 2;

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** Says what went wrong and what to do, on standard error and without a stack trace; returns the exit code. */
export function report(command: string, error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${command}: ${error.message}; --help shows what there is`);
    return USAGE;
  }
  const hint = error instanceof StartupError ? ` ${error.hint}` : '';
  console.error(`${command}: ${error instanceof Error ? error.message : String(error)}${hint}`);
  return FAILURE;
}

/** A whole number of an option. @throws UsageError when it is none, or outside of the bounds. */
export function readNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} has to be a whole number from ${least} to ${most}, not ${text}`);
}
