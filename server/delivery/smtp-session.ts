import { once } from 'node:events';
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isAscii } from '../domain/ascii.ts';
import { safeText } from '../domain/safe-text.ts';
import { asksToSlowDown } from '../domain/smtp-slow-down.ts';
import { type SmtpStage, type Verdict, verdictOfFault, verdictOfReply } from '../domain/smtp-verdict.ts';
import type { ComposedMail } from './mail.ts';
import {
  asSmtpError,
  ENCRYPTION_FAULT,
  faultOf,
  isLost,
  type Phase,
  type SmtpError,
  stageOf,
} from './smtp-faults.ts';

/** How long each step of a conversation may take. */
export interface SmtpTimeouts {
  /** From the first packet to the end of STARTTLS. */
  connectMs: number;
  /** The same, while mail for others waits for the room. */
  crowdedConnectMs: number;
  /** Between two signs of life of the server. */
  silenceMs: number;
  /** For one whole attempt, so that a server that drips bytes cannot hold a connection for ever. */
  attemptMs: number;
}

// RFC 5321, section 4.5.3.2 asks for five minutes at most steps and ten for the reply after the content.
export const SMTP_TIMEOUTS: SmtpTimeouts = {
  connectMs: 60_000,
  crowdedConnectMs: 10_000,
  silenceMs: 600_000,
  attemptMs: 1_800_000,
};

/** Whom to connect to, and how. */
export interface SmtpTarget {
  host: string;
  port: number;
  /** The IP address to connect to instead of asking for the host's. */
  address?: string;
  /** `off`: never. `try`: when the server offers it, whatever its certificate. `require`: or not at all. `implicit`: from the first byte. */
  tls: 'off' | 'try' | 'require' | 'implicit';
  /** Whether the server's certificate has to be valid for its name. */
  verifyCertificate: boolean;
  auth?: { user: string; pass: string };
  /** What we call ourselves in EHLO. */
  heloName: string;
  timeouts: SmtpTimeouts;
}

/** The end of a conversation, or of the attempt to begin one. */
export interface SmtpOutcome {
  verdict: Verdict;
  response: string;
  transcript: string;
  host: string;
  /** The reply that decided, if there was one. */
  reply?: { stage: SmtpStage; asksToSlowDown: boolean };
  /** No conversation could be begun. */
  unreachable?: boolean;
}

/** No conversation could be begun. */
export class ConnectFailure extends Error {
  readonly outcome: SmtpOutcome;
  /** STARTTLS was offered and failed: without it the server might be reached. */
  readonly tlsFailed: boolean;

  constructor(outcome: SmtpOutcome, tlsFailed: boolean) {
    super(outcome.response);
    this.name = 'ConnectFailure';
    this.outcome = outcome;
    this.tlsFailed = tlsFailed;
  }
}

const LONGEST_RESPONSE = 1000;
const LONGEST_TRANSCRIPT = 8000;
const LONGEST_REPLY_BYTES = 65_536;
const LONGEST_GOODBYE_MS = 1000;
const SERVER_CLOSES = 421;

/** One SMTP connection that has said hello and may send mails, one after another. */
export class SmtpSession {
  readonly host: string;
  readonly #target: SmtpTarget;
  readonly #connection: SMTPConnection;
  #transcript = '';
  #extensions = '';
  #saidHello = false;
  #saidStartTls = false;
  #encrypting = false;
  #alive = true;

