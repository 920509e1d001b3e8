import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchChromium } from '../../conformance/report/testing-browser.ts';
import { operationsOf, readDocument, referenceAddress, webhooksOf } from './document.ts';
import { accessibilityFaults, open, serveSite, showsHeading } from './testing-site.ts';

const site = await serveSite();
const browser = await launchChromium();
afterAll(async () => {
  await browser.close();
  await site.close();
});

const document = await readDocument(new URL('../../generated/openapi.json', import.meta.url));
const operations = operationsOf(document).map(({ operation }) => operation);
const webhooks = webhooksOf(document);
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const SEND = 'reference.html#/sending/sendemail';
const CLICK = 'reference.html#/webhooks/onmessageclick';

function summaryOf(id: string): string {
  return operations.find((one) => one.id === id)?.summary ?? id;
}

async function search(page: Page, query: string): Promise<string[]> {
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill(query);
  await page.locator('#site-results a').first().waitFor();
  return page.locator('#site-results a .title').allTextContents();
}

test('every operation is reachable and shown, with samples in three languages', async () => {
  const { page, complaints, close } = await open(browser, `${site.url}reference.html`);
  for (const operation of operations) {
    const [, hash = ''] = referenceAddress(operation).split('#');
    await page.evaluate((to) => location.assign(`#${to}`), hash);
    await showsHeading(page, operation.summary);
    const shown = (await page.locator('#redoc main').textContent()) ?? '';
    expect(shown).toContain(operation.path);
    for (const { name } of operation.parameters)
      expect([operation.id, shown]).toEqual([operation.id, expect.stringContaining(name)]);
    const source = page
      .locator('#redoc main')
      .getByText(`${operation.path.split('{')[0]}`)
      .first();
    expect([operation.id, await source.count()]).toEqual([operation.id, 1]);
  }
  expect(complaints).toEqual([]);
  await close();
});

test('every notification is reachable and shown, with its payload', async () => {
  const { page, complaints, close } = await open(browser, `${site.url}reference.html`);
  for (const webhook of webhooks) {
    const [, hash = ''] = referenceAddress(webhook).split('#');
    await page.evaluate((to) => location.assign(`#${to}`), hash);
    await showsHeading(page, webhook.summary);
    const shown = (await page.locator('#redoc main').textContent()) ?? '';
    expect(shown).toContain('webhook-signature');
    expect(shown).toContain('recipient_email');
  }
  expect(complaints).toEqual([]);
  await close();
});

