import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { plusMilliseconds, type Timestamp } from '../domain/time.ts';
import { StartupError } from '../errors.ts';
import { attemptLine, jsonLine } from '../operator/texts.ts';
import type { AttemptCursor, WatchedAttempt } from '../store/webhook-rows.ts';
import { askService } from './ask-service.ts';
import { type Command, SUCCESS, UsageError } from './command.ts';

/** Prints attempts to notify as they are made. */
export const webhooks: Command = {
  help: [
    {
      usage: 'webhooks tail [ACCOUNT_ID] [--json]',
      does: 'print attempts to notify webhooks as they are made',
    },
  ],
  details:
    () => `A line for each attempt, of every process that shares the database, until Ctrl-C: the time, the account, the event, how the
notification stands, the result, the HTTP status, how long it took, the URL, and what the other side said. With --json, each
line is an object.`,
  async run(args, env) {
    const { accountId, isJson } = parse(args);
    const ending = new AbortController();
    const end = () => ending.abort();
    const signals = ['SIGINT', 'SIGTERM'] as const;
    for (const signal of signals) process.once(signal, end);
    // A reader that went away (`| head`) ends it, too.
    process.stdout.once('error', end);
    try {
      await tail({ accountId, env, signal: ending.signal, lineOf: isJson ? jsonLine : attemptLine });
    } finally {
      for (const signal of signals) process.off(signal, end);
      process.stdout.off('error', end);
    }
    return SUCCESS;
  },
};

interface Tail {
  accountId: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  lineOf(attempt: WatchedAttempt): string;
}

const POLL_MS = 500;
const AWAY_MS = 2000;
// What is recorded first may become visible last: a part of the past is read again.
const OVERLAP_MS = 5000;

async function tail({ accountId, env, signal, lineOf }: Tail): Promise<void> {
  const read = (cursor?: AttemptCursor) => ask(env, accountId, cursor);
  const seen = new Seen((await read()).now);
  for (let isAway = false; !signal.aborted; ) {
    try {
      for await (const attempt of newAttempts(read, seen)) await print(lineOf(attempt), signal);
      isAway = false;
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      if (!isAway) console.error(`sendspec: ${error.message} It is asked again until it is back.`);
      isAway = true;
    }
    await delay(isAway ? AWAY_MS : POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function* newAttempts(
  read: (cursor: AttemptCursor) => Promise<Answer>,
  seen: Seen,
): AsyncGenerator<WatchedAttempt, void, undefined> {
  for (let cursor: AttemptCursor | undefined = seen.begin(); cursor !== undefined; ) {
    const { attempts }: Answer = await read(cursor);
    for (const attempt of attempts) if (seen.add(attempt)) yield attempt;
    cursor = attempts.at(-1);
  }
}

/** What was printed of the part of the past that is read again. */
class Seen {
  readonly #start: Timestamp;
  readonly #keys = new Map<string, Timestamp>();
  #newest: Timestamp;

  constructor(start: Timestamp) {
    this.#start = start;
    this.#newest = start;
  }

  /** Where the next look begins. */
  begin(): AttemptCursor {
    let recordedAt = plusMilliseconds(this.#newest, -OVERLAP_MS);
    if (recordedAt < this.#start) recordedAt = this.#start;
    for (const [key, moment] of this.#keys) if (moment < recordedAt) this.#keys.delete(key);
    return { recorded_at: recordedAt, sequence: 0 };
  }

  /** Whether it is new. */
  add({ sequence, recorded_at }: AttemptCursor): boolean {
    const key = `${sequence} ${recorded_at}`;
    if (recorded_at > this.#newest) this.#newest = recorded_at;
    if (this.#keys.has(key)) return false;
    this.#keys.set(key, recorded_at);
    return true;
  }
}

interface Answer {
  now: Timestamp;
  attempts: WatchedAttempt[];
}

async function ask(
  env: NodeJS.ProcessEnv,
  accountId: string | undefined,
  cursor: AttemptCursor | undefined,
): Promise<Answer> {
  const query = {
    account_id: accountId,
    recorded_at: cursor?.recorded_at,
    sequence: cursor && String(cursor.sequence),
  };
  const answer: Answer = JSON.parse(await askService(env, { path: '/webhooks/attempts', query }));
  return answer;
}

async function print(line: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || process.stdout.write(`${line}\n`)) return;
  await once(process.stdout, 'drain', { signal }).catch(() => undefined);
}

function parse(args: readonly string[]): { accountId: string | undefined; isJson: boolean } {
  const [action, ...rest] = args;
  if (action !== 'tail') throw new UsageError('webhooks takes tail');
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { json: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new UsageError('webhooks tail takes the id of one account');
    return { accountId: positionals[0], isJson: values.json ?? false };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new UsageError(`webhooks: ${JSON.stringify(reason).slice(1, -1)}`);
  }
}