  private constructor(target: SmtpTarget) {
    this.#target = target;
    this.host =
      target.address === undefined
        ? `${target.host}:${target.port}`
        : `${target.host} [${target.address}]:${target.port}`;
    this.#connection = new SMTPConnection({
      host: target.address ?? target.host,
      port: target.port,
      ...(target.address === undefined ? {} : { servername: target.host }),
      name: target.heloName,
      secure: target.tls === 'implicit',
      ignoreTLS: target.tls === 'off',
      requireTLS: target.tls === 'require',
      opportunisticTLS: target.tls === 'try',
      tls: { rejectUnauthorized: target.verifyCertificate },
      connectionTimeout: target.timeouts.connectMs,
      greetingTimeout: target.timeouts.connectMs,
      socketTimeout: target.timeouts.silenceMs,
      maxResponseSize: LONGEST_REPLY_BYTES,
      logger: {
        ...SILENT,
        debug: (entry: { tnx?: string }, line: unknown) => this.#note(entry.tnx, String(line)),
      },
      transactionLog: true,
    });
    this.#connection.on('end', () => {
      this.#alive = false;
    });
    // A fault of a connection in use reaches whoever uses it (`#step`); a fault of an idle one only ends it.
    this.#connection.on('error', () => {});
  }

  /** Connects, says hello, and logs in where asked to; `signal` cuts it off. Rejects with ConnectFailure. */
  static async open(target: SmtpTarget, signal: AbortSignal): Promise<SmtpSession> {
    const session = new SmtpSession(target);
    const cut = () => session.close();
    signal.addEventListener('abort', cut);
    try {
      await session.#step((done) => session.#connection.connect((error) => done(error)));
      const { auth } = target;
      if (auth !== undefined)
        await session.#step((done) => session.#connection.login({ credentials: auth }, done));
    } catch (error) {
      session.close();
      const failure = asSmtpError(error);
      throw new ConnectFailure(session.#failed(failure, 'connect'), session.#encrypting);
    } finally {
      signal.removeEventListener('abort', cut);
    }
    return session;
  }

  /** The connection can take another mail. */
  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Sends a mail. Undefined when the connection turned out to be dead, or the server closed it with 421, before the server saw anything of the content, so
   * that another connection may be tried; never undefined for a connection's first mail (`reused` false).
   */
  async send(mail: ComposedMail, reused: boolean): Promise<SmtpOutcome | undefined> {
    // The first mail's transcript begins with the greeting.
    if (reused) this.#transcript = '';
    const needsUtf8 = mail.headersNeedUtf8 || !isAscii(mail.recipient);
    if (needsUtf8 && !/\bSMTPUTF8\b/i.test(this.#extensions)) {
      return this.#fault(
        '5.6.7',
        'The address has characters beyond ASCII, and the server does not support SMTPUTF8.',
      );
    }
    if (mail.headersNeedUtf8 && isAscii(mail.recipient)) {
      return this.#fault(
        '5.6.7',
        "The sender's address has characters beyond ASCII, which the recipient's does not call for.",
      );
    }
    const content = Readable.from([mail.raw]);
    const deadline = setTimeout(() => this.#connection.close(), this.#target.timeouts.attemptMs);
    try {
      const envelope = { from: mail.mailFrom, to: [mail.recipient], size: mail.raw.length };
      const info = await this.#step<{ response: string }>((done) =>
        this.#connection.send(envelope, content, done),
      );
      const response = info?.response ?? '';
      return this.#replied(Number(response.slice(0, 3)), response, 'message');
    } catch (error) {
      const failure = asSmtpError(error);
      if (reused && !content.readableDidRead && hasEnded(failure)) {
        this.close();
        return undefined;
      }
      return this.#failed(failure, 'conversation');
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Makes ready for the next mail after one that was refused; closes the connection when the server will not. */
  async reset(): Promise<void> {
    if (!this.#alive) return;
    await this.#step((done) => this.#connection.reset(done)).catch(() => this.close());
  }

  /** Says goodbye. Resolves when the connection has ended, which a server that does not answer is not waited for long. */
  async quit(): Promise<void> {
    if (!this.#alive) return;
    this.#alive = false;
    const ended = once(this.#connection, 'end', { signal: AbortSignal.timeout(LONGEST_GOODBYE_MS) });
    this.#connection.quit();
    await ended.catch(() => this.close());
  }

  /** Cuts the connection; an attempt that runs on it fails. */
  close(): void {
    this.#alive = false;
    this.#connection.close();
  }

  /** Runs one step of the conversation; rejects when it fails or the connection ends before it is done. */
  #step<T>(begin: (done: (error?: Error | null, result?: T) => void) => void): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const onError = (error: Error) => settle(error);
      // nodemailer reports why after it has closed the connection.
      const onEnd = () =>
        setImmediate(() => settle(Object.assign(new Error('it was closed'), { code: 'ECONNECTION' })));
      const settle = (error: Error | null | undefined, result?: T) => {
        this.#connection.removeListener('error', onError);
        this.#connection.removeListener('end', onEnd);
        if (error) reject(error);
        else resolve(result);
      };
      this.#connection.once('error', onError);
      this.#connection.once('end', onEnd);
      begin(settle);
    });
  }

  #failed(error: SmtpError, during: Phase): SmtpOutcome {
    if (error.responseCode !== undefined && error.response !== undefined) {
      return this.#replied(error.responseCode, error.response, stageOf(error, during));
    }
    const { status, text } = this.#encrypting ? ENCRYPTION_FAULT : faultOf(error, during);
    return this.#fault(status, `${text}: ${error.message}`);
  }

  #replied(code: number, text: string, stage: SmtpStage): SmtpOutcome {
    const reply = { code, text, stage };
    return {
      ...this.#outcome(verdictOfReply(reply), text),
      reply: { stage, asksToSlowDown: asksToSlowDown(reply) },
    };
  }

  #fault(status: string, text: string): SmtpOutcome {
    return this.#outcome(verdictOfFault(status), `${status} ${text}`);
  }

  #outcome(verdict: Verdict, response: string): SmtpOutcome {
    const transcript = this.#transcript.slice(0, LONGEST_TRANSCRIPT);
    return { verdict, response: safeText(response, LONGEST_RESPONSE), transcript, host: this.host };
  }

  // nodemailer hides the secrets of AUTH in what it logs, and logs no content.
  #note(from: string | undefined, line: string): void {
    if (from !== 'client' && from !== 'server') return;
    if (from === 'server' && this.#saidHello) this.#extensions = line;
    this.#saidHello = from === 'client' && line.startsWith('EHLO ');
    // From the server's consent to STARTTLS until we say hello again, only TLS can fail.
    this.#encrypting = from === 'server' && this.#saidStartTls && line.startsWith('2');
    this.#saidStartTls = from === 'client' && line === 'STARTTLS';
    if (this.#transcript.length > LONGEST_TRANSCRIPT) return;
    const shown = line
      .split(/\r?\n/, 50)
      .map((part) => `${from === 'client' ? 'C' : 'S'}: ${safeText(part, LONGEST_RESPONSE)}`);
    this.#transcript += `${shown.join('\n')}\n`;
  }
}

/** The server has left this connection, by dropping it or with 421: it idled too long, or has carried enough (RFC 5321, 3.8). */
function hasEnded(failure: SmtpError): boolean {
  return failure.responseCode === undefined ? isLost(failure) : failure.responseCode === SERVER_CLOSES;
}

const nothing = () => {};
const SILENT = {
  level: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
