import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../generated/types.ts';
import type { TestTenant } from '../testing.ts';
import {
  ALL,
  BROWSER,
  HTML,
  SHOP,
  startTracked,
  type TrackedApi,
  type VisitOptions,
  visit,
} from './testing.ts';

type Schemas = components['schemas'];

const ONE_CLICK: VisitOptions = { method: 'POST', body: 'List-Unsubscribe=One-Click' };

let tracked: TrackedApi;

beforeAll(async () => {
  tracked = await startTracked();
});
afterAll(() => tracked.api.close());

async function statisticsOf({ call }: TestTenant): Promise<Schemas['StatisticsCounters']> {
  const query = { period_from: '2000-01-01', period_to: '2100-01-01' };
  return ((await call('GET', '/v1/stats', { query })).data as Schemas['Statistics']).stats_summary;
}

describe('opening and clicking', () => {
  it('the pixel is a GIF, and an open with the details of the device', async () => {
    const { id, pixel } = await tracked.deliver();
    const { status, headers, bytes } = await visit(pixel);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'image/gif', 'cache-control': 'no-store' });
    expect(bytes.subarray(0, 6).toString()).toBe('GIF89a');
    expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([1, 1]);
    const [open] = await tracked.visitsOf(id, 1);
    expect(open).toMatchObject({ type: 'open', details: { user_agent: BROWSER, user_ip: '127.0.0.1' } });
    const { opened_at, clicked_at, delivery_status } = await tracked.messageOf(id);
    expect([opened_at, clicked_at, delivery_status]).toEqual([open?.received_at, null, 'delivery']);
  });

  it('the link redirects to the very URL of the sender, and is a click', async () => {
    const { id, link, text } = await tracked.deliver();
    expect(text.trim()).toBe(SHOP);
    const { status, headers } = await visit(link);
    expect([status, headers.location]).toEqual([302, SHOP]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const [click] = await tracked.visitsOf(id, 1);
    expect(click).toMatchObject({ type: 'click', details: { user_agent: BROWSER, user_ip: '127.0.0.1' } });
    const { opened_at, clicked_at } = await tracked.messageOf(id);
    expect([opened_at, clicked_at]).toEqual([null, click?.received_at]);
    const { rows } = await sql<{ destination: string }>`
      select details ->> 'tracking_url_destination' as destination from message_events
      where message_id = ${id} and type = 'click'`.execute(tracked.api.database.db);
    expect(rows).toEqual([{ destination: SHOP }]);
  });

  it('each time is an event, and the first one is unique', async () => {
    const sender = await tracked.api.createTenant('other.test');
    const { id, pixel, link } = await tracked.deliver(
      { ...ALL, from: { email: 'hello@other.test' } },
      sender,
    );
    for (const url of [pixel, pixel, link, link, link]) await visit(url);
    await tracked.visitsOf(id, 5, sender.call);
    expect(await statisticsOf(sender)).toMatchObject({
      ...{ messages: 1, track_opens: 1, track_clicks: 1 },
      ...{ open: 2, unique_opens: 1, click: 3, unique_clicks: 1, unsubscribe: 0 },
    });
  });

  it('what was added to a URL on its way is ignored', async () => {
    const { id, pixel, link } = await tracked.deliver();
    expect((await visit(`${pixel}?utm_source=x&url=https://evil.example/`)).status).toBe(200);
    expect((await visit(`${link}?https://evil.example/`)).headers.location).toBe(SHOP);
    expect((await visit(`${link}?${'%00<script>&'.repeat(1000)}`)).headers.location).toBe(SHOP);
    await tracked.visitsOf(id, 3);
  });

  it('a hostile User-Agent is cleaned and cut, and the client may not name its own address', async () => {
    const { id, pixel } = await tracked.deliver();
    const headers = {
      'user-agent': `Mozilla/5.0 \u0085\u00ad<script>${'x'.repeat(9000)}`,
      'x-forwarded-for': '203.0.113.9',
    };
    await visit(pixel, { headers });
    const [open] = await tracked.visitsOf(id, 1);
    const { user_agent = '', user_ip = '' } =
      open !== undefined && 'user_ip' in open.details ? open.details : {};
    expect(user_agent).toMatch(/^Mozilla\/5\.0 .*<script>x+…$/);
    expect(user_agent).toHaveLength(1024);
    expect(user_ip).toBe('127.0.0.1');
  });

  it.each<[string, VisitOptions]>([
    ['HEAD', { method: 'HEAD' }],
    ['Purpose', { headers: { purpose: 'prefetch' } }],
    ['Sec-Purpose', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['X-Moz', { headers: { 'x-moz': 'prefetch' } }],
    ['no User-Agent', { headers: { 'user-agent': '' } }],
    ["Apple Mail's proxy", { headers: { 'user-agent': 'Mozilla/5.0' } }],
    ['a scanner', { headers: { 'user-agent': 'BarracudaCentral link checker' } }],
  ])('programs get the same answer, and are not counted as people: %s', async (_name, options) => {
    const { id, pixel, link } = await tracked.deliver();
    const before = await statisticsOf(tracked.tenant);
    const image = await visit(pixel, options);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/gif']);
    expect((await visit(link, options)).headers.location).toBe(SHOP);
    const events = await tracked.visitsOf(id, 2);
    expect(events.map(({ type }) => type).sort()).toEqual(['click', 'open']);
    expect(await tracked.messageOf(id)).toMatchObject({ opened_at: null, clicked_at: null });
    const { click, unique_clicks } = await statisticsOf(tracked.tenant);
    expect([click - before.click, unique_clicks - before.unique_clicks]).toEqual([1, 0]);
    await visit(link);
    await tracked.visitsOf(id, 3);
    expect((await statisticsOf(tracked.tenant)).unique_clicks - before.unique_clicks).toBe(1);
  });

  it('there is nothing to fetch or to follow in a message that did not ask for it', async () => {
    const { pixels, links, oneClick, html } = await tracked.deliver({});
    expect([pixels, links, oneClick]).toEqual([[], [SHOP], '']);
    expect(html.trim()).toBe(HTML);
    const mail = await tracked.deliver({ track_clicks: true, body: { text: SHOP } });
    expect([mail.html, mail.text.trim()]).toEqual(['', SHOP]);
  });

  it('visits of a message that is gone are answered and forgotten', async () => {
    const account = await tracked.api.createAccount(tracked.tenant, 'Short-lived');
    const domain = await tracked.api.createDomain(tracked.tenant, 'short.test', [account]);
    const { pixel, link, oneClick } = await tracked.deliver(
      { ...ALL, from: { email: `hello@${domain.name}` } },
      { ...tracked.tenant, account },
    );
    await tracked.tenant.client.deleteAccount({ path: { account_id: account.account_id } });
    expect((await visit(pixel)).status).toBe(200);
    expect((await visit(link)).headers.location).toBe(SHOP);
    expect((await visit(oneClick)).status).toBe(410);
    expect((await visit(oneClick, ONE_CLICK)).status).toBe(410);
    await tracked.visitsOf((await tracked.deliver()).id, 0);
    expect(tracked.api.takeFaults()).toEqual([]);
  });
});

