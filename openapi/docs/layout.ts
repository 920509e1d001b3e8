import { escapeHtml, type Heading } from './markdown.ts';

/** A page in the navigation. */
export interface PageLink {
  /** `errors.html` */
  file: string;
  title: string;
}

export interface PageGroup {
  title: string;
  pages: readonly PageLink[];
}

/** What a page is made of. */
export interface PageParts extends PageLink {
  description: string;
  /** What stands in the head beside the site's own. */
  head?: string;
  /** Further scripts, at the end. */
  scripts?: readonly string[];
  /** Sources of the Content-Security-Policy beside `'self'`. */
  policy?: { script?: readonly string[]; style?: readonly string[]; worker?: readonly string[] };
  main: string;
  /** On the root element, for the style. */
  className?: string;
}

const SEARCH_ICON =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="9" cy="9" r="6"/><path d="m13.5 13.5 4 4"/></svg>';
const THEME_ICON =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7.25"/><path class="fill" d="M10 2.75a7.25 7.25 0 0 1 0 14.5z"/></svg>';
const MENU_ICON = '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 5.5h14M3 10h14M3 14.5h14"/></svg>';

/**
 * A whole page. Nothing in it leads to another origin by itself, and its policy says so to the browser, whatever host serves it.
 */
export function renderPage(parts: PageParts): string {
  const { title, description, main, file, head = '', scripts = [], className = '' } = parts;
  const name = file === 'index.html' ? 'sendspec documentation' : `${title} · sendspec`;
  const scriptTags = ['assets/site.js', ...scripts].map((src) => `<script src="${src}" defer></script>`);
  return `<!doctype html>
<html lang="en" class="${className}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(parts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="sendspec">
<meta property="og:title" content="${escapeHtml(name)}">
<meta property="og:description" content="${escapeHtml(description)}">
<link rel="icon" href="assets/icon.svg" type="image/svg+xml">
<script src="assets/theme.js"></script>
<link rel="stylesheet" href="assets/style.css">
${head}
</head>
<body>
<a class="skip" href="#site-main">Skip to the content</a>
${siteHeader(file)}
${main}
${searchDialog()}
${scriptTags.join('\n')}
</body>
</html>
`;
}

function policyOf({ policy = {} }: PageParts): string {
  const { script = [], style = [], worker = [] } = policy;
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...script].join(' ')}`,
    `style-src ${["'self'", ...style].join(' ')}`,
    "img-src 'self' data:",
    'font-src data:',
    ...(worker.length === 0 ? [] : [`worker-src ${worker.join(' ')}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function siteHeader(file: string): string {
  const places: [string, string, boolean][] = [
    ['index.html', 'Guides', file !== 'reference.html' && file !== 'changelog.html'],
    ['reference.html', 'API reference', file === 'reference.html'],
    ['changelog.html', 'Changelog', file === 'changelog.html'],
  ];
  const links = places.map(
    ([href, label, here]) => `<a href="${href}"${here ? ' aria-current="true"' : ''}>${label}</a>`,
  );
  return `<header class="site">
<button type="button" class="icon menu" aria-controls="site-pages" aria-expanded="false" aria-label="Pages">${MENU_ICON}</button>
<a class="brand" href="index.html"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 6.5 12 13l9-6.5V18H3z"/><path class="flap" d="M3 6h18l-9 6.5z"/></svg>sendspec</a>
<nav aria-label="Site">${links.join('')}</nav>
<button type="button" class="search" aria-label="Search" aria-haspopup="dialog" aria-keyshortcuts="/ Control+K">${SEARCH_ICON}<span>Search</span> <kbd>/</kbd></button>
<button type="button" class="icon theme" aria-label="Change between light and dark">${THEME_ICON}</button>
</header>`;
}

function searchDialog(): string {
  return `<dialog id="site-search" aria-label="Search">
<form method="dialog">
${SEARCH_ICON}<input type="text" inputmode="search" enterkeyhint="go" role="combobox" aria-expanded="false" aria-controls="site-results" aria-autocomplete="list" aria-label="Search the documentation" placeholder="Operations, fields, error codes, guides" autocomplete="off" autocapitalize="off" spellcheck="false">
<button type="submit" title="Close the search">Esc</button>
</form>
<div id="site-results" role="listbox" aria-label="Results"></div>
<p class="status" role="status"></p>
</dialog>`;
}

/** A guide: the pages at the left, its headings at the right. */
export function renderGuide(
  parts: PageParts,
  groups: readonly PageGroup[],
  headings: readonly Heading[],
): string {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ file }) => file === parts.file);
  const inside = headings.filter(({ depth }) => depth === 2);
  const main = `<div class="frame">
<nav id="site-pages" aria-label="Pages">${groups.map((group) => pageGroup(group, parts.file)).join('')}</nav>
<main id="site-main" tabindex="-1">
<article>${parts.main}</article>
${at === -1 ? '' : neighbours(pages[at - 1], pages[at + 1])}
</main>
${inside.length < 2 ? '<div class="toc"></div>' : contents(inside)}
</div>`;
  return renderPage({ ...parts, main });
}

function pageGroup({ title, pages }: PageGroup, file: string): string {
  const items = pages.map((page) => {
    const here = page.file === file ? ' aria-current="page"' : '';
    return `<li><a href="${page.file}"${here}>${escapeHtml(page.title)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
}

function contents(headings: readonly Heading[]): string {
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function neighbours(before: PageLink | undefined, after: PageLink | undefined): string {
  const link = (page: PageLink | undefined, label: string, className: string) =>
    page === undefined
      ? '<span></span>'
      : `<a class="${className}" href="${page.file}"><small>${label}</small>${escapeHtml(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Further reading">${link(before, 'Before', 'before')}${link(after, 'Next', 'after')}</nav>`;
}
