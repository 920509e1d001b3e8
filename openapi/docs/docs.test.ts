import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { afterAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { SETTINGS } from '../../server/settings.ts';
import { buildDocs } from './build.ts';
import { operationsOf, readDocument, referenceAddress, webhooksOf } from './document.ts';
import { joinErrors } from './errors.ts';
import { renderMarkdown } from './markdown.ts';
import type { SearchEntry } from './search-index.ts';

const folder = await mkdtemp(join(tmpdir(), 'sendspec-docs-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const document = await readDocument(new URL('../../generated/openapi.json', import.meta.url));
const files = await buildDocs({ outputFolder: folder });
const pages = new Map<string, Page>();
for (const file of files) pages.set(file, readPage(await readFile(join(folder, file), 'utf8')));
const references = new Set(
  [...operationsOf(document).map(({ operation }) => operation), ...webhooksOf(document)].map(
    referenceAddress,
  ),
);

interface Page {
  html: string;
  ids: string[];
  /** What a link leads to. */
  links: string[];
  /** What the page loads by itself. */
  loads: string[];
}

function readPage(html: string): Page {
  const page: Page = { html, ids: [], links: [], loads: [] };
  visit(parse(html), (name, attributes) => {
    if (attributes.id !== undefined) page.ids.push(attributes.id);
    if (name === 'a' && attributes.href !== undefined) page.links.push(attributes.href);
    if (name === 'link' && attributes.href !== undefined) page.loads.push(attributes.href);
    if (attributes.src !== undefined) page.loads.push(attributes.src);
  });
  return page;
}

function visit(
  node: DefaultTreeAdapterTypes.ParentNode,
  see: (name: string, attributes: Record<string, string>) => void,
): void {
  for (const child of node.childNodes) {
    if (!('tagName' in child)) continue;
    see(child.tagName, Object.fromEntries(child.attrs.map(({ name, value }) => [name, value])));
    visit(child, see);
  }
}

async function searchEntries(): Promise<SearchEntry[]> {
  const script = await readFile(join(folder, 'assets/search-index.js'), 'utf8');
  return JSON.parse(script.replace(/^[^=]+= /, '').replace(/;\n$/, '')) as SearchEntry[];
}

/** Whether an address below the site leads to something that is there. */
function isThere(address: string, from: string): boolean {
  const [file = '', fragment, field] = address.split('#');
  if (file === 'openapi.json') return true;
  const target = file === '' ? from : file;
  if (target === 'reference.html') {
    // A test in the browser follows those to fields.
    const isBelow = field === undefined || field.startsWith(`${fragment?.slice(1)}/t=`);
    return fragment === undefined || (references.has(`${target}#${fragment}`) && isBelow);
  }
  return fragment === undefined
    ? pages.has(target)
    : pages.get(target)?.ids.includes(decodeURIComponent(fragment)) === true;
}

test('every link of a guide leads to something that is there', () => {
  for (const [file, { links }] of pages) {
    // Redoc makes those of its page itself, and a test in the browser follows them.
    if (file === 'reference.html') continue;
    const inside = links.filter((link) => !/^https?:/.test(link) && link !== '#site-main');
    expect([file, inside.filter((link) => !isThere(link, file))]).toEqual([file, []]);
    expect(inside.length).toBeGreaterThan(10);
  }
});

test('no page loads anything from elsewhere, and all that it loads is there', async () => {
  const assets = (await readdir(join(folder, 'assets'))).map((name) => `assets/${name}`);
  for (const [file, { loads, html }] of pages) {
    expect([file, loads.filter((one) => !assets.includes(one) && !one.startsWith('data:'))]).toEqual([
      file,
      [],
    ]);
    expect(html).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'/,
    );
  }
});

test('beside each text is its compressed copy, which is the same', async () => {
  const all = await readdir(folder, { recursive: true });
  const texts = all.filter((name) => /\.(?:html|css|js|json)$/.test(name));
  expect(texts).toEqual(expect.arrayContaining(['404.html', 'assets/redoc.js']));
  for (const name of texts) {
    const copy = gunzipSync(await readFile(join(folder, `${name}.gz`)));
    expect([name, copy.equals(await readFile(join(folder, name)))]).toEqual([name, true]);
  }
});

test('each page has a title and a description of its own', () => {
  const titles = [...pages.values()].map(({ html }) => /<title>(.+?)<\/title>/.exec(html)?.[1]);
  const descriptions = [...pages.values()].map(
    ({ html }) => /<meta name="description" content="(.+?)">/.exec(html)?.[1],
  );
  for (const texts of [titles, descriptions]) {
    expect(texts).not.toContain(undefined);
    expect(new Set(texts).size).toBe(pages.size);
  }
});

test('no fragment is there twice', () => {
  for (const [file, { ids }] of pages) {
    if (file === 'reference.html') continue;
    expect([file, ids.filter((id, place) => ids.indexOf(id) !== place)]).toEqual([file, []]);
  }
});

test('the decisions keep the anchors that other documents point at', async () => {
  const source = await readFile(new URL('../DECISIONS.md', import.meta.url), 'utf8');
  const anchors = [...source.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
  expect(anchors.length).toBeGreaterThan(100);
  expect(pages.get('decisions.html')?.ids).toEqual(expect.arrayContaining(anchors));
});

test('every error code of the contract is on a page, with its cause and its cure', async () => {
  const text = pages.get('errors.html')?.html ?? '';
  const sending = pages.get('sending.html')?.html ?? '';
  const { ErrorCode, FieldErrorCode, MessageRejectionCode } = document.components.schemas;
  for (const code of [...(ErrorCode?.enum ?? []), ...(FieldErrorCode?.enum ?? [])]) {
    expect(text).toMatch(new RegExp(`<h3 id="[\\w-]+">${code}<a[^>]*></a></h3>\\s*<p>.+</p>\\s*<p>.+</p>`));
  }
  for (const code of MessageRejectionCode?.enum ?? []) expect(sending).toContain(`>${code}<`);
});

test('a code without a cure, and a cure without a code, stop the build', async () => {
  const cures = parseYaml(await readFile(new URL('errors.yaml', import.meta.url), 'utf8'));
  expect(joinErrors(document, cures).request).toHaveLength(
    document.components.schemas.ErrorCode?.enum?.length ?? 0,
  );
  const { LAST_OWNER: _gone, ...rest } = cures.request;
  const faulty = { ...cures, request: rest, field: { ...cures.field, NEW: 'Nothing.' } };
  expect(() => joinErrors(document, faulty)).toThrow(
    /request\.LAST_OWNER has no cure\nfield\.NEW is no code/,
  );
});

test('every setting of the service is on the page on hosting', () => {
  const text = pages.get('hosting.html')?.html ?? '';
  for (const { name } of Object.values(SETTINGS))
    expect(text.replaceAll('<wbr>', '')).toContain(`<li><code>${name}</code>: `);
});

test('the commands of the first steps are those of the README', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const guide = await readFile(new URL('pages/getting-started.md', import.meta.url), 'utf8');
  const [steps = ''] = guide.split('## Run the samples');
  const blocks = [...steps.matchAll(/```sh\n([\s\S]+?)```/g)].map(([, text = '']) => text);
  expect(blocks).toHaveLength(4);
  for (const block of blocks) expect(readme).toContain(block);
});

test('the search knows every operation, notification, parameter and field, code, guide and decision', async () => {
  const entries = await searchEntries();
  const titles = (kind: SearchEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind).map(({ title }) => title);
  const operations = operationsOf(document).map(({ operation }) => operation);
  expect(titles('Operation')).toEqual(operations.map(({ summary }) => summary));
  expect(titles('Webhook')).toEqual(webhooksOf(document).map(({ event }) => event));
  expect(titles('Parameter')).toContain('events[]');
  expect(titles('Field')).toEqual(
    expect.arrayContaining(['custom_id_unique', 'to[].email', 'stats_summary.hard_bounce']),
  );
  expect(titles('Error code')).toEqual(
    expect.arrayContaining(document.components.schemas.ErrorCode?.enum ?? []),
  );
  expect(titles('Guide')).toContain('Send nothing twice');
  expect(titles('Decision')).toContain('What does an error look like?');
});

test('what the search finds is there', async () => {
  const entries = await searchEntries();
  expect(entries.filter(({ address }) => !isThere(address, '')).map(({ address }) => address)).toEqual([]);
});

test('Markdown that looks like markup stays text', () => {
  const { html } = renderMarkdown(
    '# `<b>`\n\n```json\n<script>alert(1)</script>\n```\n\n```nothing\n<i>\n```\n',
  );
  expect(html).not.toMatch(/<(?:script|b|i)>/);
});
