import type { Check } from '../../suite/check.ts';
import { accepted, type Message, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { show } from '../support/compare.ts';
import { attributesOf, htmlOf, type ReadMail, sentMail, textOf } from '../support/mails.ts';

const LINKS = ['https://conformance.test/a?b=1&c=%20#d', 'http://conformance.test/path/e'];
const IMAGE = 'https://conformance.test/logo.png';
const HTML = `<p>Read <a href="${LINKS[0]?.replace('&', '&amp;')}">this</a> and <a href="${LINKS[1]}">that</a>
 <img src="${IMAGE}" alt=""></p>`;
const MOST_HOPS = 5;

/** What tracking adds to the mail, and where it leads the reader. */
export const tracking: readonly Check[] = [
  {
    id: 'sending/tracking-pixel',
    title: 'track_opens adds an image to the HTML of the mail, and to nothing else',
    needs: ['sent_mail'],
    async run(t: Tester) {
      const requirement = 'sending.track-opens';
      const [tracked, plain, textOnly] = await leaving(t, requirement, [
        { body: { html: HTML }, track_opens: true },
        { body: { html: HTML } },
        { body: { text: 'Only text.' }, track_opens: true },
      ]);
      const added = (one: ReadMail | undefined) => imagesOf(one).filter((source) => source !== IMAGE);
      const pixels = added(tracked);
      const isThere = pixels.some((source) => /^https?:\/\//i.test(source));
      t.require(requirement, isThere, `expected an image to be added, got ${show(imagesOf(tracked))}`);
      const unasked = added(plain);
      t.require(requirement, unasked.length === 0, `nobody asked for tracking, and got ${show(unasked)}`);
      const text = textOnly === undefined ? '' : textOf(textOnly);
      const isSame = text === 'Only text.' && imagesOf(textOnly).length === 0;
      t.require('sending.no-html-no-pixel', isSame, `expected the text as it was, got ${show(text)}`);
    },
  },
  {
    id: 'sending/tracked-links-redirect',
    title: 'track_clicks replaces every link by one that leads to the original, each time it is opened',
    needs: ['sent_mail'],
    async run(t: Tester) {
      const requirement = 'sending.track-clicks';
      const [tracked, plain] = await leaving(t, requirement, [
        { body: { html: HTML }, track_clicks: true },
        { body: { html: HTML } },
      ]);
      const untouched = linksOf(plain);
      const isUntouched = untouched.join(' ') === LINKS.join(' ');
      t.require(requirement, isUntouched, `nobody asked for tracking, and the links are ${show(untouched)}`);
      const links = linksOf(tracked);
      const isEach = links.length === LINKS.length && links.every((link) => !LINKS.includes(link));
      t.require(requirement, isEach, `expected every link to be replaced, got ${show(links)}`);
      for (const [index, original] of LINKS.entries())
        for (const time of ['first', 'second']) {
          const path = await followed(t, links[index] ?? '', original);
          const isReached = path.at(-1) === original;
          const message = `the ${time} click must lead to ${original}, and leads to ${path.slice(1).join(', then ') || 'no other address'}`;
          t.require(requirement, isReached, message);
        }
    },
  },
  {
    id: 'sending/unsubscription-redirects',
    title: 'The web link of List-Unsubscribe leads the recipient to the URL of list_unsubscribe',
    needs: ['sent_mail'],
    async run(t: Tester) {
      const requirement = 'sending.list-unsubscribe-url-gets-the-recipient';
      const url = `https://conformance.test/leave?from=${t.unique('list')}&b=1`;
      const [left] = await leaving(t, requirement, [
        { list_unsubscribe: url, list_id: 'news.conformance.test' },
      ]);
      const header = left?.header('List-Unsubscribe');
      const link = /<(https?:[^>]+)>/i.exec(header ?? '')?.[1];
      if (link === undefined)
        t.fail(requirement, `expected a web link in List-Unsubscribe, got ${show(header)}`);
      const path = await followed(t, link, url);
      const message = `${link} must lead to ${url}, and leads to ${path.slice(1).join(', then ') || 'no other address'}`;
      t.require(requirement, path.at(-1) === url, message);
    },
  },
];

/** Sends these messages, and reads the mails that leave. */
async function leaving(
  t: Tester,
  requirement: string,
  changes: readonly Partial<Message>[],
): Promise<readonly ReadMail[]> {
  const messages = changes.map((change) => mail(t, change));
  await accepted(t, messages);
  return Promise.all(messages.map(({ to }) => sentMail(t, requirement, to[0]?.email ?? '')));
}

function imagesOf(one: ReadMail | undefined): string[] {
  return one === undefined ? [] : attributesOf(htmlOf(one), 'img', 'src');
}

function linksOf(one: ReadMail | undefined): string[] {
  return one === undefined ? [] : attributesOf(htmlOf(one), 'a', 'href');
}

/** The addresses that an address leads to by redirects, itself first, up to the goal, which is not opened. */
async function followed(t: Tester, from: string, goal: string): Promise<string[]> {
  const path = [from];
  for (let at = from; at !== goal && path.length <= MOST_HOPS; ) {
    const { status, headers } = await t.visit(at);
    const { location } = headers;
    if (status < 300 || status >= 400 || location === undefined) break;
    at = location === goal ? goal : new URL(location, at).href;
    path.push(at);
  }
  return path;
}
