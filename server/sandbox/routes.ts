import { fieldsOf } from '../fields.ts';
import { type OperationsEndpoints, OperationsError, type OperationsReply } from '../operations/listener.ts';
import type { SandboxStore } from '../store/store.ts';
import type { SandboxClock } from './clock.ts';
import type { SetWebhook, SetWebhookResult } from './webhook.ts';

const DEFAULT_MESSAGES = 100;
const MAX_MESSAGES = 1000;
const MAX_ADVANCE_SECONDS = 366 * 86_400;

/** What the sandbox's endpoints work on. */
export interface SandboxParts {
  inbox: Pick<SandboxStore, 'captured'>;
  clock: SandboxClock;
  setWebhook(request: SetWebhook): Promise<SetWebhookResult>;
}

/** The sandbox's endpoints on the operations listener: its inbox, its clock and where events go. While the service starts there are no parts yet. */
export function createSandboxRoutes(parts: () => SandboxParts | undefined): OperationsEndpoints {
  const started = () => {
    const present = parts();
    if (present === undefined) throw new OperationsError(503, 'The service is starting.');
    return present;
  };
  return {
    'GET /sandbox/messages': async ({ query }) => await listCaptured(started().inbox, query),
    'POST /sandbox/clock': async ({ json }) => await advanceClock(started().clock, await json()),
    'POST /sandbox/webhook': async ({ json }) => await setWebhook(started(), await json()),
  };
}

async function listCaptured(
  inbox: Pick<SandboxStore, 'captured'>,
  query: URLSearchParams,
): Promise<OperationsReply> {
  const captured = await inbox.captured({
    to: oneValue(query, 'to'),
    limit: limitOf(oneValue(query, 'limit')),
  });
  const messages = captured.map(({ from, to, received_at, raw }) => ({
    from,
    to,
    received_at,
    raw: Buffer.from(raw).toString('utf8'),
  }));
  return { status: 200, body: { messages } };
}

async function advanceClock(clock: SandboxClock, body: unknown): Promise<OperationsReply> {
  const seconds =
    typeof body === 'object' && body !== null && 'advance_seconds' in body ? body.advance_seconds : undefined;
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MAX_ADVANCE_SECONDS)) {
    throw new OperationsError(
      422,
      `Send {"advance_seconds": n}, where n is a number above 0 and at most ${MAX_ADVANCE_SECONDS} (a year).`,
    );
  }
  try {
    const { now, aheadSeconds } = await clock.advance(seconds);
    return { status: 200, body: { now, ahead_seconds: aheadSeconds } };
  } catch (error) {
    if (error instanceof RangeError) throw new OperationsError(422, error.message);
    throw error;
  }
}

async function setWebhook({ setWebhook }: SandboxParts, body: unknown): Promise<OperationsReply> {
  const { account_id: accountId, url } = fieldsOf(body);
  if (typeof accountId !== 'string' || typeof url !== 'string') {
    throw new OperationsError(422, 'Send {"account_id": "...", "url": "..."}.');
  }
  return { status: 200, body: await setWebhook({ accountId, url }) };
}

function oneValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new OperationsError(422, `The parameter ${name} may be given once.`);
  const [value] = values;
  // PostgreSQL has no NUL in text.
  if (value?.includes('\0'))
    throw new OperationsError(422, `The parameter ${name} has a NUL character in it.`);
  return value === '' ? undefined : value;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MESSAGES;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_MESSAGES) {
    throw new OperationsError(422, `The parameter limit is a whole number from 1 to ${MAX_MESSAGES}.`);
  }
  return limit;
}
