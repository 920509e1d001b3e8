import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../conformance/report/testing-browser.ts';
import { startMock } from './mock.ts';
import { servePages } from './testing/pages.ts';

// Pages of another origin drive the mock in a real browser, which keeps the rules of CORS.

const [mock, pages, browser] = await Promise.all([startMock({ port: 0 }), servePages(), launchChromium()]);
afterAll(async () => {
  await browser.close();
  pages.close();
  await mock.close();
});

let page: Page;
let complaints: string[];
beforeEach(async () => {
  page = await browser.newPage();
  complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});

interface Fetched {
  status: number;
  text: string;
  headers: Record<string, string>;
}

interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls the mock from inside the page; only what the browser lets a page see comes back. */
async function fetchInPage(path: string, init: Init = {}): Promise<Fetched> {
  await page.goto(pages.url);
  return page.evaluate(
    async ([url, options]) => {
      const response = await fetch(url, options);
      const { status, headers } = response;
      return { status, text: await response.text(), headers: Object.fromEntries(headers) };
    },
    [`${mock.url}${path}`, init] as const,
  );
}

const Authorization = 'Bearer any';

test('a plain page reads a list, and the headers that the contract gives it', async () => {
  const { status, text, headers } = await fetchInPage('/v1/accounts', { headers: { Authorization } });
  expect(status).toBe(200);
  expect(JSON.parse(text).data).toHaveLength(3);
  expect(headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599' });
});

test('a plain page sees every error, with a preflight for the header that asks for it', async () => {
  const limited = await fetchInPage('/v1/accounts', { headers: { Authorization, Prefer: 'code=429' } });
  expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '42' } });
  const stranger = await fetchInPage('/v1/accounts');
  expect(stranger).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="sendspec"' } });
  expect(JSON.parse((await fetchInPage('/v1/nothing')).text).data.code).toBe('ENDPOINT_NOT_FOUND');
});

test('a plain page changes, deletes and downloads', async () => {
  const path = '/v1/accounts/b27d94c1-5e60-4f38-8b1d-93f2a6c07e45';
  const headers = { Authorization, 'Content-Type': 'application/json' };
  const changed = await fetchInPage(path, { method: 'PATCH', headers, body: '{"name":"Letters"}' });
  expect(JSON.parse(changed.text).data).toMatchObject({ name: 'Letters', type: 'marketing' });
  expect((await fetchInPage(path, { method: 'DELETE', headers })).status).toBe(200);
  const file = await fetchInPage('/v1/messages/export', { headers });
  expect(file.headers['content-disposition']).toBe('attachment; filename="messages.csv"');
  expect(complaints).toEqual([]);
});

test('a React page with the client logs in, pages through a list, creates and sends', async () => {
  await page.goto(`${pages.url}/react?mock=${encodeURIComponent(mock.url)}`);
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect.poll(() => messages.count()).toBe(4);
  expect(await messages.last().textContent()).toBe('Your order 10042 to ada@customer.test: delivery');
  const [created, sent] = await page.getByRole('status').all();
  await page.getByRole('button', { name: 'Create mail.example' }).click();
  await expect.poll(() => created?.textContent()).toBe('created, publish cs1._domainkey.mail.example');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => sent?.textContent()).toBe('200 from-react');
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Create no domain' }).click();
  await expect.poll(() => created?.textContent()).toBe('422 VALIDATION_ERROR');
});
