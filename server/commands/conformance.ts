import type { Command } from './command.ts';

/** Judges a server; its options and exit codes are those of conformance/cli.ts. */
export const conformance: Command = {
  help: [{ usage: 'conformance --target FILE', does: 'judge a server that claims the contract' }],
  async run(args) {
    const { runCli } = await import('../../conformance/cli.ts');
    return await runCli(args);
  },
};
