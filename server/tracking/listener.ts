import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '../domain/errors.ts';
import type { Visit } from '../domain/events.ts';
import { type Headers, LINGER, sendWhole } from '../http/answer.ts';
import { BodyTooLargeError, ClientGoneError, readBody } from '../http/body.ts';
import type { Subscription } from '../store/delivery-rows.ts';
import * as pages from './pages.ts';
import type { Recorder } from './recorder.ts';
import { readTrackingPath, type TrackedRequest } from './tokens.ts';
import { type UnsubscribeParts, unsubscribe } from './unsubscribe.ts';
import { visitOf } from './visit.ts';

export interface TrackingParts extends UnsubscribeParts {
  /** Under which the URLs were signed. */
  key: string | Buffer;
  /** Writes visits in the background. */
  recorder: Pick<Recorder, 'add'>;
  /** A proxy in front tells the client's address. */
  trustProxy: boolean;
  observer: {
    /** `kind` is that of the URL, or `unknown`. */
    webRequestFinished(kind: TrackedRequest['kind'] | 'unknown', status: number, automated: boolean): void;
    fault(what: string, error: unknown): void;
  };
}

interface Reply {
  status: number;
  headers: Headers;
  body: string | Uint8Array;
}

// Transparent, 1 by 1.
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const BODY_LIMITS = { maxBytes: 4096, stallMs: 5_000, totalMs: 15_000 };
const RETRY_AFTER_SECONDS = 60;
// Nobody downstream is told which message somebody came from, and no crawler is invited.
const ALWAYS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };

/**
 * Answers what recipients' programs ask of the web listener: pixels, tracked links and unsubscribing. A pixel and a redirect
 * need nothing but the key, so that they leave at once and also while the database is away.
 */
export function createTracking(parts: TrackingParts): RequestListener {
  return (request, response) => {
    const visit = visitOf(request, parts.trustProxy);
    const tracked = trackedRequest(request, parts.key);
    answer(parts, request, response, tracked, visit)
      .catch((error: unknown) => unavailable(parts, error))
      .then((reply) => {
        if (reply === undefined) return;
        sendWhole(request, response, reply.status, { ...ALWAYS, ...reply.headers }, reply.body, LINGER);
        parts.observer.webRequestFinished(tracked?.kind ?? 'unknown', reply.status, visit.automated);
      })
      .catch((error: unknown) => parts.observer.fault('A request to the web listener failed.', error));
  };
}

/** Method and path together make the URL; what stands behind a question mark was added on the way. */
function trackedRequest(
  { method, url = '' }: IncomingMessage,
  key: string | Buffer,
): TrackedRequest | undefined {
  const [path = ''] = url.split('?', 1);
  const tracked = readTrackingPath(path, key);
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead || (method === 'POST' && tracked?.kind === 'unsubscribe') ? tracked : undefined;
}

async function answer(
  parts: TrackingParts,
  request: IncomingMessage,
  response: ServerResponse,
  tracked: TrackedRequest | undefined,
  visit: Visit,
): Promise<Reply> {
  switch (tracked?.kind) {
    case undefined:
      return pageReply(pages.notFoundPage());
    case 'open':
      parts.recorder.add({ ...eventOf(parts, tracked.messageId), ...visit, type: 'open' });
      return { status: 200, headers: { 'Content-Type': 'image/gif' }, body: PIXEL };
    case 'click': {
      const trackingUrlDestination = tracked.destination;
      parts.recorder.add({
        ...eventOf(parts, tracked.messageId),
        ...visit,
        type: 'click',
        trackingUrlDestination,
      });
      return redirect(trackingUrlDestination);
    }
    case 'unsubscribe':
      return request.method === 'POST'
        ? await unsubscribeByPost(parts, request, response, tracked.messageId)
        : await showUnsubscribe(await parts.store.subscription(tracked.messageId));
  }
}

function eventOf({ clock }: TrackingParts, messageId: string) {
  return { eventId: randomUUIDv7(), messageId, receivedAt: clock.now() };
}

/** A person has opened the link: they are sent to the sender's own page, if there is one, or asked here. Nothing is changed yet. */
function showUnsubscribe(subscription: Subscription | undefined): Reply {
  if (subscription === undefined) return pageReply(pages.forgottenPage());
  const own = URL.parse(subscription.listUnsubscribe ?? '');
  if (own?.protocol === 'https:' || own?.protocol === 'http:') return redirect(own.href);
  return pageReply(pages.confirmationPage(subscription));
}

/** RFC 8058: only this unsubscribes, and it is never answered with a redirect. */
async function unsubscribeByPost(
  parts: TrackingParts,
  request: IncomingMessage,
  response: ServerResponse,
  messageId: string,
): Promise<Reply> {
  if (!(await asksToUnsubscribe(request, response))) return pageReply(pages.notAskedPage());
  const subscription = await unsubscribe(messageId, parts);
  return pageReply(subscription === undefined ? pages.forgottenPage() : pages.unsubscribedPage(subscription));
}

async function asksToUnsubscribe(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  try {
    const bytes = await readBody(request, BODY_LIMITS);
    return (await fieldOf(bytes, request.headers['content-type'] ?? '')) === 'One-Click';
  } catch (error) {
    if (error instanceof BodyTooLargeError || error instanceof ApiError) return false;
    throw error;
  }
}

/** The field `List-Unsubscribe` of a form in either encoding (RFC 8058, section 3.1). Anything that is no form has none. */
async function fieldOf(bytes: Buffer, contentType: string): Promise<unknown> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    return new URLSearchParams(bytes.toString('latin1').trim()).get('List-Unsubscribe');
  }
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
    return form.get('List-Unsubscribe');
  } catch {
    return undefined;
  }
}

function redirect(location: string): Reply {
  const headers = { Location: location, 'Content-Type': 'text/plain; charset=utf-8' };
  return { status: 302, headers, body: 'The page is elsewhere.\n' };
}

function pageReply({ status, html }: pages.Page): Reply {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pages.PAGE_POLICY,
    ...(status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {}),
  };
  return { status, headers, body: html };
}

function unavailable({ observer }: TrackingParts, error: unknown): Reply | undefined {
  if (error instanceof ClientGoneError) return undefined;
  observer.fault('Unsubscribing failed; the recipient was asked to try again.', error);
  return pageReply(pages.unavailablePage());
}
