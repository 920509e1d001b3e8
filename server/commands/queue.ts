import { parseArgs } from 'node:util';
import { askService } from './ask-service.ts';
import { type Command, SUCCESS, UsageError } from './command.ts';

type Parsed = { values: Record<string, string | undefined>; positionals: string[] };

/** What waits for delivery. */
export const queue: Command = {
  help: [
    {
      usage: 'queue [--domain D] [--limit N] [--offset N]',
      does: 'show what waits for delivery, where to, why, and the next attempts',
    },
  ],
  details:
    () => `A page of 20 messages, the one with the nearest attempt first, below a summary by destination. The line under a
message is the last reply of the other side. D is what stands behind the @ of the recipients.`,
  async run(args, env) {
    const { values, positionals } = parse('queue', args, ['domain', 'limit', 'offset']);
    if (positionals.length > 0) throw new UsageError('queue takes options only');
    process.stdout.write(await askService(env, { path: '/queue', query: values }));
    return SUCCESS;
  },
};

/** The whole story of one message. */
export const message: Command = {
  help: [{ usage: 'message ID', does: 'tell the whole story of a message: attempts, conversations, events' }],
  details: () =>
    'ID is the message_id that the API answered with. The story ends with the log (SENDSPEC_LOG_RETENTION_DAYS).',
  async run(args, env) {
    const [id, ...rest] = parse('message', args, []).positionals;
    if (id === undefined || rest.length > 0) throw new UsageError('message takes the id of one message');
    process.stdout.write(await askService(env, { path: '/queue/message', query: { id } }));
    return SUCCESS;
  },
};

/** Makes next attempts due at once. */
export const retry = changing('retry', 'attempt delivery now instead of later', [
  'The next attempt is made as soon as a worker has room. A destination that slows the service down may still have to be waited for.',
]);

/** Ends the delivery of what waits. */
export const cancel = changing('cancel', 'give up what waits, for good', [
  'The messages end as soft bounces with "5.0.0 Cancelled by the operator"; their content is deleted. This cannot be undone.',
]);

function changing(name: 'retry' | 'cancel', does: string, details: readonly string[]): Command {
  return {
    help: [{ usage: `${name} ID... | --domain D`, does }],
    details: () =>
      [
        'The messages with these ids, or all that wait for recipients at D. What is in delivery at this moment stays as it is.',
        ...details,
      ].join('\n'),
    async run(args, env) {
      const { values, positionals: ids } = parse(name, args, ['domain']);
      const { domain } = values;
      if ((domain === undefined) === (ids.length === 0)) {
        throw new UsageError(`${name} takes ids of messages, or --domain with a domain`);
      }
      const body = domain === undefined ? { ids } : { domain };
      process.stdout.write(await askService(env, { path: `/queue/${name}`, body }));
      return SUCCESS;
    },
  };
}

function parse(name: string, args: readonly string[], options: readonly string[]): Parsed {
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
      allowPositionals: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new UsageError(`${name}: ${JSON.stringify(reason).slice(1, -1)}`);
  }
}
