import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a command said, and the code that it ended with. */
export interface CommandResult {
  code: number;
  output: string;
  errors: string;
}

/** Runs a script of this project with Node, to its end. */
export function run(args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: ROOT }, (_error, output, errors) =>
      resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });
}