test('the links of the reference stay on its page, to the web host and to a new tab', async () => {
  const { page, close } = await open(browser, `${site.url}reference.html`);
  await showsHeading(page, 'sendspec (1.0.0)');
  const hosts = '#redoc a[href^="/"]';
  expect(await page.locator(hosts).count()).toBe(0);
  expect(await (await page.request.get(`${site.url}reference.html`)).text()).not.toContain(' href="/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => globalThis.document.activeElement?.tagName)).toBe('MAIN');
  await showsHeading(page, 'sendspec (1.0.0)');
  await close();
});

test('the menu of the reference leads to all of it', async () => {
  const { page, close } = await open(browser, `${site.url}reference.html`);
  const menu = page.locator('.menu-content');
  await showsHeading(page, 'sendspec (1.0.0)');
  for (const tag of new Set(operations.map((one) => one.tag))) {
    await menu.getByText(tag, { exact: true }).click();
    await menu.locator('a[href^="#/"]').first().waitFor();
    const links = await menu
      .locator('a[href^="#/"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const wanted = [...operations, ...webhooks].filter((one) => one.tag === tag);
    expect(links).toEqual(
      expect.arrayContaining(wanted.map((one) => referenceAddress(one).replace(/^[^#]+/, ''))),
    );
  }
  await close();
});

test('a link to an operation opens there, and its samples can be chosen', async () => {
  const { page, complaints, close } = await open(browser, site.url + SEND);
  await showsHeading(page, 'Send emails');
  const main = page.locator('#redoc main');
  await main.getByText('curl "$SENDSPEC_URL/v1/send_email"', { exact: false }).first().waitFor();
  for (const [label, text] of [
    ['TypeScript client', "import { createClient } from 'sendspec/client'"],
    ['Python', 'import requests'],
  ] as const) {
    await main
      .getByRole('button', { name: /^(?:curl|TypeScript client|Python)$/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: label }).click();
    await expect.poll(() => main.textContent()).toContain(text);
  }
  expect(complaints).toEqual([]);
  await close();
});

const PAGES = [...site.guides, 'reference.html', SEND, CLICK, 'reference.html#/accounts/updateaccount'];

test.each<[string, BrowserContextOptions]>([
  ['a desktop', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }],
  ['a dark desktop', { colorScheme: 'dark', viewport: { width: 1440, height: 900 } }],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
])(
  'on %s no page shuts anybody out, is too wide, complains, or asks anybody else for anything',
  async (_name, options) => {
    const { page, complaints, close } = await open(browser, site.url, options);
    for (const file of PAGES) {
      // A fragment alone would not load the page anew.
      await page.goto('about:blank');
      await page.goto(site.url + file, { waitUntil: 'networkidle' });
      const [width, screen] = await page.evaluate(() => [
        window.document.documentElement.scrollWidth,
        innerWidth,
      ]);
      expect([file, width]).toEqual([file, screen]);
      expect([file, await accessibilityFaults(page)]).toEqual([file, []]);
      expect([file, complaints]).toEqual([file, []]);
    }
    await close();
  },
);

test('the search itself shuts nobody out', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await open(browser, site.url, { colorScheme });
    await search(page, 'bounce');
    expect(await accessibilityFaults(page)).toEqual([]);
    await close();
  }
});

test('the search finds fields, operations, notifications, codes, guides and decisions, and leads there', async () => {
  const { page, complaints, close } = await open(browser, site.url);
  expect((await search(page, 'custom_id_unique'))[0]).toBe('custom_id_unique');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}${SEND}#sending/sendemail/t=request&path=custom_id_unique`);
  await showsHeading(page, 'Send emails');
  const found = [
    ['verifyDomainDkim', summaryOf('verifyDomainDkim')],
    ['createWebhook', summaryOf('createWebhook')],
    ['message.click', 'message.click'],
    ['LAST_OWNER', 'LAST_OWNER'],
    ['send nothing twice', 'Send nothing twice'],
    ['unsibscribe', 'Is it unsibscribe or unsubscribe?'],
    ['tracking_url_dest', 'tracking_url_destination'],
    ['hard bonce', 'hard_bounce'],
  ];
  for (const [query = '', title = ''] of found) {
    expect([query, (await search(page, query)).map((one) => one.toLowerCase())]).toEqual([
      query,
      expect.arrayContaining([expect.stringContaining(title.toLowerCase())]),
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['custom_id_unique', 'custom_id_unique', SEND],
  ['to[].email', 'email', SEND],
  ['stats_summary.unique_opens', 'unique_opens', 'reference.html#/statistics/getstats'],
  ['tracking_url_destination', 'tracking_url_destination', CLICK],
  ['domain_ids[]', 'domain_ids[]', 'reference.html#/messages/listmessages'],
])('the search leads to the field %s itself, which is shown and marked', async (query, name, address) => {
  const { page, complaints, close } = await open(browser, `${site.url}limits.html`);
  await search(page, query);
  await page.locator(`#site-results a[href^="${address}"]`).first().click();
  const marked = page.locator('.schema-property-item', { has: page.locator('[aria-current="location"]') });
  await expect.poll(() => marked.last().locator('.schema-name').first().textContent()).toBe(name);
  await expect
    .poll(async () => (await marked.last().boundingBox())?.y)
    .toSatisfy((top: unknown) => typeof top === 'number' && top > 50 && top < 500);
  const { backgroundColor } = await marked.last().evaluate((one) => ({ ...getComputedStyle(one) }));
  expect(backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
  expect(complaints).toEqual([]);
  await close();
});

test('a wrong address gets a page with the way back', async () => {
  const { page, close } = await open(browser, `${site.url}no-such-page.html`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('There is no such page');
  await page.locator('article').getByRole('link', { name: 'Overview' }).click();
  await page.waitForURL(`${site.url}index.html`);
  await close();
});

test('all of it can be done with a keyboard', async () => {
  const { page, close } = await open(browser, `${site.url}errors.html`);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => window.document.activeElement?.textContent)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => window.document.activeElement?.tagName)).toBe('MAIN');
  await search(page, 'webhook');
  const chosen = page.locator('#site-results [aria-selected="true"] .title');
  const first = await chosen.textContent();
  await page.keyboard.press('ArrowDown');
  expect(await chosen.textContent()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await chosen.textContent()).toBe(first);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').isVisible()).toBe(true);
  await page.keyboard.type('nothing is called like this');
  await expect.poll(() => page.getByRole('status').textContent()).toContain('Nothing is called');
  await close();
});

test('the keys of the search are the same in the reference, where its own stays away', async () => {
  const { page, close } = await open(browser, `${site.url}reference.html`);
  await showsHeading(page, 'sendspec (1.0.0)');
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(1);
  expect(await page.getByRole('combobox', { name: 'Search' }).isVisible()).toBe(true);
  await close();
});

test('light and dark follow the system, until somebody chooses', async () => {
  const { page, close } = await open(browser, site.url, { colorScheme: 'dark' });
  const isDark = () => page.evaluate(() => window.document.documentElement.classList.contains('dark'));
  const paper = () => page.evaluate(() => getComputedStyle(window.document.body).backgroundColor);
  const dark = await paper();
  expect(await isDark()).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(isDark).toBe(false);
  expect(await paper()).not.toBe(dark);
  await page.getByRole('button', { name: 'Change between light and dark' }).click();
  expect(await paper()).toBe(dark);
  await page.goto(`${site.url}reference.html`);
  await showsHeading(page, 'sendspec (1.0.0)');
  expect([await isDark(), await paper()]).toEqual([true, dark]);
  await close();
});

test('on a phone the pages unfold from the menu', async () => {
  const { page, close } = await open(browser, `${site.url}limits.html`, PHONE);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  expect(await pages.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await pages.getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL(/webhooks\.html$/);
  await close();
});

test('code is copied, or selected where the clipboard is closed', async () => {
  const { page, close } = await open(browser, `${site.url}getting-started.html`);
  const button = page.locator('figure.code button').first();
  await button.click();
  await expect.poll(() => button.textContent()).toMatch(/Copied|Selected/);
  await close();
});

test('a script that got in would not run', async () => {
  const { page, complaints, close } = await open(browser, site.url);
  const ran = await page.evaluate(() => {
    const script = window.document.createElement('script');
    script.textContent = 'window.pwned = 1';
    window.document.body.append(script);
    return 'pwned' in window;
  });
  expect(ran).toBe(false);
  expect(complaints.join()).toContain('Content Security Policy');
  await close();
});

test('the guides can be read without scripts', async () => {
  const { page, close } = await open(browser, `${site.url}errors.html`, {
    ...PHONE,
    javaScriptEnabled: false,
  });
  expect(await page.getByRole('heading', { name: 'LAST_OWNER' }).isVisible()).toBe(true);
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true);
  expect(await page.locator('button:visible').count()).toBe(0);
  await close();
});

test('the folder works as files too, without any server', async () => {
  const { page, complaints, close } = await open(browser, site.url);
  await page.goto(pathToFileURL(`${site.folder}/${'index.html'}`).href);
  expect((await search(page, 'custom_id_unique'))[0]).toBe('custom_id_unique');
  await page.keyboard.press('Enter');
  await showsHeading(page, 'Send emails');
  expect(complaints.filter((one) => !one.includes('file://'))).toEqual([]);
  await close();
});