describe('forged URLs', () => {
  it('get a plain page, lead nowhere and leave nothing', async () => {
    const { id, pixel, link, oneClick } = await tracked.deliver();
    const other = await tracked.deliver();
    const evil = Buffer.from('https://evil.example/').toString('base64url');
    const [, , , , token = ''] = link.split('/');
    const [, , , , otherToken = ''] = other.link.split('/');
    const forged = [
      `${tracked.api.webUrl}/c/${token}/${evil}`,
      `${tracked.api.webUrl}/c/${otherToken.slice(0, 20)}${token.slice(20)}/${link.split('/')[5]}`,
      `${tracked.api.webUrl}/c/${token}/https://evil.example/`,
      `${tracked.api.webUrl}/c/${token}`,
      `${tracked.api.webUrl}/c/${token}/`,
      `${tracked.api.webUrl}/c//evil.example/`,
      `${tracked.api.webUrl}//evil.example/${token}`,
      `${tracked.api.webUrl}/../c/${token}/${evil}`,
      `${tracked.api.webUrl}/?url=https://evil.example/`,
      `${link}/`,
      `${link.slice(0, -2)}`,
      pixel.replace('/o/', '/u/'),
      oneClick.replace('/u/', '/o/'),
      `${pixel}%20`,
      `${pixel}/../../u/x`,
      `${tracked.api.webUrl}/`,
      `${tracked.api.webUrl}/favicon.ico`,
      `${tracked.api.webUrl}/${'x'.repeat(20_000)}`,
      `${tracked.api.webUrl}/__proto__`,
    ];
    for (const url of forged) {
      for (const options of [{}, ONE_CLICK]) {
        const { status, headers, text } = await visit(url, options);
        expect([url, status, headers.location]).toEqual([url, 404, undefined]);
        expect(headers['content-type']).toBe('text/html; charset=utf-8');
        expect(text).toContain('<h1>Nothing here</h1>');
        expect(text).not.toContain('evil');
      }
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      expect((await visit(pixel, { method })).status).toBe(404);
      expect((await visit(link, { method })).headers.location).toBeUndefined();
    }
    expect(await tracked.visitsOf(id, 0)).toEqual([]);
    expect(await tracked.suppressionsOf((await tracked.messageOf(id)).recipient_email)).toEqual([]);
  });

  it('what is no HTTP gets a plain text, and nothing of the API', async () => {
    const { status, text, headers } = await visit(`${tracked.api.webUrl}/`, {
      headers: { 'x-long': 'x'.repeat(200_000) },
    });
    expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(text).toBe('the headers of the request are too long\n');
  });
});

describe('the simulator', () => {
  let tag = 0;
  const simulated = async (name: string, change: Record<string, unknown>) => {
    const message = {
      from: { email: 'hello@demo.test' },
      to: [{ email: `${name}+${tag++}@simulator.test` }],
      subject: 'x',
    };
    const body = [{ ...message, body: { html: HTML }, ...change }];
    const { data } = await tracked.api.call('POST', '/v1/send_email', {
      basic: tracked.tenant.account,
      body,
    });
    return (data as { message_id: string }[])[0]?.message_id ?? '';
  };

  it.each(['open', 'click', 'unsubscribe'])(
    'plays %s through the web listener, as a person',
    async (name) => {
      const id = await simulated(name, ALL);
      const [event] = await tracked.visitsOf(id, 1);
      expect(event?.type).toBe(name);
      const message = await tracked.messageOf(id);
      expect(
        [message.opened_at, message.clicked_at, message.unsubscribed_at].filter((at) => at !== null),
      ).toEqual([event?.received_at]);
    },
  );

  it('does nothing with a message that has nothing for it', async () => {
    const ids = await Promise.all(['open', 'click', 'unsubscribe'].map((name) => simulated(name, {})));
    const last = await simulated('open', ALL);
    await tracked.visitsOf(last, 1);
    for (const id of ids) await tracked.visitsOf(id, 0);
  });
});
