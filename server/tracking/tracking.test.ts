import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../generated/types.ts';
import { eventually, startApi, type TestApi, type TestTenant } from '../testing.ts';
import { BROWSER, type ReceivedMail, readMail, type VisitOptions, visit } from './testing.ts';

type Schemas = components['schemas'];
type Message = Schemas['Message'];
type Event = Schemas['MessageEvent'];

const SHOP = 'https://shop.demo.test/offers?id=7&name=%C5%BE';
const HTML = `<html><body><p>News</p><a href="${SHOP.replace('&', '&amp;')}">Shop</a></body></html>`;
const ALL = { track_opens: true, track_clicks: true, list_id: 'news.demo.test' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK: VisitOptions = { method: 'POST', headers: FORM, body: 'List-Unsubscribe=One-Click' };

let api: TestApi;
let tenant: TestTenant;
let serial = 0;

beforeAll(async () => {
  api = await startApi();
  tenant = await api.createTenant();
});
afterAll(() => api.close());

interface Delivered extends ReceivedMail {
  id: string;
  to: string;
  pixel: string;
  link: string;
}

/** Sends a message, and waits until its recipient has it and that is known. */
async function deliver(
  change: Record<string, unknown> = ALL,
  { account, call } = tenant,
): Promise<Delivered> {
  const to = `ada-${serial++}@customer.test`;
  const message = {
    from: { email: 'hello@demo.test' },
    to: [{ email: to }],
    subject: 'News',
    body: { html: HTML, text: SHOP },
  };
  const { data } = await api.call('POST', '/v1/send_email', {
    basic: account,
    body: [{ ...message, ...change }],
  });
  const [{ message_id: id = '' } = {}] = data as { message_id?: string }[];
  await eventually(async () => (await eventsOf(id, call)).length === 2);
  const [raw = ''] = await api.mailsTo(to);
  const mail = await readMail(raw);
  return { ...mail, id, to, pixel: mail.pixels[0] ?? '', link: mail.links[0] ?? '' };
}

/** Oldest first. */
async function eventsOf(id: string, call = tenant.call): Promise<Event[]> {
  const { data } = await call('GET', `/v1/messages/${id}/events`, { query: { limit: 1000 } });
  return (data as Event[]).toReversed();
}

/** What happened after the delivery, once it is this much; and no more than that was on its way. */
async function visitsOf(id: string, count: number, call = tenant.call): Promise<Event[]> {
  await eventually(async () => (await eventsOf(id, call)).length >= count + 2);
  // Visits are written in the order of their coming: with this one, all earlier ones are there.
  const marker = await deliver();
  await visit(marker.pixel);
  await eventually(async () => (await eventsOf(marker.id)).length === 3);
  const events = (await eventsOf(id, call)).slice(2);
  expect(events.map(({ type }) => type)).toHaveLength(count);
  return events;
}

async function messageOf(id: string): Promise<Message> {
  return (await tenant.call('GET', `/v1/messages/${id}`)).data as Message;
}

async function statisticsOf({ call }: TestTenant): Promise<Schemas['StatisticsCounters']> {
  const query = { period_from: '2000-01-01', period_to: '2100-01-01' };
  return ((await call('GET', '/v1/stats', { query })).data as Schemas['Statistics']).stats_summary;
}

async function suppressionsOf(to: string): Promise<Schemas['Suppression'][]> {
  const { data } = await tenant.call('GET', '/v1/suppressions', { query: { recipient_email: to } });
  return data as Schemas['Suppression'][];
}

describe('opening and clicking', () => {
  it('the pixel is a GIF, and an open with the details of the device', async () => {
    const { id, pixel } = await deliver();
    const { status, headers, bytes } = await visit(pixel);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'image/gif', 'cache-control': 'no-store' });
    expect(bytes.subarray(0, 6).toString()).toBe('GIF89a');
    expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([1, 1]);
    const [open] = await visitsOf(id, 1);
    expect(open).toMatchObject({ type: 'open', details: { user_agent: BROWSER, user_ip: '127.0.0.1' } });
    const { opened_at, clicked_at, delivery_status } = await messageOf(id);
    expect([opened_at, clicked_at, delivery_status]).toEqual([open?.received_at, null, 'delivery']);
  });

  it('the link redirects to the very URL of the sender, and is a click', async () => {
    const { id, link, text } = await deliver();
    expect(text.trim()).toBe(SHOP);
    const { status, headers } = await visit(link);
    expect([status, headers.location]).toEqual([302, SHOP]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const [click] = await visitsOf(id, 1);
    expect(click).toMatchObject({ type: 'click', details: { user_agent: BROWSER, user_ip: '127.0.0.1' } });
    const { opened_at, clicked_at } = await messageOf(id);
    expect([opened_at, clicked_at]).toEqual([null, click?.received_at]);
    const { rows } = await sql<{ destination: string }>`
      select details ->> 'tracking_url_destination' as destination from message_events
      where message_id = ${id} and type = 'click'`.execute(api.database.db);
    expect(rows).toEqual([{ destination: SHOP }]);
  });

  it('each time is an event, and the first one is unique', async () => {
    const sender = await api.createTenant('other.test');
    const { id, pixel, link } = await deliver({ ...ALL, from: { email: 'hello@other.test' } }, sender);
    for (const url of [pixel, pixel, link, link, link]) await visit(url);
    await visitsOf(id, 5, sender.call);
    expect(await statisticsOf(sender)).toMatchObject({
      ...{ messages: 1, track_opens: 1, track_clicks: 1 },
      ...{ open: 2, unique_opens: 1, click: 3, unique_clicks: 1, unsubscribe: 0 },
    });
  });

  it('what was added to a URL on its way is ignored', async () => {
    const { id, pixel, link } = await deliver();
    expect((await visit(`${pixel}?utm_source=x&url=https://evil.example/`)).status).toBe(200);
    expect((await visit(`${link}?https://evil.example/`)).headers.location).toBe(SHOP);
    expect((await visit(`${link}?${'%00<script>&'.repeat(1000)}`)).headers.location).toBe(SHOP);
    await visitsOf(id, 3);
  });

  it('a hostile User-Agent is cleaned and cut, and the client may not name its own address', async () => {
    const { id, pixel } = await deliver();
    const headers = {
      'user-agent': `Mozilla/5.0 \u0085\u00ad<script>${'x'.repeat(9000)}`,
      'x-forwarded-for': '203.0.113.9',
    };
    await visit(pixel, { headers });
    const [open] = await visitsOf(id, 1);
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
    [
      "Gmail's proxy",
      {
        headers: {
          'user-agent':
            'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
        },
      },
    ],
    ['a scanner', { headers: { 'user-agent': 'BarracudaCentral link checker' } }],
  ])('programs get the same answer, and are not counted as people: %s', async (_name, options) => {
    const { id, pixel, link } = await deliver();
    const before = await statisticsOf(tenant);
    const image = await visit(pixel, options);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/gif']);
    expect((await visit(link, options)).headers.location).toBe(SHOP);
    const events = await visitsOf(id, 2);
    expect(events.map(({ type }) => type).sort()).toEqual(['click', 'open']);
    expect(await messageOf(id)).toMatchObject({ opened_at: null, clicked_at: null });
    const { click, unique_clicks } = await statisticsOf(tenant);
    expect([click - before.click, unique_clicks - before.unique_clicks]).toEqual([1, 0]);
    await visit(link);
    await visitsOf(id, 3);
    expect((await statisticsOf(tenant)).unique_clicks - before.unique_clicks).toBe(1);
  });

  it('there is nothing to fetch or to follow in a message that did not ask for it', async () => {
    const { pixels, links, oneClick, html } = await deliver({});
    expect([pixels, links, oneClick]).toEqual([[], [SHOP], '']);
    expect(html.trim()).toBe(HTML);
    const mail = await deliver({ track_clicks: true, body: { text: SHOP } });
    expect([mail.html, mail.text.trim()]).toEqual(['', SHOP]);
  });

  it('visits of a message that is gone are answered and forgotten', async () => {
    const account = await api.createAccount(tenant, 'Short-lived');
    const domain = await api.createDomain(tenant, 'short.test', [account]);
    const { pixel, link, oneClick } = await deliver(
      { ...ALL, from: { email: `hello@${domain.name}` } },
      { ...tenant, account },
    );
    await tenant.client.deleteAccount({ path: { account_id: account.account_id } });
    expect((await visit(pixel)).status).toBe(200);
    expect((await visit(link)).headers.location).toBe(SHOP);
    expect((await visit(oneClick)).status).toBe(410);
    expect((await visit(oneClick, ONE_CLICK)).status).toBe(410);
    await visitsOf((await deliver()).id, 0);
    expect(api.takeFaults()).toEqual([]);
  });
});

