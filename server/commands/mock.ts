import type { Command } from './command.ts';

/** Answers with the examples of the contract, or posts one of a notification; the options are those of mock/. */
export const mock: Command = {
  help: [
    { usage: 'mock [--port N]', does: 'answer every operation with an example of the contract' },
    { usage: 'mock webhook EVENT --to URL', does: 'post a signed example of a notification' },
  ],
  async run([first, ...rest]) {
    if (first === 'webhook') {
      const { runWebhook } = await import('../../mock/webhook-cli.ts');
      return await runWebhook(rest);
    }
    const { runMock } = await import('../../mock/cli.ts');
    return await runMock(first === undefined ? [] : [first, ...rest]);
  },
};
