import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { SETTINGS } from '../../server/settings.ts';
import { decisionsMarkdown } from './decisions.ts';
import type { BundledDocument } from './document.ts';
import { errorsMarkdown, readErrors } from './errors.ts';
import type { PageGroup } from './layout.ts';
import type { SearchEntry } from './search-index.ts';

/** A page before it is rendered. */
export interface PageSource {
  file: string;
  title: string;
  description: string;
  kind: SearchEntry['kind'];
  markdown: string;
}

const REFERENCE = 'reference.html';

/** The pages in the order of the navigation. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: 'Start',
    pages: [
      { file: 'index.html', title: 'Overview' },
      { file: 'getting-started.html', title: 'Getting started' },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { file: 'authentication.html', title: 'Authentication' },
      { file: 'domains.html', title: 'Domains' },
      { file: 'sending.html', title: 'Sending' },
      { file: 'delivery.html', title: 'Delivery and bounces' },
      { file: 'webhooks.html', title: 'Webhooks' },
      { file: 'pagination.html', title: 'Pagination and filters' },
    ],
  },
  {
    title: 'Tools',
    pages: [
      { file: 'client.html', title: 'TypeScript client' },
      { file: 'mock.html', title: 'Mock' },
      { file: 'simulator.html', title: 'Simulator' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { file: REFERENCE, title: 'API reference' },
      { file: 'errors.html', title: 'Errors' },
      { file: 'limits.html', title: 'Limits' },
    ],
  },
  {
    title: 'Background',
    pages: [
      { file: 'hosting.html', title: 'Hosting' },
      { file: 'decisions.html', title: 'Decisions' },
      { file: 'changelog.html', title: 'Changelog' },
    ],
  },
];

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'index.html': 'What sendspec is, and where to begin.',
  'getting-started.html': 'Send a first email in two minutes, and see it arrive.',
  'authentication.html': 'Sessions and tokens for people, API keys for sending.',
  'domains.html': 'Three DNS records, and what to do when they do not verify.',
  'delivery.html': 'What becomes of a message: bounces, retries, suppressions.',
  'mock.html': 'Every answer of the contract without a server.',
  'hosting.html': 'Running the service: real mail, DNS, every setting.',
  'sending.html': 'Batches, what becomes of each message, and sending nothing twice.',
  'pagination.html': 'Pages, filters, periods and the export.',
  'errors.html': 'Every error code with its cause and its cure.',
  'webhooks.html': 'Being notified: set up, verify, answer, repeat.',
  'client.html': 'The typed client for Node and browsers.',
  'simulator.html': 'Addresses that play bounces, complaints, opens and clicks.',
  'limits.html': 'Every limit in one place.',
  'decisions.html': 'What the description of the service leaves open, and how it was decided.',
  'changelog.html': 'What changed.',
};

const KINDS: Readonly<Record<string, SearchEntry['kind']>> = {
  'decisions.html': 'Decision',
  'changelog.html': 'Changelog',
};

/** Where the texts are that are not below pages/. */
export interface TextSources {
  decisionsFile: string | URL;
  changelogFile: string | URL;
}

/** Reads every page beside the reference. @throws when a file is missing, or a page includes what does not exist. */
export async function readPages(document: BundledDocument, sources: TextSources): Promise<PageSource[]> {
  const links = PAGE_GROUPS.flatMap(({ pages }) => pages).filter(({ file }) => file !== REFERENCE);
  return Promise.all(
    links.map(async ({ file, title }) => ({
      file,
      title,
      description: DESCRIPTIONS[file] ?? '',
      kind: KINDS[file] ?? 'Guide',
      markdown: await markdownOf(file, document, sources),
    })),
  );
}

async function markdownOf(file: string, document: BundledDocument, sources: TextSources): Promise<string> {
  if (file === 'decisions.html') return decisionsMarkdown(await readFile(sources.decisionsFile, 'utf8'));
  if (file === 'changelog.html') return readFile(sources.changelogFile, 'utf8');
  const page = await readFile(new URL(`pages/${file.replace('.html', '.md')}`, import.meta.url), 'utf8');
  return fillIn(page, document);
}

const INCLUDE = /^<!-- (include|errors|settings)(?: ([\w./-]+))? -->$/gm;
const LANGUAGES: Readonly<Record<string, string>> = { '.py': 'python', '.sh': 'sh' };

/** Puts in what is kept elsewhere: programs that the tests run, and the lists of error codes. */
async function fillIn(page: string, document: BundledDocument): Promise<string> {
  const catalogue = await readErrors(document);
  const parts = new Map<string, string>();
  for (const [mark, what, name = ''] of page.matchAll(INCLUDE)) {
    if (what === 'settings') parts.set(mark, settingsList());
    else parts.set(mark, what === 'include' ? await program(name) : errorList(name));
  }
  return page.replace(INCLUDE, (mark) => parts.get(mark) ?? mark);

  function errorList(place: string): string {
    if (place !== 'request' && place !== 'field' && place !== 'message')
      throw new Error(`No errors "${place}"`);
    return errorsMarkdown(catalogue[place], place === 'request' ? '' : `${place}-`);
  }
}

/** What `npm start -- --help` lists. */
function settingsList(): string {
  const items = Object.values(SETTINGS).map(
    ({ name, description, default: usual }) =>
      `- \`${name}\`: ${plain(description)} Default: ${plain(usual)}.`,
  );
  return items.join('\n');
}

/** Text that Markdown makes nothing of, such as links of the addresses in it. */
function plain(text: string): string {
  return text.replace(/[<@_*]|:(?=\/\/)/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

async function program(name: string): Promise<string> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8');
  const extension = extname(name);
  return `\`\`\`${LANGUAGES[extension] ?? extname(name).slice(1)}\n${text.trimEnd()}\n\`\`\``;
}
