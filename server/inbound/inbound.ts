import { eventIdOf } from '../domain/event-id.ts';
import { type Clock, MILLISECONDS_PER_DAY, plusMilliseconds, type Timestamp } from '../domain/time.ts';
import type { MailReport } from '../store/delivery-rows.ts';
import type { DeliveryStore, ReportStore } from '../store/store.ts';
import { unsubscribeEvent } from '../tracking/unsubscribe.ts';
import { type AddressBook, createAddressBook, hostOfPostmaster, type Purpose } from './addresses.ts';
import { isAutomaticReply } from './automatic.ts';
import { type Bounce, readBounce } from './delivery-report.ts';
import { type Answer, type MailDestination, MailRefused, type ReceivedMail } from './destination.ts';
import { readFeedbackReport } from './feedback-report.ts';
import { forwardOf } from './forwarding.ts';
import { type MimePart, readMime } from './mime.ts';
import { createPostmaster, type Postmaster, type PostmasterOptions } from './postmaster.ts';

export interface InboundOptions extends PostmasterOptions {
  store: Pick<DeliveryStore, 'subscription'>;
  reports: Pick<ReportStore, 'acceptedAt' | 'record' | 'queueForward' | 'isReturnPathHost'>;
  clock: Clock;
  /** Signs the addresses that mail comes back to. */
  key: string | Buffer;
  /** Told what a mail was taken for: the type of its event, or why it has none. */
  mailRead: (outcome: InboundOutcome) => void;
  /** There is something to forward. */
  forwardQueued: () => void;
}

export type InboundOutcome =
  | 'hard_bounce'
  | 'soft_bounce'
  | 'spam_complaint'
  | 'unsubscribe'
  /** It was known already, or its message is gone. */
  | 'without_effect'
  | 'automatic_reply'
  | 'not_final'
  | 'not_a_report'
  /** The message is too old for a report to be believed. */
  | 'stale'
  /** A complaint that names no message of ours, or says nothing against it. */
  | 'no_complaint'
  | 'postmaster'
  | 'discarded';

/** A mail, its structure, and who it reports on. */
interface Reading {
  mail: ReceivedMail;
  content: MimePart;
}

// The report stands before the mail that comes back with it, so that the beginning is enough.
const KEEP_BYTES = 1024 * 1024;
const BELIEVED_FOR_MS = 30 * MILLISECONDS_PER_DAY;
const UNKNOWN = { code: 550, text: '5.1.1 There is no such address here' };
const UNSUBSCRIBE_TOO_LARGE = { code: 552, text: '5.3.4 The mail is larger than a request to unsubscribe' };

/** The destination for mail to the service itself: bounces, feedback reports, requests to unsubscribe. */
export function createInbound(options: InboundOptions): MailDestination {
  const book = createAddressBook(options.mailHostname, options.key);
  const inbound = new Inbound(options, book);
  return {
    keepBytes: KEEP_BYTES,
    thanks: '2.0.0 Taken',
    recipient: (address) => inbound.recipient(address),
    take: (mail) => inbound.take(mail),
  };
}

class Inbound {
  readonly #options: InboundOptions;
  readonly #book: AddressBook;
  readonly #postmaster: Postmaster;

  constructor(options: InboundOptions, book: AddressBook) {
    this.#options = options;
    this.#book = book;
    this.#postmaster = createPostmaster(options);
  }

  async recipient(address: string): Promise<Answer> {
    const found = await this.#purposeOf(address);
    if (found === undefined) return undefined;
    if (found === 'unknown') return UNKNOWN;
    return found.kind === 'postmaster' ? this.#postmaster.answer : 'taken';
  }

  /** What is known of the address itself; or that it is the postmaster of a domain whose bounces come here. */
  async #purposeOf(address: string): Promise<ReturnType<AddressBook['find']>> {
    const found = this.#book.find(address);
    if (found !== undefined) return found;
    const host = hostOfPostmaster(address);
    const isOurs = host !== undefined && (await this.#options.reports.isReturnPathHost(host));
    return isOurs ? { kind: 'postmaster' } : undefined;
  }

