import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { renderJunit } from './junit.ts';
import { conformantReport, HOSTILE, sampleReport } from './testing.ts';
import { launchChromium } from './testing-browser.ts';
import { visible } from './text.ts';
import { writeReports } from './write.ts';

const directory = await mkdtemp(join(tmpdir(), 'sendspec-browser-'));
const browser = await launchChromium();
afterAll(async () => {
  await browser.close();
  await rm(directory, { recursive: true, force: true });
});

await writeReports(sampleReport(), join(directory, 'failing'));
await writeReports(conformantReport(), join(directory, 'conformant'));

interface Visit {
  readonly page: Page;
  readonly complaints: string[];
  readonly requests: string[];
}

async function visit(name: 'failing' | 'conformant', options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(addressOf(name));
  return { page, complaints, requests };
}

function addressOf(name: string): string {
  return pathToFileURL(join(directory, name, 'report.html')).href;
}

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

test('nothing is fetched, nothing complains, and hostile answers stay text', async () => {
  const { page, complaints, requests } = await visit('failing');
  await page.waitForLoadState('networkidle');
  expect(requests).toEqual([addressOf('failing')]);
  expect(complaints).toEqual([]);
  expect(await page.evaluate('window.pwned')).toBeUndefined();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.locator('#failures .message').nth(1).textContent()).toContain(visible(HOSTILE));
});

test('a script that got in would not run', async () => {
  const { page, complaints } = await visit('failing');
  const pwned = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 1';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = 'https://example.com/x.png';
    document.body.append(image);
    return 'pwned' in window;
  });
  expect(pwned).toBe(false);
  expect(complaints.join()).toContain('Content Security Policy');
});

test.each<[string, 'failing' | 'conformant', BrowserContextOptions]>([
  ['a desktop', 'failing', { colorScheme: 'light' }],
  ['a dark desktop', 'failing', { colorScheme: 'dark' }],
  ['a phone', 'failing', PHONE],
  ['a desktop, conformant', 'conformant', {}],
])('on %s nobody is shut out', async (_name, report, options) => {
  const { page } = await visit(report, options);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html]))',
  );
  expect(found).toEqual([]);
});

test('on a phone nothing is wider than the screen', async () => {
  const { page } = await visit('failing', PHONE);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('the failures are what one sees first, the telling exchange unfolded', async () => {
  const { page } = await visit('failing');
  expect(await page.locator('h1').textContent()).toBe('Not conformant');
  expect(await page.locator('main section').first().getAttribute('id')).toBe('failures');
  const failure = page.locator('#failures article').first();
  expect(await failure.locator('blockquote').isVisible()).toBe(true);
  expect(await failure.getByText('"disabled"', { exact: true }).isVisible()).toBe(true);
  expect(await failure.getByText('content-type').first().isVisible()).toBe(false);
  await failure.getByText('2 headers').first().click();
  expect(await failure.getByText('content-type').first().isVisible()).toBe(true);
});

test('requirements are filtered by text, outcome, level and area', async () => {
  const { page } = await visit('failing');
  const rows = page.locator('#requirements tbody tr:visible');
  const shown = () => rows.locator('.id').allTextContents();
  expect(await rows.count()).toBe(6);
  await page.getByLabel('Outcome').selectOption('failed');
  expect(await shown()).toEqual(['accounts.starts-active', 'messages.text-stays-text']);
  expect(await page.locator('#filtered').textContent()).toBe('2 of 6');
  await page.getByLabel('Area').selectOption('messages');
  expect(await shown()).toEqual(['messages.text-stays-text']);
  await page.getByLabel('Area').selectOption('all');
  await page.getByLabel('Outcome').selectOption('all');
  await page.getByLabel('Level').selectOption('DERIVED');
  expect(await shown()).toEqual(['registration.token-expires']);
  await page.getByLabel('Level').selectOption('all');
  await page.getByLabel('Search').fill('OPEN simulator');
  expect(await shown()).toEqual([]);
  await page.getByLabel('Search').fill('events Open');
  expect(await shown()).toEqual(['events.open-is-recorded']);
  await page.getByLabel('Search').press('Enter');
  expect(page.url()).toBe(addressOf('failing'));
});

test('a command is copied, or selected where the clipboard is closed', async () => {
  const { page } = await visit('failing');
  const command = page.locator('#failures article').first().locator('.copyable').last();
  await command.getByRole('button').click();
  await expect.poll(() => command.getByRole('button').textContent()).toMatch(/Copied|Selected/);
  if ((await command.getByRole('button').textContent()) === 'Selected') {
    expect(await page.evaluate(() => String(getSelection()))).toContain('sendspec conformance');
  }
});

test('all of it can be read without scripts', async () => {
  const { page } = await visit('failing', { javaScriptEnabled: false });
  expect(await page.locator('#filter').isVisible()).toBe(false);
  expect(await page.locator('button:visible').count()).toBe(0);
  expect(await page.locator('#requirements tbody tr:visible').count()).toBe(6);
  const headers = page.locator('#failures article').first().getByText('2 headers').first();
  await headers.click();
  expect(await page.getByText('content-type').first().isVisible()).toBe(true);
});

test('on paper everything is unfolded and no control is left', async () => {
  const { page } = await visit('failing');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await page.locator('#failures details:not([open])').count()).toBe(0);
  expect(await page.locator('button:visible, form:visible, nav:visible').count()).toBe(0);
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
});

test('junit.xml is XML to a parser that knows nothing of this project', async () => {
  const { page } = await visit('conformant');
  const counts = await page.evaluate((xml) => {
    const document = new DOMParser().parseFromString(xml, 'application/xml');
    const names = ['parsererror', 'testsuite', 'testcase', 'failure', 'error', 'skipped'];
    return names.map((name) => document.getElementsByTagName(name).length);
  }, renderJunit(sampleReport()));
  expect(counts).toEqual([0, 5, 6, 2, 1, 1]);
});
