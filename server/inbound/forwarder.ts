import { setTimeout as delay } from 'node:timers/promises';
import { type ComposedMail, NotAttempted, type Transport } from '../delivery/mail.ts';
import { isAscii } from '../domain/ascii.ts';
import { withAsciiDomain } from '../domain/mailbox.ts';
import { nextAttemptAt } from '../domain/retry-schedule.ts';
import { type Clock, plusMilliseconds } from '../domain/time.ts';
import type { Forward } from '../store/rows.ts';
import type { ReportStore } from '../store/store.ts';
import { forwardSenderOf } from './addresses.ts';

export interface ForwarderOptions {
  store: Pick<ReportStore, 'takeForwards' | 'finishForward' | 'putOffForward'>;
  transport: Transport;
  clock: Clock;
  mailHostname: string;
  /** The database failed, mostly; the forwarder goes on. */
  fault: (what: string, error: unknown) => void;
  /** How long it waits before it looks again. */
  idleMs?: number;
}

/** Sends requests to unsubscribe on to the senders. */
export interface Forwarder {
  /** There is something to forward: it looks at once. */
  wake(): void;
  /** Takes no more and waits for what is on its way, which the end of the transport cuts off. */
  stop(): Promise<void>;
}

const IDLE_MS = 15_000;
const AT_ONCE = 5;
// A process that dies loses what it held so long; an attempt takes less.
const HELD_FOR_MS = 15 * 60_000;

/** Starts the forwarder. What cannot be sent is tried again by the schedule of messages, and given up as they are. */
export function startForwarder(options: ForwarderOptions): Forwarder {
  let wake = new AbortController();
  let isStopping = false;

  async function run(): Promise<void> {
    while (!isStopping) {
      const { signal } = wake;
      const sent = await round(options).catch((error: unknown) => {
        options.fault('Forwarding requests to unsubscribe failed.', error);
        return 0;
      });
      if (sent === 0) {
        await delay(options.idleMs ?? IDLE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
      if (wake.signal.aborted) wake = new AbortController();
    }
  }

  const running = run();
  return {
    wake: () => wake.abort(),
    async stop() {
      isStopping = true;
      wake.abort();
      await running;
    },
  };
}

/** Forwards what is due, up to so many; returns how many there were. */
async function round(options: ForwarderOptions): Promise<number> {
  const { store, clock } = options;
  const due = await store.takeForwards(AT_ONCE, plusMilliseconds(clock.now(), HELD_FOR_MS));
  await Promise.all(due.map((forward) => send(forward, options)));
  return due.length;
}

async function send(forward: Forward, options: ForwarderOptions): Promise<void> {
  const { store, transport, clock } = options;
  const { forwardId, createdAt, attempts } = forward;
  if (!forward.isCurrent) return await store.finishForward(forwardId);
  try {
    const { verdict } = await transport.send(mailOf(forward, options.mailHostname));
    const until = verdict.retry ? nextAttemptAt(createdAt, clock.now(), attempts, Math.random()) : undefined;
    if (until === undefined) await store.finishForward(forwardId);
    else await store.putOffForward(forwardId, { until, attempts });
  } catch (error) {
    if (!(error instanceof NotAttempted)) throw error;
    await store.putOffForward(forwardId, {
      until: plusMilliseconds(clock.now(), error.afterMs),
      attempts: attempts - 1,
    });
  }
}

function mailOf({ recipient, raw }: Forward, mailHostname: string): ComposedMail {
  const local = recipient.slice(0, recipient.lastIndexOf('@'));
  return {
    mailFrom: forwardSenderOf(mailHostname),
    recipient: isAscii(local) ? withAsciiDomain(recipient) : recipient,
    raw: Buffer.from(raw),
    headersNeedUtf8: false,
  };
}
