import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { simpleParser } from 'mailparser';

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
