import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { rewriteHtml } from './rewrite.ts';

const OWN = 'https://links.sendspec.test';
const PIXEL = `${OWN}/o/pixel`;
const linkTo = (destination: string) => `${OWN}/c/t/${Buffer.from(destination).toString('base64url')}`;
const both = { linkTo, pixel: PIXEL, ownOrigin: OWN };
const links = { linkTo, ownOrigin: OWN };
const IMAGE = `<img src="${PIXEL}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;

const TRACKED = /https:\/\/links\.sendspec\.test\/c\/t\/([\w-]+)/g;
/** The destinations in rewritten HTML, in order. */
function destinationsIn(html: string): string[] {
  return [...html.matchAll(TRACKED)].map(([, encoded = '']) => Buffer.from(encoded, 'base64url').toString());
}

describe('links', () => {
  it.each([
    ['<a href="https://a.test/x">x</a>', 'https://a.test/x'],
    ["<a href='https://a.test/x'>x</a>", 'https://a.test/x'],
    ['<a href=https://a.test/x>x</a>', 'https://a.test/x'],
    ['<a href=https://a.test/x/>x</a>', 'https://a.test/x/'],
    ['<A class=b HREF = "HTTP://A.test/x" id=c>x</A>', 'HTTP://A.test/x'],
    ['<a\nhref\n=\n"https://a.test/x"\n>x</a>', 'https://a.test/x'],
    ['<a\r\nhref="https://a.test/x"\r\n>x</a>', 'https://a.test/x'],
    ['<a href="https://a.test/?a=1&amp;b=2&copy=3">x</a>', 'https://a.test/?a=1&b=2&copy=3'],
    ['<a href="https://a.test/?q=&quot;&#x27;&lt;">x</a>', 'https://a.test/?q=%22%27%3C'],
    ['<a href="https://a.test/a%20b%2Fc?d=%26">x</a>', 'https://a.test/a%20b%2Fc?d=%26'],
    ['<a href="  https://a.test/x\n">x</a>', 'https://a.test/x'],
    ['<a href="https://a.test/a b">x</a>', 'https://a.test/a%20b'],
    ['<a href="https://bücher.test/ž?ž#ž">x</a>', 'https://xn--bcher-kva.test/%C5%BE?%C5%BE#%C5%BE'],
    ['<a href="https://a.test">x</a>', 'https://a.test'],
    ['<a href="https://a.test/x" href="https://b.test/">x</a>', 'https://a.test/x'],
    ['<a title="a > b" href="https://a.test/x">x</a>', 'https://a.test/x'],
    ['<map><area shape=rect href="https://a.test/x"></map>', 'https://a.test/x'],
    ['<table><tr><a href="https://a.test/x">x</a></table>', 'https://a.test/x'],
    ['<p><b><a href="https://a.test/x">x</p></b>', 'https://a.test/x'],
    ['<a href="https://a.test/x"/>x', 'https://a.test/x'],
    ['<a/href="https://a.test/x">x', 'https://a.test/x'],
    ['<base href="https://base.test/"><a href="https://a.test/x">x</a>', 'https://a.test/x'],
    ['<![if !mso]><a href="https://a.test/x">x</a><![endif]>', 'https://a.test/x'],
    ['<!--[if !mso]><!--><a href="https://a.test/x">x</a><!--<![endif]-->', 'https://a.test/x'],
    ['<script>"</a>"</script><style>a{}</style><a href="https://a.test/x">x</a>', 'https://a.test/x'],
    ['<svg><title><a href="https://a.test/x">x</a></title></svg>', 'https://a.test/x'],
    ['<a href="https://a.test/x">\u0000\ud83d\udc0e</a>', 'https://a.test/x'],
  ])('replaced in %j', async (html, destination) => {
    const rewritten = await rewriteHtml(html, links);
    expect(destinationsIn(rewritten)).toEqual([destination]);
    // All else is as it was: with the value put back, the source is the same.
    const [before = '', after = ''] = rewritten.split(linkTo(destination));
    expect(html.startsWith(before) && html.endsWith(after)).toBe(true);
    expect(before + after).not.toBe('');
  });

  it.each([
    '<a href="mailto:a@b.test">x</a>',
    '<a href="tel:+420123">x</a>',
    '<a href="sms:123">x</a>',
    '<a href="#part">x</a>',
    '<a href="">x</a>',
    '<a href>x</a>',
    '<a>x</a>',
    '<a href="/relative">x</a>',
    '<a href="//a.test/x">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="ftp://a.test/x">x</a>',
    '<a href="https://">x</a>',
    '<a href="https://a.test:99999/">x</a>',
    '<a href="{{ unsubscribe }}">x</a>',
    '<a href="https://a.test/{{ id }}">x</a>',
    '<a href="https://a.test/%7B%7Bid%7D%7D">x</a>',
    '<a href="https://a.test/{% if x %}">x</a>',
    '<a href="https://a.test/*|ID|*">x</a>',
    '<a href="https://a.test/\u0024{id}">x</a>',
    `<a href="${OWN}/u/abc">x</a>`,
    `<a href="https://a.test/${'x'.repeat(6000)}">x</a>`,
    '<link href="https://a.test/x"><img src="https://a.test/x"><form action="https://a.test/x">',
    '<base href="https://a.test/">',
    '<!-- <a href="https://a.test/x">x</a> -->',
    '<!--[if mso]><a href="https://a.test/x">x</a><![endif]-->',
    '<!--[if mso]><v:roundrect href="https://a.test/x"></v:roundrect><![endif]-->',
    '<script>"<a href=https://a.test/x>"</script>',
    '<style>/* <a href="https://a.test/x"> */</style>',
    '<textarea><a href="https://a.test/x"></textarea>',
    '<title><a href="https://a.test/x"></title>',
    '&lt;a href="https://a.test/x">',
    '<abbr href="https://a.test/x">',
    '<a data-href="https://a.test/x">',
    '<a href="https://a.test/x',
    '<a href=https://a.test/x',
    '</a href="https://a.test/x">',
    'https://a.test/x',
  ])('left alone in %j', async (html) => {
    expect(await rewriteHtml(html, links)).toBe(html);
  });

  it('after the first five thousand are left alone', async () => {
    const html = '<a href="https://a.test/x">x</a>'.repeat(5_001);
    expect(destinationsIn(await rewriteHtml(html, links))).toHaveLength(5_000);
  });

  it('are left alone when they are not to be tracked', async () => {
    const html = '<body><a href="https://a.test/x">x</a></body>';
    expect(await rewriteHtml(html, { ownOrigin: OWN })).toBe(html);
    expect(destinationsIn(await rewriteHtml(html, { ownOrigin: OWN, pixel: PIXEL }))).toEqual([]);
  });
});

describe('the pixel', () => {
  it.each([
    ['<html><body>x</body></html>', '<html><body>x', '</body></html>'],
    ['<BODY>x</BODY >', '<BODY>x', '</BODY >'],
    ['<p>x</p>', '<p>x</p>', ''],
    ['', '', ''],
    ['<body>x</body><!-- </body> -->', '<body>x', '</body><!-- </body> -->'],
    ['<body>x<!--[if mso]></body><![endif]--></body>', '<body>x<!--[if mso]></body><![endif]-->', '</body>'],
    ['<body>x<script>"</body>"</script>y</body>', '<body>x<script>"</body>"</script>y', '</body>'],
    ['<body>x</body>y</body>z', '<body>x</body>y', '</body>z'],
    ['<body>x', '<body>x', ''],
  ])('goes before the end of the body of %j', async (html, before, after) => {
    expect(await rewriteHtml(html, { pixel: PIXEL, ownOrigin: OWN })).toBe(before + IMAGE + after);
  });
});

const pieces = fc.constantFrom(
  ...[
    '<a href="https://a.test/1?b=2&amp;c=3">',
    "<A HREF='http://b.test/ž'>",
    '<a href=https://c.test/x>',
    '</a>',
  ],
  ...[
    '<a href="mailto:x@y.test">',
    '<area href="https://d.test/">',
    '<a',
    ' href=',
    '"',
    "'",
    '>',
    '<',
    '/',
    '=',
    '&',
  ],
  ...[
    '<!--',
    '-->',
    '<!--[if mso]>',
    '<![endif]-->',
    '<![if !mso]>',
    '<![CDATA[',
    ']]>',
    '<?php',
    '?>',
    '<!doctype html>',
  ],
  ...[
    '<table><tr><td>',
    '</table>',
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<svg>',
    '</svg>',
    '<math>',
    '<title>',
  ],
  ...[
    '</title>',
    '<textarea>',
    '</textarea>',
    '<plaintext>',
    '<noscript>',
    '<template>',
    '<select>',
    '<pre>\n',
    '<base href=x>',
  ],
  ...[
    '<body>',
    '</body>',
    '</html>',
    '<html>',
    '\r\n',
    '\r',
    '\n',
    '\0',
    '\ufeff',
    '🐎',
    '\ud800',
    '&amp;',
    '&nbsp',
    '&#x3c;',
    'ž',
  ],
);
const brokenHtml = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 40 });

test('whatever the HTML, only values of links change, and one pixel is added', async () => {
  await fc.assert(
    fc.asyncProperty(brokenHtml, async (parts) => {
      const html = parts.join('');
      const rewritten = await rewriteHtml(html, both);
      expect(rewritten.split(IMAGE)).toHaveLength(2);
      const withoutPixel = rewritten.replace(IMAGE, '');
      // What each replaced value was, in the order of the document, is all that differs.
      const kept = withoutPixel.split(/https:\/\/links\.sendspec\.test\/c\/t\/[\w-]+/);
      const replaced = destinationsIn(withoutPixel);
      let rest = html;
      for (const [index, part] of kept.entries()) {
        if (index === 0) expect(rest.startsWith(part)).toBe(true);
        const start = index === 0 ? 0 : rest.indexOf(part);
        const value = rest.slice(0, start);
        if (index > 0) expect(value).toMatch(/^\s*https?:\/\/[^<>]*$/i);
        rest = rest.slice(start + part.length);
      }
      expect(kept).toHaveLength(replaced.length + 1);
      expect(rest).toBe('');
    }),
    { numRuns: 2_000 },
  );
});

test('links that are tracked already stay, so that a second time changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(brokenHtml, async (parts) => {
      const once = await rewriteHtml(parts.join(''), links);
      expect(await rewriteHtml(once, links)).toBe(once);
    }),
    { numRuns: 500 },
  );
});

test('ten megabytes are rewritten whole, with other work in between', async () => {
  const row =
    '<tr><td><a href="https://a.test/?a=1&amp;b=2">ž🐎</a>\r\nSome words to read, and no more than that.</td></tr>\r\n';
  const html = `<html><body><table>${row.repeat(Math.ceil(10_485_760 / row.length))}</table></body></html>`;
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const rewritten = await rewriteHtml(html, both);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
  expect(destinationsIn(rewritten)).toHaveLength(5_000);
  const again = rewritten.replace(IMAGE, '').replace(TRACKED, 'https://a.test/?a=1&amp;b=2');
  expect(again === html).toBe(true);
});
