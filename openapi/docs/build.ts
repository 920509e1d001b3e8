import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type BundledDocument, readDocument } from './document.ts';
import { renderGuide, renderPage } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { PAGE_GROUPS, readPages } from './pages.ts';
import { buildReference } from './reference.ts';
import { addCodeSamples } from './samples/index.ts';
import { type SearchablePage, searchEntries } from './search-index.ts';

export interface DocsOptions {
  /** Is emptied first. */
  outputFolder: string;
  /** The bundle; by default that of generated/. */
  documentFile?: string | URL;
  decisionsFile?: string | URL;
  changelogFile?: string | URL;
}

const assets = fileURLToPath(new URL('assets/', import.meta.url));
// The build for pages without modules, beside the one for modules.
const minisearch = new URL('../umd/index.js', import.meta.resolve('minisearch'));

/**
 * Builds the docs site: one folder of static files that works at any address of any web host, and asks no other for anything.
 * @returns the files of its pages.
 * @throws when a page includes what does not exist, an error code has no cure, an operation no sample, or Redocly fails.
 */
export async function buildDocs(options: DocsOptions): Promise<string[]> {
  const {
    outputFolder,
    documentFile = new URL('../../generated/openapi.json', import.meta.url),
    decisionsFile = new URL('../DECISIONS.md', import.meta.url),
    changelogFile = new URL('../../CHANGELOG.md', import.meta.url),
  } = options;
  const document = addCodeSamples(await readDocument(documentFile));
  const [pages, reference] = await Promise.all([
    readPages(document, { decisionsFile, changelogFile }),
    buildReference(document),
  ]);
  const files = new Map<string, string>([
    ['reference.html', referencePage(reference)],
    ['assets/redoc.js', reference.engine],
    ['assets/reference-start.js', reference.start],
    ['openapi.json', `${JSON.stringify(document)}\n`],
  ]);
  const searchable: SearchablePage[] = [];
  for (const { file, title, description, kind, markdown } of pages) {
    const { html, headings, sections } = renderMarkdown(markdown);
    files.set(file, renderGuide({ file, title, description, main: html }, PAGE_GROUPS, headings));
    searchable.push({ file, title, kind, sections });
  }
  files.set('assets/search-index.js', searchIndex(document, searchable));
  files.set(NOT_FOUND.file, await notFoundPage());
  await writeAll(outputFolder, files);
  return [...pages.map(({ file }) => file), NOT_FOUND.file, 'reference.html'];
}

// Web hosts show a page of this name in place of one that does not exist.
const NOT_FOUND = {
  file: '404.html',
  title: 'No such page',
  description: 'There is no page at this address.',
};

async function notFoundPage(): Promise<string> {
  const { html } = renderMarkdown(await readFile(new URL('pages/404.md', import.meta.url), 'utf8'));
  return renderGuide({ ...NOT_FOUND, main: html }, PAGE_GROUPS, []);
}

// Redoc shows a part of the document at a time, and its heading with the first of them only.
const HEADING = '<section aria-label="API reference"><h1 class="unseen">API reference</h1></section>';
const NO_SCRIPT =
  '<noscript><p class="note">The reference needs JavaScript. Without it, read <a href="openapi.json">openapi.json</a>; the <a href="index.html">guides</a> need none.</p></noscript>';

function referencePage({ head, html, scriptHashes }: Awaited<ReturnType<typeof buildReference>>): string {
  return renderPage({
    file: 'reference.html',
    title: 'API reference',
    description: 'Every operation and notification, with examples for every status and error code.',
    className: 'reference',
    head: `${head}\n<link rel="stylesheet" href="assets/reference.css">\n<script src="assets/reference.js"></script>`,
    main: `${NO_SCRIPT}${HEADING}${html}`,
    scripts: ['assets/redoc.js', 'assets/reference-start.js'],
    // Redoc styles itself from its script, and searches in a worker that it makes from its own text.
    policy: { script: scriptHashes, style: ["'unsafe-inline'"], worker: ['blob:'] },
  });
}

function searchIndex(document: BundledDocument, pages: readonly SearchablePage[]): string {
  return `globalThis.SENDSPEC_SEARCH = ${JSON.stringify(searchEntries(document, pages))};\n`;
}

async function writeAll(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'assets'), { recursive: true });
  await cp(assets, join(folder, 'assets'), { recursive: true });
  const script = await readFile(minisearch, 'utf8');
  await writeFile(
    join(folder, 'assets/minisearch.js'),
    script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
  );
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  await compress(folder);
}

/** Leaves a compressed copy beside each file that gains by it: the service sends those, and web servers that know such copies. */
async function compress(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  const texts = files.filter((name) => /\.(?:html|css|js|json)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const whole = await readFile(join(folder, name));
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(whole, { level: 9 }));
    }),
  );
}
