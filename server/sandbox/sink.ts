import { Batcher } from '../batcher.ts';
import type { MailDestination } from '../inbound/destination.ts';
import type { CapturedMail } from '../store/delivery-rows.ts';
import type { SandboxStore } from '../store/store.ts';
import { simulatedRefusal } from './simulator.ts';

const LARGEST_BATCH = 200;

/** The destination for all mail of the sandbox: takes every mail and keeps it byte for byte, so that none leaves the machine. */
export function createSink(store: Pick<SandboxStore, 'capture'>): MailDestination {
  const captured = new Batcher<CapturedMail>((mails) => store.capture(mails), LARGEST_BATCH);
  return {
    keepBytes: Number.POSITIVE_INFINITY,
    thanks: '2.0.0 Kept in the sandbox',
    recipient: (address) => simulatedRefusal(address) ?? 'taken',
    take: ({ from, to, receivedAt, raw }) => captured.add({ from, to, received_at: receivedAt, raw }),
  };
}
