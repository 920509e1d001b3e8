import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Clock } from '../domain/time.ts';
import { type MailDestination, MailRefused, type ReceivedMail, type Refusal } from './destination.ts';
import { Strangers } from './strangers.ts';

export interface SmtpListenerOptions {
  /** The first that knows an address takes its mail; undefined while the service starts. */
  destinations: () => readonly MailDestination[] | undefined;
  clock: Clock;
  /** 0 for any free port. */
  port: number;
  /** Undefined: every address of the machine. */
  host: string | undefined;
  /** What the server calls itself. */
  hostname: string;
  /** Behind the name in the greeting. */
  banner?: string;
  /** For STARTTLS, which is not offered without. */
  tls?: { cert: string; key: string } | undefined;
  /** Told when a mail could not be taken through a fault of ours; its sender was asked to try again. */
  onFault: (error: unknown) => void;
  /** Told of each recipient that was refused. */
  onRefusal?: (refusal: Refusal) => void;
  /** The largest mail that is taken. */
  maxBytes?: number;
}

/** The listener for all mail that comes in. */
export interface SmtpListener {
  readonly port: number;
  /** Presents another certificate from now on. */
  renew(tls: { cert: string; key: string }): void;
  close(): Promise<void>;
}

// A message of 10 MB in base64, and its headers: as large as what may come back.
const MAX_BYTES = 32 * 1024 * 1024;
// RFC 5321, 4.5.3.1: 512 bytes, and what extensions add.
const LONGEST_COMMAND = 2048;
const MOST_RECIPIENTS = 100;
const MOST_CLIENTS = 200;
const SILENCE_MS = 300_000;
const CLOSE_MS = 1000;
const NO_RELAY: Refusal = { code: 550, text: '5.7.1 This server does not relay' };
const STARTING: Refusal = { code: 451, text: '4.3.2 The service is starting' };
const NOT_KNOWN: Refusal = { code: 451, text: '4.3.0 The recipient could not be looked up' };
const NOT_NOW: Refusal = { code: 451, text: '4.3.0 The mail could not be stored' };
const TOO_LARGE: Refusal = { code: 552, text: '5.3.4 The mail is larger than this server takes' };

/**
 * Starts the listener. Mail for nobody's address is refused: it relays for no one. A mail is replied to when every destination
 * has it. Rejects when the port is taken.
 */
export async function startSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const { port, host, hostname, banner, tls, maxBytes = MAX_BYTES } = options;
  const strangers = new Strangers();
  const server = new SMTPServer({
    name: hostname,
    ...(banner === undefined ? {} : { banner }),
    ...(tls === undefined ? {} : { ...tls, minVersion: 'TLSv1.2' }),
    size: maxBytes,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(tls === undefined ? ['STARTTLS'] : [])],
    disableReverseLookup: true,
    // Addresses such as `a..b.@docomo.ne.jp` are in daily use; what could harm is refused all the same.
    lenientAddressParsing: true,
    maxCommandLength: LONGEST_COMMAND,
    maxRecipients: MOST_RECIPIENTS,
    maxClients: MOST_CLIENTS,
    socketTimeout: SILENCE_MS,
    closeTimeout: CLOSE_MS,
    logger: false,
    onConnect: (session, done) => done(errorOf(strangers.enter(session))),
    onClose: (session) => strangers.leave(session),
    onRcptTo({ address }, session, done) {
      refusalOf(options, address).then(
        (refusal) => {
          if (refusal !== undefined) options.onRefusal?.(refusal);
          done(errorOf(refusal === undefined ? undefined : (strangers.refused(session) ?? refusal)));
        },
        (error: unknown) => {
          options.onFault(error);
          done(errorOf(NOT_KNOWN));
        },
      );
    },
    onData(stream, session, done) {
      receive(stream, session, options).then(
        (thanks) => done(null, thanks),
        (error: unknown) => {
          if (!(error instanceof MailRefused)) options.onFault(error);
          done(error instanceof MailRefused ? error : errorOf(NOT_NOW));
        },
      );
    },
  });
  // A fault of one client's connection; it ends that connection and nothing else.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => strangers.limitTime(socket));
  const listener = server.listen(port, host);
  await once(listener, 'listening');
  return {
    port: portOf(listener.address()),
    renew: (next) => server.updateSecureContext({ ...next, minVersion: 'TLSv1.2' }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function refusalOf(
  { destinations }: SmtpListenerOptions,
  address: string,
): Promise<Refusal | undefined> {
  const present = destinations();
  if (present === undefined) return STARTING;
  for (const destination of present) {
    const answer = await destination.recipient(address);
    if (answer !== undefined) return answer === 'taken' ? undefined : answer;
  }
  return NO_RELAY;
}

/** Reads a mail and hands it to each destination that takes one of its recipients; returns what to reply. */
async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  { destinations, clock }: SmtpListenerOptions,
): Promise<string> {
  const addresses = session.envelope.rcptTo.map(({ address }) => address);
  const shares = await sharesOf(destinations() ?? [], addresses);
  const raw = await readBeginning(stream, Math.max(...shares.map(({ by }) => by.keepBytes)));
  const { mailFrom } = session.envelope;
  const mail = {
    from: mailFrom === false ? '' : mailFrom.address,
    receivedAt: clock.now(),
    client: { name: String(session.hostNameAppearsAs), address: session.remoteAddress },
  };
  for (const { by, to } of shares) await by.take({ ...mail, ...cut(raw, by.keepBytes), to });
  return shares[0]?.by.thanks ?? '2.0.0 Taken';
}

interface Share {
  by: MailDestination;
  to: string[];
}

async function sharesOf(
  destinations: readonly MailDestination[],
  addresses: readonly string[],
): Promise<Share[]> {
  const shares = destinations.map((by): Share => ({ by, to: [] }));
  for (const address of addresses) (await shareOf(address, shares))?.to.push(address);
  return shares.filter(({ to }) => to.length > 0);
}

async function shareOf(address: string, shares: readonly Share[]): Promise<Share | undefined> {
  for (const share of shares) if ((await share.by.recipient(address)) === 'taken') return share;
  return undefined;
}

/** Reads to the end, as it must be, and keeps one byte more than so many: it tells that there were more. */
async function readBeginning(stream: SMTPServerDataStream, keepBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let kept = 0;
  for await (const chunk of stream) {
    if (stream.sizeExceeded) chunks.length = 0;
    else if (kept <= keepBytes) {
      const beginning: Buffer = chunk.subarray(0, keepBytes + 1 - kept);
      chunks.push(beginning);
      kept += beginning.length;
    }
  }
  if (stream.sizeExceeded) throw new MailRefused(TOO_LARGE);
  return Buffer.concat(chunks);
}

function cut(raw: Buffer, keepBytes: number): Pick<ReceivedMail, 'raw' | 'isComplete'> {
  return { raw: raw.subarray(0, keepBytes), isComplete: raw.length <= keepBytes };
}

function errorOf(refusal: Refusal | undefined): Error | null {
  return refusal === undefined
    ? null
    : Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The SMTP listener is not listening on a port.');
  return address.port;
}
