import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../conformance/report/testing-browser.ts';
import { type ServedSite, serveSite } from '../../openapi/docs/testing-site.ts';
import type { Bench, BenchContext } from '../context.ts';
import { type BenchResult, type Figure, unmeasured } from '../report.ts';
import { median } from '../statistics.ts';

const CONTENT_GOAL_SECONDS = 2;
const GENERATE_GOAL_SECONDS = 10;
const CONTENT = 'first content of a page of the docs in headless Chromium, slowest page';
const GENERATE = '`npm run generate`';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OPERATION = 'reference.html#/sending/sendemail';

/** How soon somebody sees something of the docs, and how long whoever edits the contract waits for what is made of it. */
export const docs: Bench = {
  name: 'docs',
  async run(context) {
    const generate = await generateFigure(context);
    const site = await serveSite();
    context.defer(() => site.close());
    const browser = await launchChromium().catch((error: unknown) => String(error));
    if (typeof browser === 'string') {
      return {
        figures: [unmeasured(CONTENT, `< ${CONTENT_GOAL_SECONDS} s`, browser), generate],
        details: [],
      };
    }
    context.defer(() => browser.close());
    return firstContents(context, browser, site, generate);
  },
};

async function firstContents(
  context: BenchContext,
  browser: Browser,
  site: ServedSite,
  generate: Figure,
): Promise<BenchResult> {
  const times = new Map<string, number>();
  for (const page of ['index.html', 'errors.html', 'decisions.html', 'reference.html', OPERATION]) {
    context.progress(`docs: ${page}`);
    const runs: number[] = [];
    for (let run = 0; run < (context.isQuick ? 1 : 5); run += 1)
      runs.push(await firstContent(browser, site.url + page));
    times.set(page, median(runs));
  }
  const slowest = Math.max(...times.values());
  const content: Figure = {
    name: CONTENT,
    goal: `< ${CONTENT_GOAL_SECONDS} s`,
    measured: `${slowest.toFixed(2)} s`,
    isMet: slowest < CONTENT_GOAL_SECONDS,
  };
  const rows = [...times].map(([page, seconds]) => [page, seconds.toFixed(2)]);
  return {
    figures: [content, generate],
    details: [
      { title: 'Seconds to the first content of a page of the docs', columns: ['page', 'seconds'], rows },
    ],
  };
}

/** Seconds from the request to the first content, with nothing cached; of a link into the reference, to what it leads to. */
async function firstContent(browser: Browser, url: string): Promise<number> {
  const browsing = await browser.newContext();
  const page = await browsing.newPage();
  await page.goto(url);
  const milliseconds = await page.evaluate(async (isLink) => {
    if (isLink) {
      while (document.documentElement.classList.contains('deep-link')) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now();
    }
    return new Promise<number>((resolve) => {
      new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName('first-contentful-paint');
        if (entry !== undefined) resolve(entry.startTime);
      }).observe({ type: 'paint', buffered: true });
    });
  }, url.includes('#'));
  await browsing.close();
  return milliseconds / 1000;
}

async function generateFigure(context: BenchContext): Promise<Figure> {
  const runs: number[] = [];
  for (let run = 0; run < (context.isQuick ? 1 : 3); run += 1) {
    const startedAt = performance.now();
    // Checks instead of writing, so that measuring changes nothing; the work is the same.
    await promisify(execFile)('npm', ['run', '--silent', 'generate', '--', '--check'], { cwd: ROOT });
    runs.push((performance.now() - startedAt) / 1000);
  }
  const seconds = median(runs);
  return {
    name: GENERATE,
    goal: `< ${GENERATE_GOAL_SECONDS} s`,
    measured: `${seconds.toFixed(1)} s`,
    isMet: seconds < GENERATE_GOAL_SECONDS,
  };
}
