import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { closeWebServer, listen } from '../http/listen.ts';
import { createListener } from '../http/listener.ts';
import { AUTOMATED_VISITORS, AUTOMATED_VISITORS_VERSION } from './automated-visitors.ts';
import { type VisitOptions, visit } from './testing.ts';
import { visitOf } from './visit.ts';

/** How a request is judged that really came over the network. */
async function judged(options: VisitOptions, trustProxy = false) {
  let request: IncomingMessage | undefined;
  let found: ReturnType<typeof visitOf> | undefined;
  const server = createListener((incoming, response) => {
    request = incoming;
    found = visitOf(incoming, trustProxy);
    response.end();
  });
  const port = await listen(
    server,
    { host: '127.0.0.1', port: 0 },
    { what: 'the test', portSetting: 'PORT' },
  );
  await visit(`http://127.0.0.1:${port}/`, options);
  await closeWebServer(server, 0);
  if (request === undefined || found === undefined) throw new Error('nothing came');
  return found;
}

const agent = (userAgent: string): VisitOptions => ({ headers: { 'user-agent': userAgent } });

test.each([
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.3.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.5000; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; Cubot X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Mozilla/5.0 (sendspec simulator)',
])('a person: %s', async (userAgent) => {
  expect(await judged(agent(userAgent))).toEqual({ userAgent, userIp: '127.0.0.1', automated: false });
});

test.each([
  'Mozilla/5.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'Go-http-client/2.0',
  'Java/21.0.2',
  'node',
  'Barracuda Sentinel (EE)',
  '',
])('a program: %j', async (userAgent) => {
  expect(await judged(agent(userAgent))).toMatchObject({ automated: true });
});

test.each<VisitOptions>([
  { method: 'HEAD' },
  { headers: { purpose: 'prefetch' } },
  { headers: { 'sec-purpose': 'prefetch;prerender' } },
  { headers: { 'x-purpose': 'preview' } },
  { headers: { 'x-moz': 'prefetch' } },
])('a request ahead of a person: %o', async (options) => {
  expect(await judged(options)).toMatchObject({ automated: true });
});

test('the client address is what the proxy says, if there is one that is trusted', async () => {
  const headers = { 'x-forwarded-for': 'evil, 203.0.113.9, 2001:db8::7' };
  expect(await judged({ headers }, true)).toMatchObject({ userIp: '2001:db8::7' });
  expect(await judged({ headers }, false)).toMatchObject({ userIp: '127.0.0.1' });
  expect(await judged({ headers: { 'x-forwarded-for': 'x'.repeat(500) } }, true)).toMatchObject({
    userIp: '127.0.0.1',
  });
});

test('the table is what its version says', () => {
  expect([AUTOMATED_VISITORS_VERSION, AUTOMATED_VISITORS.length]).toEqual([2, 39]);
  for (const [, who, pattern] of AUTOMATED_VISITORS) {
    expect(who).not.toBe('');
    // A pattern with a memory would judge every second request otherwise.
    expect(pattern.flags).not.toMatch(/[gy]/);
  }
});
