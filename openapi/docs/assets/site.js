// What every page of the site can do: search, change between light and dark, unfold the menu on a phone, copy code.
const byClass = (name) => document.querySelector(`.${name}`);
const dialog = document.getElementById('site-search');
const input = dialog.querySelector('input');
const results = document.getElementById('site-results');
const status = dialog.querySelector('.status');
const MOST_RESULTS = 20;
const EXCERPT = 150;
let index;
let entries = [];

byClass('theme').addEventListener('click', () => globalThis.sendspecTheme.toggle());
byClass('search').addEventListener('click', openSearch);

// By hand, as the fragment of an address belongs to Redoc's router on its page.
byClass('skip').addEventListener('click', (event) => {
  event.preventDefault();
  const main = document.querySelector('main');
  main.tabIndex = -1;
  main.focus();
  main.scrollIntoView();
});

const menu = byClass('menu');
menu.addEventListener('click', () => {
  const isOpen = document.documentElement.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(isOpen));
});

function closeMenu() {
  document.documentElement.classList.remove('menu-open');
  menu.setAttribute('aria-expanded', 'false');
}

// Captured, as Redoc has a search of its own under the same keys, which knows less.
document.addEventListener(
  'keydown',
  (event) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    const isSlash =
      event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    if (isShortcut || isSlash) {
      event.preventDefault();
      event.stopImmediatePropagation();
      void openSearch();
    } else if (event.key === 'Escape' && document.documentElement.classList.contains('menu-open')) {
      closeMenu();
      menu.focus();
    }
  },
  true,
);

function isTyping(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function load(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${src} did not load`));
    document.head.append(script);
  });
}

async function openSearch() {
  if (!dialog.open) dialog.showModal();
  input.select();
  if (index !== undefined) return;
  try {
    await Promise.all([load('assets/minisearch.js'), load('assets/search-index.js')]);
  } catch {
    status.textContent = 'The search could not be loaded. Is the site complete?';
    return;
  }
  entries = globalThis.SENDSPEC_SEARCH;
  // A name is found by its parts as well as whole: custom_id_unique, custom, unique.
  const tokenize = (text) =>
    text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => [word, ...(word.includes('_') ? word.split('_') : [])]);
  const words = (text) => text.split(/[^\p{L}\p{N}_]+/u);
  const made = new globalThis.MiniSearch({
    fields: ['title', 'context', 'body'],
    tokenize,
    searchOptions: {
      tokenize: words,
      boost: { title: 6, context: 2 },
      boostDocument: (id) => entries[id].weight ?? 1,
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  made.addAll(
    entries.map((entry, id) => ({
      id,
      title: entry.title,
      context: entry.context ?? '',
      body: entry.body ?? '',
    })),
  );
  index = made;
  show();
}

input.addEventListener('input', show);

function show() {
  const query = input.value.trim();
  const found = index === undefined || query === '' ? [] : ranked(query).slice(0, MOST_RESULTS);
  results.replaceChildren(...found.map(({ id, terms }, place) => result(entries[id], terms, place)));
  input.setAttribute('aria-expanded', String(found.length > 0));
  select(found.length > 0 ? 0 : undefined);
  status.textContent = query === '' || index === undefined ? '' : tell(found.length, query);
}

// What is called exactly so comes first.
function ranked(query) {
  const wanted = query.toLowerCase();
  const isExact = ({ id }) => Number(entries[id].title.toLowerCase() === wanted);
  return index.search(query).sort((a, b) => isExact(b) - isExact(a) || b.score - a.score);
}

function tell(count, query) {
  if (count === 0) return `Nothing is called “${query}”. Try a part of the name, or another word.`;
  return count === 1 ? 'One result' : `${count === MOST_RESULTS ? 'The best ' : ''}${count} results`;
}

function result(entry, terms, place) {
  const link = document.createElement('a');
  link.href = entry.address;
  link.id = `result-${place}`;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  link.tabIndex = -1;
  const kind = part('span', 'kind', entry.kind);
  const title = part('span', 'title', '');
  title.append(...marked(entry.title, terms));
  link.append(kind, title);
  if (entry.context) link.append(part('span', 'context', entry.context));
  if (entry.body) {
    const body = part('span', 'body', '');
    body.append(...marked(excerpt(entry.body, terms), terms));
    link.append(body);
  }
  link.addEventListener('click', () => dialog.close());
  link.addEventListener('mousemove', () => select(place));
  return link;
}

function part(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function excerpt(text, terms) {
  const low = text.toLowerCase();
  const at = Math.min(...terms.map((term) => low.indexOf(term)).filter((found) => found >= 0), text.length);
  const start = at === text.length || at < EXCERPT / 2 ? 0 : at - EXCERPT / 3;
  const piece = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '…' : ''}${piece}${start + EXCERPT < text.length ? '…' : ''}`;
}

function marked(text, terms) {
  const escaped = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return [text];
  const pieces = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'));
  return pieces.map((piece, place) => (place % 2 === 1 ? part('mark', '', piece) : piece));
}

function select(place) {
  const options = [...results.children];
  for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === place));
  const chosen = options[place];
  if (chosen === undefined) {
    input.removeAttribute('aria-activedescendant');
    return;
  }
  input.setAttribute('aria-activedescendant', chosen.id);
  chosen.scrollIntoView({ block: 'nearest' });
}

input.addEventListener('keydown', (event) => {
  const options = [...results.children];
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    if (options.length > 0) select((at + step + options.length) % options.length);
  } else if (event.key === 'Enter') {
    event.preventDefault();
    options[at]?.click();
  }
});

// A click beside the dialog closes it, as Escape does by itself.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent.trimEnd());
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(figure.querySelector('code'));
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  figure.append(button);
}

// The heading that is being read is marked among the contents.
const contents = new Map(
  [...document.querySelectorAll('.toc a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);
if (contents.size > 0) {
  const mark = () => {
    const passed = [...contents.keys()].filter(
      (id) => document.getElementById(id)?.getBoundingClientRect().top < 120,
    );
    const current = passed.at(-1) ?? [...contents.keys()][0];
    for (const [id, link] of contents) link.toggleAttribute('data-current', id === current);
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}
