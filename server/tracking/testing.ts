import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { simpleParser } from 'mailparser';
import { expect } from 'vitest';
import type { components } from '../../generated/types.ts';
import { eventually, startApi, type TestApi, type TestTenant } from '../testing.ts';

type Schemas = components['schemas'];
type Event = Schemas['MessageEvent'];

// For tests of tracking: what a recipient's programs do.

/** The answer to a visit. */
export interface VisitAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

export interface VisitOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Requests a URL exactly as it is written, and follows no redirect. */
export function visit(
  url: string,
  { method = 'GET', headers = {}, body }: VisitOptions = {},
): Promise<VisitAnswer> {
  const [, host = '', port = '', path = ''] = /^http:\/\/([^/:]+):(\d+)(.*)$/.exec(url) ?? [];
  return new Promise((resolve, reject) => {
    const all = { 'user-agent': BROWSER, ...headers };
    const outgoing = request({ method, host, port, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text: bytes.toString(),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** What a mail has for its recipient to use. */
export interface ReceivedMail {
  html: string;
  text: string;
  pixels: string[];
  links: string[];
  /** The HTTPS (here HTTP) and the mail address of List-Unsubscribe. */
  oneClick: string;
  unsubscribeAddress: string;
  oneClickBody: string;
}

/** Reads a mail as a mail program does. */
export async function readMail(raw: string): Promise<ReceivedMail> {
  const { html, text = '', headerLines } = await simpleParser(raw);
  const document = html === false ? '' : html;
  const header = (name: string) =>
    (headerLines.find(({ key }) => key === name)?.line ?? '')
      .replace(/\r?\n(?=[ \t])/g, '')
      .replace(/^[^:]*:\s*/, '');
  const all = (pattern: RegExp) =>
    [...document.matchAll(pattern)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
  const [, unsubscribeAddress = ''] = /<mailto:([^<>]*)>/.exec(header('list-unsubscribe')) ?? [];
  const [, oneClick = ''] = /<(https?:[^<>]*)>/.exec(header('list-unsubscribe')) ?? [];
  return {
    html: document,
    text,
    pixels: all(/<img [^>]*src="([^"]*)"/g),
    links: all(/<a [^>]*href="([^"]*)"/g),
    oneClick,
    unsubscribeAddress,
    oneClickBody: header('list-unsubscribe-post'),
  };
}

/** The one link of the HTML that is sent, as its sender means it. */
export const SHOP = 'https://shop.demo.test/offers?id=7&name=%C5%BE';
export const HTML = `<html><body><p>News</p><a href="${SHOP.replace('&', '&amp;')}">Shop</a></body></html>`;
/** Everything that this is about. */
export const ALL = { track_opens: true, track_clicks: true, list_id: 'news.demo.test' };

/** A message that has arrived. */
export interface Delivered extends ReceivedMail {
  id: string;
  to: string;
  pixel: string;
  link: string;
}

/** The API, a tenant who sends from demo.test, and what becomes of his mail. */
export interface TrackedApi {
  api: TestApi;
  tenant: TestTenant;
  /** Sends a message that asks for everything unless told otherwise, and waits until it has arrived and that is known. */
  deliver(
    change?: Record<string, unknown>,
    sender?: Pick<TestTenant, 'account' | 'call'>,
  ): Promise<Delivered>;
  /** What happened after the delivery, oldest first, once it is this much; fails when it becomes more. */
  visitsOf(id: string, count: number, call?: TestTenant['call']): Promise<Event[]>;
  messageOf(id: string): Promise<Schemas['Message']>;
  suppressionsOf(address: string): Promise<Schemas['Suppression'][]>;
}

/** Starts it. */
export async function startTracked(): Promise<TrackedApi> {
  const api = await startApi();
  const tenant = await api.createTenant();
  let serial = 0;

  const eventsOf = async (id: string, call = tenant.call): Promise<Event[]> => {
    const { data } = await call('GET', `/v1/messages/${id}/events`, { query: { limit: 1000 } });
    return (data as Event[]).toReversed();
  };

  const deliver: TrackedApi['deliver'] = async (change = ALL, { account, call } = tenant) => {
    const to = `ada-${serial++}@customer.test`;
    const message = { from: { email: 'hello@demo.test' }, to: [{ email: to }], subject: 'News' };
    const { data } = await api.call('POST', '/v1/send_email', {
      basic: account,
      body: [{ ...message, body: { html: HTML, text: SHOP }, ...change }],
    });
    const [{ message_id: id = '' } = {}] = data as { message_id?: string }[];
    await eventually(async () => (await eventsOf(id, call)).length === 2);
    const [raw = ''] = await api.mailsTo(to);
    const mail = await readMail(raw);
    return { ...mail, id, to, pixel: mail.pixels[0] ?? '', link: mail.links[0] ?? '' };
  };

  const visitsOf: TrackedApi['visitsOf'] = async (id, count, call) => {
    await eventually(async () => (await eventsOf(id, call)).length >= count + 2);
    // Visits are written in the order of their coming: with this one, all earlier ones are there.
    const marker = await deliver();
    await visit(marker.pixel);
    await eventually(async () => (await eventsOf(marker.id)).length === 3);
    const events = (await eventsOf(id, call)).slice(2);
    expect(events.map(({ type }) => type)).toHaveLength(count);
    return events;
  };

  return {
    api,
    tenant,
    deliver,
    visitsOf,
    messageOf: async (id) => (await tenant.client.getMessage({ path: { message_id: id } })).data,
    suppressionsOf: async (address) =>
      (await tenant.client.listSuppressions({ query: { recipient_email: address } })).data,
  };
}
