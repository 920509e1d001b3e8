import { askService } from './ask-service.ts';
import { type Command, SUCCESS, UsageError } from './command.ts';

/** The DKIM keys of sending domains. */
export const dkim: Command = {
  help: [
    { usage: 'dkim rotate DOMAIN', does: 'give a sending domain a new DKIM key, and say what happens next' },
  ],
  details: () =>
    [
      'DOMAIN is the name or the id of a sending domain; of a name, every organisation that has it is meant.',
      "The key before signs until the new one is seen in the DNS, and stays published after that. The domain's own records stay as they are.",
      'While a rotation waits, asking again looks into the DNS at once.',
    ].join('\n'),
  async run(args, env) {
    const [verb, domain, ...rest] = args;
    if (verb !== 'rotate' || domain === undefined || rest.length > 0)
      throw new UsageError('dkim has one command, rotate, and it takes a domain');
    process.stdout.write(await askService(env, { path: '/dkim/rotate', body: { domain } }));
    return SUCCESS;
  },
};
