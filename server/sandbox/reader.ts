import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { CapturedMail, OutgoingMessage } from '../store/delivery-rows.ts';
import type { SandboxStore } from '../store/store.ts';
import { type SimulatedAct, simulatedAct } from './simulator.ts';

export interface ReaderOptions {
  inbox: Pick<SandboxStore, 'captured'>;
  /** What the links in mails begin with. */
  webUrl: string;
  /** Where the web listener is, and the certificate to trust if it speaks HTTPS. */
  web: { host: string; port: number; ca: string | undefined };
  /** Sends a complaint about a mail to this service. */
  complain: (mail: CapturedMail) => Promise<void>;
  fault: (what: string, error: unknown) => void;
  /** The pause before the second attempt; it doubles with each further one. */
  retryMs?: number;
}

/** Plays the recipients of the simulator who open, click, unsubscribe and complain: reads their mail and uses what stands in it. */
export interface Reader {
  /** A message has been delivered, and that is recorded. */
  delivered(message: Pick<OutgoingMessage, 'messageId' | 'to'>): void;
  /** Gives up what is under way. */
  stop(): Promise<void>;
}

/** What is done with a browser or a mail program. */
type WebAct = Exclude<SimulatedAct, 'spam_complaint'>;

interface Task {
  act: SimulatedAct;
  address: string;
  messageId: string;
}

/** What the recipient's program sends. */
interface Errand {
  method: 'GET' | 'POST';
  url: string;
}

const MOST_AT_ONCE = 8;
const MOST_WAITING = 10_000;
const ATTEMPTS = 5;
const RETRY_MS = 200;
const TIMEOUT_MS = 10_000;
const USER_AGENT = 'Mozilla/5.0 (sendspec simulator)';
const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** Creates the reader; it works in the background and never holds up a delivery. */
export function createReader(options: ReaderOptions): Reader {
  const stopping = new AbortController();
  const waiting: Task[] = [];
  const running = new Set<Promise<void>>();

  function next(): void {
    while (running.size < MOST_AT_ONCE && !stopping.signal.aborted) {
      const task = waiting.shift();
      if (task === undefined) return;
      const work = play(task, options, stopping.signal).finally(() => {
        running.delete(work);
        next();
      });
      running.add(work);
    }
  }

  return {
    delivered({ messageId, to }) {
      const act = simulatedAct(to.email);
      if (act === undefined || waiting.length >= MOST_WAITING) return;
      waiting.push({ act, address: to.email, messageId });
      next();
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function play(task: Task, options: ReaderOptions, stopping: AbortSignal): Promise<void> {
  for (let attempt = 1; !stopping.aborted; attempt++) {
    try {
      await act(task, options, stopping);
      return;
    } catch (error) {
      if (stopping.aborted) return;
      if (attempt === ATTEMPTS) {
        options.fault(`The simulator could not ${task.act} message ${task.messageId}.`, error);
        return;
      }
      const pause = (options.retryMs ?? RETRY_MS) * 2 ** (attempt - 1);
      await delay(pause, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

async function act(task: Task, options: ReaderOptions, stopping: AbortSignal): Promise<void> {
  const mail = await mailOf(task, options);
  if (task.act === 'spam_complaint') return await options.complain(mail);
  const errand = await errandOf(task.act, mail, options);
  if (errand !== undefined) await run(errand, options, stopping);
}

async function mailOf({ address, messageId }: Task, { inbox }: ReaderOptions): Promise<CapturedMail> {
  const [mail] = await inbox.captured({ to: address, containing: `Message-ID: <${messageId}@`, limit: 1 });
  if (mail === undefined) throw new Error('The mail is not in the inbox of the sandbox.');
  return mail;
}

/** Undefined when the mail has nothing to open, to follow or to unsubscribe with. */
async function errandOf(
  act: WebAct,
  mail: CapturedMail,
  { webUrl }: ReaderOptions,
): Promise<Errand | undefined> {
  // Only the sandbox reads mail.
  const { simpleParser } = await import('mailparser');
  const { html, headerLines } = await simpleParser(Buffer.from(mail.raw));
  const text = html === false ? '' : html;
  const header = headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
  const found: Record<WebAct, string | undefined> = {
    open: urlsIn(text, `${webUrl}/o/`)[0],
    click: urlsIn(text, `${webUrl}/c/`)[0],
    unsubscribe: urlsIn(header, `${webUrl}/u/`)[0],
  };
  const url = found[act];
  return url === undefined ? undefined : { method: act === 'unsubscribe' ? 'POST' : 'GET', url };
}

function urlsIn(text: string, beginning: string): string[] {
  const urls = text.matchAll(/https?:\/\/[\w.:[\]/-]+/g);
  return [...urls].map(([url]) => url).filter((url) => url.startsWith(beginning));
}

/** Sends it to the listener of this very process, by whatever name the world knows that. */
function run({ method, url }: Errand, { web }: ReaderOptions, stopping: AbortSignal): Promise<void> {
  const { pathname, host } = new URL(url);
  const body = method === 'POST' ? ONE_CLICK : '';
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  const options = {
    method,
    host: web.host,
    port: web.port,
    path: pathname,
    agent: false,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: { host, 'user-agent': USER_AGENT, ...(method === 'POST' ? form : {}) },
  };
  return new Promise((resolve, reject) => {
    const outgoing =
      web.ca === undefined
        ? requestPlain(options)
        : requestTls({
            ...options,
            ca: web.ca,
            allowPartialTrustChain: true,
            checkServerIdentity: () => undefined,
          });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      response.on('error', reject);
      const { statusCode = 0 } = response;
      if (statusCode < 400) response.on('end', resolve);
      else reject(new Error(`The web listener answered ${statusCode}.`));
    });
    outgoing.end(body);
  });
}
