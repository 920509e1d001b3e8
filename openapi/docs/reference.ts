import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BundledDocument } from './document.ts';

/** What Redocly has built of a bundle, taken apart so that a page of the site can hold it. */
export interface Reference {
  /** Style elements for the head. */
  head: string;
  /** The prerendered page. */
  html: string;
  /** Redoc itself, the same for every document. */
  engine: string;
  /** Brings the prerendered page to life. */
  start: string;
  /** The inline scripts of `html`, as sources for a Content-Security-Policy. */
  scriptHashes: string[];
}

const run = promisify(execFile);
const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const template = fileURLToPath(new URL('reference.hbs', import.meta.url));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

// Redoc takes an address that is a variable for one below its own page.
const SERVERS = [{ url: 'https://localhost:8443', description: 'The service that `npm start` runs.' }];

/**
 * Has Redocly build its page of a document, with the script inside instead of on a CDN.
 *
 * The CLI runs as a child process: it exports no API.
 * @throws when Redocly fails, or its page no longer has the parts that are taken out of it.
 */
export async function buildReference(document: BundledDocument): Promise<Reference> {
  const folder = await mkdtemp(join(tmpdir(), 'sendspec-reference-'));
  try {
    const source = join(folder, 'openapi.json');
    const output = join(folder, 'reference.html');
    await writeFile(source, JSON.stringify({ ...document, servers: SERVERS }));
    const options = ['--inlineBundle', '--template', template, '--config', config, '--output', output];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    await run(process.execPath, [redocly, 'build-docs', source, ...options], { env });
    return takeApart(await readFile(output, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SCRIPT_START = '<script type="module">';
const SCRIPT_END = '</script>';
const DEFINITION = 'const __redoc_definition =';
const HYDRATE = "hydrate(__redoc_definition, __redoc_options, document.getElementById('redoc'))";
// assets/reference.js hides the first view when the address names another one.
const SHOW = ".finally(() => document.documentElement.classList.remove('deep-link'));\n";
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini-full.svg';

function takeApart(page: string): Reference {
  const [head, rest] = cut(page, '<!-- page -->');
  const [html, script] = cut(rest, SCRIPT_START);
  const [engine, tail] = cut(script.slice(0, script.lastIndexOf(SCRIPT_END)), DEFINITION);
  const [start] = cut(tail, HYDRATE);
  return {
    head,
    html: withLinksInside(replaceLogo(html)),
    engine: replaceLogo(asClassicScript(engine)),
    start: `${DEFINITION}${start}${HYDRATE}${SHOW}`,
    scriptHashes: inlineScripts(html).map(
      (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    ),
  };
}

function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at === -1)
    throw new Error(`Redocly's page has no "${mark}" any more: openapi/docs/reference.ts takes it apart.`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** Prerendered, the menu leads to paths of the host; alive, to fragments of the page. What is opened in a new tab has to be the latter. */
function withLinksInside(html: string): string {
  return html.replaceAll(' href="/', ' href="#/');
}

function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
}

/** Browsers refuse modules of pages that are opened as files. `import.meta` is only used by workers of other bundlers. */
function asClassicScript(engine: string): string {
  return engine.replaceAll('import.meta', '({})').replace(/export\s*\{[^}]*\};?\s*$/, '');
}

/** The credit to Redocly stays; its picture comes from a CDN, so that its name takes the place. */
function replaceLogo(text: string): string {
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="16"><text x="0" y="12" font-family="sans-serif" font-size="12" font-weight="700" fill="#1a5fd0">Redocly</text></svg>';
  return text.replaceAll(LOGO, `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`);
}
