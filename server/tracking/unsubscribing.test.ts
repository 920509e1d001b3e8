import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTracked, type TrackedApi, type VisitOptions, visit } from './testing.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK: VisitOptions = { method: 'POST', headers: FORM, body: 'List-Unsubscribe=One-Click' };

let tracked: TrackedApi;

beforeAll(async () => {
  tracked = await startTracked();
});
afterAll(() => tracked.api.close());

describe('unsubscribing', () => {
  it('by one click suppresses the address, with the list in the event, once', async () => {
    const { id, to, oneClick, oneClickBody } = await tracked.deliver();
    const { status, headers, text } = await visit(oneClick, { ...ONE_CLICK, body: oneClickBody });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('You are unsubscribed');
    expect((await visit(oneClick, ONE_CLICK)).status).toBe(200);
    const [event] = await tracked.visitsOf(id, 1);
    expect(event).toMatchObject({ type: 'unsubscribe', details: { list_id: 'news.demo.test' } });
    expect((await tracked.messageOf(id)).unsubscribed_at).toBe(event?.received_at);
    expect(await tracked.suppressionsOf(to)).toMatchObject([
      { type: 'unsubscribe', message_id: id, reason: '' },
    ]);
    const body = [
      { from: { email: 'hello@demo.test' }, to: [{ email: to }], subject: 'x', body: { text: 'x' } },
    ];
    const { data } = await tracked.api.call('POST', '/v1/send_email', {
      basic: tracked.tenant.account,
      body,
    });
    expect(data).toMatchObject([{ code: 'EMAIL_SUPPRESSED' }]);
  });

  it('at the same moment, many times, is one event', async () => {
    const { id, oneClick } = await tracked.deliver();
    const answers = await Promise.all(Array.from({ length: 8 }, () => visit(oneClick, ONE_CLICK)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await tracked.visitsOf(id, 1);
  });

  it('again, after the suppression was deleted, suppresses again', async () => {
    const { id, to, oneClick } = await tracked.deliver();
    await visit(oneClick, ONE_CLICK);
    const [{ suppression_id = '' } = {}] = await tracked.suppressionsOf(to);
    await tracked.tenant.client.deleteSuppression({ path: { suppression_id } });
    await visit(oneClick, ONE_CLICK);
    await visit(oneClick, ONE_CLICK);
    expect(await tracked.suppressionsOf(to)).toMatchObject([{ type: 'unsubscribe' }]);
    await tracked.visitsOf(id, 2);
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
    const { id, oneClick } = await tracked.deliver();
    expect((await visit(oneClick, { method: 'POST', ...options })).status).toBe(200);
    await tracked.visitsOf(id, 1);
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
    const { id, oneClick } = await tracked.deliver();
    const { status, text } = await visit(oneClick, { method: 'POST', ...options });
    expect([status, text]).toEqual([400, expect.stringContaining('Nothing was changed')]);
    await tracked.visitsOf(id, 0);
  });

  it('a person who opens the link is asked, and the button does it', async () => {
    const list = { list_id: `<script>"news" & 'more'`, from: { email: 'hello@demo.test' } };
    const { id, to, oneClick } = await tracked.deliver(list);
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
    expect(await tracked.visitsOf(id, 0)).toEqual([]);
    const [, name = '', value = ''] =
      /<form method="post"><input type="hidden" name="([^"]*)" value="([^"]*)"><button/.exec(text) ?? [];
    await visit(oneClick, {
      method: 'POST',
      headers: FORM,
      body: `${new URLSearchParams({ [name]: value })}`,
    });
    await tracked.visitsOf(id, 1);
  });

  it("a person is redirected to the sender's URL, and a mail program is not", async () => {
    const own = 'https://demo.test/leave?who=%C5%BE&x=y';
    const { id, to, oneClick } = await tracked.deliver({ list_unsubscribe: own });
    const page = await visit(oneClick);
    expect([page.status, page.headers.location]).toEqual([302, own]);
    expect(await tracked.visitsOf(id, 0)).toEqual([]);
    const done = await visit(oneClick, ONE_CLICK);
    expect([done.status, done.headers.location]).toEqual([200, undefined]);
    const [event] = await tracked.visitsOf(id, 1);
    expect(event).toMatchObject({ type: 'unsubscribe', details: { list_id: '' } });
    expect(await tracked.suppressionsOf(to)).toHaveLength(1);
  });

  it("an address of the sender's leaves the page as it is", async () => {
    const { oneClick, unsubscribeAddress } = await tracked.deliver({ list_unsubscribe: 'leave@demo.test' });
    expect(unsubscribeAddress).toMatch(/^u-[0-9a-f-]+@bounces\.mail\.sendspec\.test$/);
    expect((await visit(oneClick)).text).toContain('Unsubscribe?');
  });
});
