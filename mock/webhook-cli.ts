import { parseArgs } from 'node:util';
import { readNumber, report, SUCCESS, UsageError } from './command-line.ts';
import {
  type ExampleWebhookOptions,
  type SentWebhook,
  sendExampleWebhook,
  webhookEvents,
} from './example-webhook.ts';

const MOST = 1000;

interface Order extends ExampleWebhookOptions {
  event: string;
  count: number;
}

/** Posts signed examples of a notification and prints what the receiver answered; returns the exit code: 0 when every answer was a 2xx. */
export async function runWebhook(args: readonly string[]): Promise<number> {
  try {
    const order = readOrder(args);
    if (order === 'help') {
      console.log(help());
      return SUCCESS;
    }
    let refusals = 0;
    for (let sent = 0; sent < order.count; sent += 1) {
      const answer = await sendExampleWebhook(order.event, order);
      if (sent === 0) console.log(secretLine(order, answer));
      console.log(shown(order, answer));
      if (answer.status < 200 || answer.status > 299) refusals += 1;
    }
    return refusals === 0
      ? SUCCESS
      : report('mock:webhook', new Error(`${refusals} of ${order.count} were not answered with a 2xx.`));
  } catch (error) {
    return report('mock:webhook', error);
  }
}

function secretLine({ secret }: Order, answer: SentWebhook): string {
  return `secret: ${answer.secret}${secret === undefined ? ' (the one that the mock shows; --secret takes another)' : ''}`;
}

function help(): string {
  return `Usage: sendspec mock webhook EVENT --to URL [options]

Posts the contract's example of a notification, signed as the service signs it, and prints the answer.

EVENT is one of ${webhookEvents().join(', ')}.

Options:
  --to URL        the receiver
  --secret SECRET the secret of the endpoint, whsec_... (default: the one that the mock shows; it is printed)
  --count N       how many, each under an id of its own (default: 1)
  --help          shows this text`;
}

function readOrder(args: readonly string[]): Order | 'help' {
  const { values, positionals } = parsed(args);
  if (values.help) return 'help';
  const [event, ...more] = positionals;
  const events = webhookEvents();
  if (event === undefined) throw new UsageError(`name an event: ${events.join(', ')}`);
  if (!events.includes(event)) {
    throw new UsageError(`there is no event ${event}. The events are ${events.join(', ')}`);
  }
  if (more.length > 0) throw new UsageError(`one event at a time, not also ${more.join(' ')}`);
  if (values.to === undefined)
    throw new UsageError('--to names the receiver, such as http://127.0.0.1:3000/hooks');
  const count = readNumber('--count', values.count, 1, MOST);
  const order = { event, url: values.to, count };
  return values.secret === undefined ? order : { ...order, secret: values.secret };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        secret: { type: 'string' },
        count: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function shown({ event, url }: Order, { id, status, body }: SentWebhook): string {
  return `${event} ${id} to ${url}: ${status}${body === '' ? '' : `\n${printable(body)}`}`;
}

/** What a receiver answers may hold anything, control sequences of terminals included. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '\ufffd');
}
