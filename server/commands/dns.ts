import { askService } from './ask-service.ts';
import { type Command, SUCCESS, UsageError } from './command.ts';

/** What the DNS has to answer for the service. */
export const dns: Command = {
  help: [
    {
      usage: 'dns zone',
      does: 'print the DNS records that belong below SENDSPEC_MAIL_HOSTNAME',
    },
  ],
  details: () =>
    'The records are those that SENDSPEC_DNS_PORT serves. They are asked from the running service.',
  async run(args, env) {
    if (args.join(' ') !== 'zone') throw new UsageError('dns has one command, zone');
    process.stdout.write(await askService(env, { path: '/dns/zone' }));
    return SUCCESS;
  },
};
