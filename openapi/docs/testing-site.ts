import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createDocsSite } from '../../server/docs/site.ts';
import { buildDocs } from './build.ts';

// For tests in a browser: the site as the service shows it, and somebody who looks at it.

export interface ServedSite {
  folder: string;
  /** Of its pages, without the reference. */
  guides: string[];
  /** `http://127.0.0.1:1234/docs/` */
  url: string;
  close(): Promise<void>;
}

/** Builds the site and serves it below a path, as the web listener does. */
export async function serveSite(): Promise<ServedSite> {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-docs-'));
  const pages = await buildDocs({ outputFolder: folder });
  const site = createDocsSite(folder, (what, error) => {
    throw new Error(what, { cause: error });
  });
  const server = createServer(site).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    folder,
    guides: pages.filter((file) => file !== 'reference.html'),
    url: `http://127.0.0.1:${port}/docs/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A page that is open, and what it did that it should not have. */
export interface Visit {
  page: Page;
  /** Errors and warnings on the console, faults of scripts, and requests to anybody but the site. */
  complaints: string[];
  close(): Promise<void>;
}

/** Opens a page in a context of its own. */
export async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const asked = request.url();
    if (
      !asked.startsWith(`${origin}/`) &&
      !asked.startsWith(`blob:${origin}/`) &&
      !asked.startsWith('data:')
    ) {
      complaints.push(`asked ${asked}`);
    }
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** Waits until Redoc has taken over and shows the heading. */
export async function showsHeading(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const headings = [...document.querySelectorAll('#redoc main :is(h1, h2)')];
    // A badge may follow the text.
    return headings.some(({ textContent }) => textContent.replace(/Webhook$/, '') === wanted);
  }, text);
  await page.waitForFunction(() => !document.documentElement.classList.contains('deep-link'));
}

/** What axe finds: impact, rule, how often, and the first element. */
export async function accessibilityFaults(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations
      .map(({ id, impact, nodes }) => [impact, id, nodes.length, nodes[0].html]))`,
  );
}