  /** Everything that the mail says is recorded when this resolves. Recording it again has no effect. */
  async take(mail: ReceivedMail): Promise<void> {
    const reading = { mail, content: readMime(mail.raw) };
    const kinds = new Set<Purpose['kind']>();
    for (const address of mail.to) {
      const purpose = await this.#purposeOf(address);
      if (purpose === undefined || purpose === 'unknown') continue;
      // To postmaster@ and abuse@ is to the same people.
      if (purpose.kind === 'postmaster' && kinds.has('postmaster')) continue;
      kinds.add(purpose.kind);
      this.#options.mailRead(await this.#read(purpose, reading));
    }
  }

  #read(purpose: Purpose, reading: Reading): Promise<InboundOutcome> | InboundOutcome {
    switch (purpose.kind) {
      case 'bounce':
        return this.#bounce(purpose.messageId, reading);
      case 'unsubscribe':
        return this.#unsubscribe(purpose.messageId, reading);
      case 'feedback':
        return this.#complaint(reading);
      case 'postmaster':
        return this.#toPostmaster(reading);
      case 'discard':
        return 'discarded';
    }
  }

  async #bounce(messageId: string, { mail, content }: Reading): Promise<InboundOutcome> {
    const bounce = readBounce(content, mail.from === '');
    if (bounce.kind === 'none') return bounce.reason;
    const acceptedAt = await this.#options.reports.acceptedAt(messageId);
    if (acceptedAt === undefined) return 'without_effect';
    if (plusMilliseconds(acceptedAt, BELIEVED_FOR_MS) < mail.receivedAt) return 'stale';
    return await this.#record(bounceReport(messageId, bounce, mail.receivedAt));
  }

  async #complaint({ mail, content }: Reading): Promise<InboundOutcome> {
    const report = readFeedbackReport(content);
    if (report === undefined || !report.isComplaint) return 'no_complaint';
    const messageId = this.#onlyMessage(report.addresses);
    if (messageId === undefined) return 'no_complaint';
    const eventId = eventIdOf('spam_complaint', messageId);
    return await this.#record({
      event: { type: 'spam_complaint', eventId, messageId, receivedAt: mail.receivedAt },
    });
  }

  /** The message that the signed addresses name. None when they name several: a report is about one. */
  #onlyMessage(addresses: readonly string[]): string | undefined {
    const found = addresses.map((address) => this.#book.find(address));
    const ids = found.flatMap((purpose) =>
      typeof purpose === 'object' && 'messageId' in purpose ? [purpose.messageId] : [],
    );
    return new Set(ids).size === 1 ? ids[0] : undefined;
  }

  async #unsubscribe(messageId: string, { mail, content }: Reading): Promise<InboundOutcome> {
    if (!mail.isComplete) throw new MailRefused(UNSUBSCRIBE_TOO_LARGE);
    if (isAutomaticReply(content.headers) || content.type === 'multipart/report') return 'automatic_reply';
    const subscription = await this.#options.store.subscription(messageId);
    if (subscription === undefined) return 'without_effect';
    const event = unsubscribeEvent(messageId, subscription, mail.receivedAt);
    if (event === undefined) return 'without_effect';
    const forward = forwardOf(mail, content, subscription.listUnsubscribe, this.#options.mailHostname);
    if (forward === undefined || this.#book.find(forward.recipient) !== undefined) {
      return await this.#record({ event });
    }
    const outcome = await this.#record({ event, forward });
    this.#options.forwardQueued();
    return outcome;
  }

  async #toPostmaster({ mail, content }: Reading): Promise<InboundOutcome> {
    const forward = await this.#postmaster.forwardOf(mail, content);
    await this.#options.reports.queueForward({ ...forward, receivedAt: mail.receivedAt });
    this.#options.forwardQueued();
    return 'postmaster';
  }

  async #record(report: MailReport): Promise<InboundOutcome> {
    const isNew = await this.#options.reports.record(report);
    return isNew ? report.event.type : 'without_effect';
  }
}

/** One of each kind for a message: who has one report cannot fill the log with it. */
function bounceReport(messageId: string, bounce: Bounce, receivedAt: Timestamp): MailReport {
  const { verdict, response, host, fields } = bounce;
  const smtpLogId = eventIdOf('smtp_log', 'report', messageId, verdict);
  return {
    event: {
      type: verdict,
      eventId: eventIdOf('bounce_report', messageId, verdict),
      messageId,
      receivedAt,
      smtpResponse: response,
      smtpLogId,
    },
    attempt: {
      smtpLogId,
      attempt: 0,
      startedAt: receivedAt,
      finishedAt: receivedAt,
      host,
      verdict,
      response,
      transcript: fields,
    },
  };
}