describe('forged URLs', () => {
  it('get a plain page, lead nowhere and leave nothing', async () => {
    const { id, pixel, link, oneClick } = await deliver();
    const other = await deliver();
    const evil = Buffer.from('https://evil.example/').toString('base64url');
    const [, , , , token = ''] = link.split('/');
    const [, , , , otherToken = ''] = other.link.split('/');
    const forged = [
      `${api.webUrl}/c/${token}/${evil}`,
      `${api.webUrl}/c/${otherToken.slice(0, 20)}${token.slice(20)}/${link.split('/')[5]}`,
      `${api.webUrl}/c/${token}/https://evil.example/`,
      `${api.webUrl}/c/${token}`,
      `${api.webUrl}/c/${token}/`,
      `${api.webUrl}/c//evil.example/`,
      `${api.webUrl}//evil.example/${token}`,
      `${api.webUrl}/../c/${token}/${evil}`,
      `${api.webUrl}/?url=https://evil.example/`,
      `${link}/`,
      `${link.slice(0, -2)}`,
      pixel.replace('/o/', '/u/'),
      oneClick.replace('/u/', '/o/'),
      `${pixel}%20`,
      `${pixel}/../../u/x`,
      `${api.webUrl}/`,
      `${api.webUrl}/favicon.ico`,
      `${api.webUrl}/${'x'.repeat(20_000)}`,
      `${api.webUrl}/__proto__`,
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
    expect(await visitsOf(id, 0)).toEqual([]);
    expect(await suppressionsOf((await messageOf(id)).recipient_email)).toEqual([]);
  });

  it('what is no HTTP gets a plain text, and nothing of the API', async () => {
    const { status, text, headers } = await visit(`${api.webUrl}/`, {
      headers: { 'x-long': 'x'.repeat(200_000) },
    });
    expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(text).toBe('the headers of the request are too long\n');
  });
});

describe('unsubscribing', () => {
  it('by one click suppresses the address, with the list in the event, once', async () => {
    const { id, to, oneClick, oneClickBody } = await deliver();
    const { status, headers, text } = await visit(oneClick, { ...ONE_CLICK, body: oneClickBody });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('You are unsubscribed');
    expect((await visit(oneClick, ONE_CLICK)).status).toBe(200);
    const [event] = await visitsOf(id, 1);
    expect(event).toMatchObject({ type: 'unsubscribe', details: { list_id: 'news.demo.test' } });
    expect((await messageOf(id)).unsubscribed_at).toBe(event?.received_at);
    expect(await suppressionsOf(to)).toMatchObject([{ type: 'unsubscribe', message_id: id, reason: '' }]);
    const body = [
      { from: { email: 'hello@demo.test' }, to: [{ email: to }], subject: 'x', body: { text: 'x' } },
    ];
    const { data } = await api.call('POST', '/v1/send_email', { basic: tenant.account, body });
    expect(data).toMatchObject([{ code: 'EMAIL_SUPPRESSED' }]);
  });

  it('at the same moment, many times, is one event', async () => {
    const { id, oneClick } = await deliver();
    const answers = await Promise.all(Array.from({ length: 8 }, () => visit(oneClick, ONE_CLICK)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await visitsOf(id, 1);
  });

  it('again, after the suppression was deleted, suppresses again', async () => {
    const { id, to, oneClick } = await deliver();
    await visit(oneClick, ONE_CLICK);
    const [{ suppression_id = '' } = {}] = await suppressionsOf(to);
    await tenant.client.deleteSuppression({ path: { suppression_id } });
    await visit(oneClick, ONE_CLICK);
    await visit(oneClick, ONE_CLICK);
    expect(await suppressionsOf(to)).toMatchObject([{ type: 'unsubscribe' }]);
    await visitsOf(id, 2);
  });

  it.each<[string, VisitOptions]>([
    [
      'multipart (RFC 8058, section 3.1)',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      },
    ],
    ['without a type', { body: 'List-Unsubscribe=One-Click' }],
    ['with more fields', { headers: FORM, body: 'a=b&List-Unsubscribe=One-Click&c=' }],
    [
      'after 100 Continue',
      { headers: { ...FORM, expect: '100-continue' }, body: 'List-Unsubscribe=One-Click' },
    ],
  ])('by a form %s', async (_name, options) => {
    const { id, oneClick } = await deliver();
    expect((await visit(oneClick, { method: 'POST', ...options })).status).toBe(200);
    await visitsOf(id, 1);
  });

  it.each<[string, VisitOptions]>([
    ['no body', {}],
    ['another field', { headers: FORM, body: 'unsubscribe=1' }],
    ['another value', { headers: FORM, body: 'List-Unsubscribe=No' }],
    ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"List-Unsubscribe":"One-Click"}' }],
    [
      'a broken multipart',
      { headers: { 'content-type': 'multipart/form-data; boundary=y' }, body: '--x\r\n\r\n' },
    ],
    ['bytes', { headers: FORM, body: Buffer.from([0, 255, 37, 37, 61, 0]) }],
    ['far too much', { headers: FORM, body: `List-Unsubscribe=One-Click&x=${'x'.repeat(100_000)}` }],
    ['a bomb', { headers: { ...FORM, 'content-encoding': 'gzip' }, body: Buffer.from([31, 139, 8, 0, 0]) }],
  ])('not by a POST that does not ask for it: %s', async (_name, options) => {
    const { id, oneClick } = await deliver();
    const { status, text } = await visit(oneClick, { method: 'POST', ...options });
    expect([status, text]).toEqual([400, expect.stringContaining('Nothing was changed')]);
    await visitsOf(id, 0);
  });

  it('a person who opens the link is asked, and the button does it', async () => {
    const list = { list_id: `<script>"news" & 'more'`, from: { email: 'hello@demo.test' } };
    const { id, to, oneClick } = await deliver(list);
    for (const method of ['GET', 'HEAD']) expect((await visit(oneClick, { method })).status).toBe(200);
    const { text, headers } = await visit(oneClick);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self';/,
    );
    expect(text).toContain('&#60;script&#62;&#34;news&#34; &#38; &#39;more&#39;');
    expect(text).toContain('hello@demo.test');
    expect(text).not.toContain(to);
    expect(text).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8">.*<title>.*<h1>/);
    expect(await visitsOf(id, 0)).toEqual([]);
    const [, name = '', value = ''] =
      /<form method="post"><input type="hidden" name="([^"]*)" value="([^"]*)"><button/.exec(text) ?? [];
    await visit(oneClick, {
      method: 'POST',
      headers: FORM,
      body: `${new URLSearchParams({ [name]: value })}`,
    });
    await visitsOf(id, 1);
  });

  it("a person is redirected to the sender's URL, and a mail program is not", async () => {
    const own = 'https://demo.test/leave?who=%C5%BE&x=y';
    const { id, to, oneClick } = await deliver({ list_unsubscribe: own });
    const page = await visit(oneClick);
    expect([page.status, page.headers.location]).toEqual([302, own]);
    expect(await visitsOf(id, 0)).toEqual([]);
    const done = await visit(oneClick, ONE_CLICK);
    expect([done.status, done.headers.location]).toEqual([200, undefined]);
    const [event] = await visitsOf(id, 1);
    expect(event).toMatchObject({ type: 'unsubscribe', details: { list_id: '' } });
    expect(await suppressionsOf(to)).toHaveLength(1);
  });

  it("an address of the sender's leaves the page as it is", async () => {
    const { oneClick, unsubscribeAddress } = await deliver({ list_unsubscribe: 'leave@demo.test' });
    expect(unsubscribeAddress).toMatch(/^u-[0-9a-f-]+@bounces\.mail\.sendspec\.test$/);
    expect((await visit(oneClick)).text).toContain('Unsubscribe?');
  });
});

describe('the simulator', () => {
  const simulated = async (name: string, change: Record<string, unknown>) => {
    const message = {
      from: { email: 'hello@demo.test' },
      to: [{ email: `${name}+${serial++}@simulator.test` }],
      subject: 'x',
    };
    const body = [{ ...message, body: { html: HTML }, ...change }];
    const { data } = await api.call('POST', '/v1/send_email', { basic: tenant.account, body });
    return (data as { message_id: string }[])[0]?.message_id ?? '';
  };

  it.each(['open', 'click', 'unsubscribe'])(
    'plays %s through the web listener, as a person',
    async (name) => {
      const id = await simulated(name, ALL);
      const [event] = await visitsOf(id, 1);
      expect(event?.type).toBe(name);
      const message = await messageOf(id);
      expect(
        [message.opened_at, message.clicked_at, message.unsubscribed_at].filter((at) => at !== null),
      ).toEqual([event?.received_at]);
    },
  );

  it('does nothing with a message that has nothing for it', async () => {
    const ids = await Promise.all(['open', 'click', 'unsubscribe'].map((name) => simulated(name, {})));
    const last = await simulated('open', ALL);
    await visitsOf(last, 1);
    for (const id of ids) await visitsOf(id, 0);
  });
});
