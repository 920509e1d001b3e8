import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { Batcher } from '../delivery/batcher.ts';
import type { Clock } from '../domain/time.ts';
import type { CapturedMail } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';
import { simulatedRefusal } from './simulator.ts';

export interface SinkOptions {
  store: Pick<SandboxStore, 'capture'>;
  clock: Clock;
  /** 0 for any free port. */
  port: number;
  /** What the sink calls itself. */
  hostname: string;
  /** Told when a mail could not be stored; its sender was asked to try again. */
  onFault: (error: unknown) => void;
  /** The largest mail that is taken. */
  maxBytes?: number;
}

/** The mail server of the sandbox: takes every mail and keeps it, so that nothing leaves the machine. */
export interface Sink {
  readonly port: number;
  close(): Promise<void>;
}

// A message of 10 MB in base64, and its headers.
const MAX_BYTES = 32 * 1024 * 1024;
const LARGEST_BATCH = 200;
const MOST_CLIENTS = 200;
const SILENCE_MS = 300_000;
const CLOSE_MS = 1000;

/** Starts the sink on loopback. Rejects when the port is taken. */
export async function startSink({
  store,
  clock,
  port,
  hostname,
  onFault,
  maxBytes = MAX_BYTES,
}: SinkOptions): Promise<Sink> {
  const captured = new Batcher<CapturedMail>((mails) => store.capture(mails), LARGEST_BATCH);
  const server = new SMTPServer({
    name: hostname,
    banner: 'sendspec sandbox: every mail ends here',
    size: maxBytes,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: MOST_CLIENTS,
    socketTimeout: SILENCE_MS,
    closeTimeout: CLOSE_MS,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const refusal = simulatedRefusal(address);
      done(refusal === undefined ? null : reply(refusal.code, refusal.text));
    },
    onData(stream, session, done) {
      receive(stream, session, clock)
        .then((mail) => captured.add(mail))
        .then(
          () => done(null, '2.0.0 Kept in the sandbox'),
          (error: unknown) => {
            if (!(error instanceof MailTooLarge)) onFault(error);
            done(error instanceof MailTooLarge ? error : reply(451, '4.3.0 The mail could not be stored'));
          },
        );
    },
  });
  // A fault of one client's connection; it ends that connection and nothing else.
  server.on('error', () => {});
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: portOf(listener.address()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

class MailTooLarge extends Error {
  readonly responseCode = 552;

  constructor() {
    super('5.3.4 The mail is larger than the sandbox takes');
  }
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  clock: Clock,
): Promise<CapturedMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    // The rest of a mail that is too large is read, as it must be, and not kept.
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw new MailTooLarge();
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    received_at: clock.now(),
    raw: Buffer.concat(chunks),
  };
}

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The sink is not listening on a port.');
  return address.port;
}
