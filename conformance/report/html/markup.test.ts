import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { HOSTILE } from '../testing.ts';
import { visible } from '../text.ts';
import { html } from './markup.ts';

test('values are texts, in elements and in attributes', () => {
  const markup = html`<p title="${HOSTILE}">${HOSTILE}</p>`;
  const [paragraph, ...others] = parseFragment(markup.text).childNodes;
  expect(others).toEqual([]);
  expect(paragraph).toMatchObject({
    nodeName: 'p',
    attrs: [{ name: 'title', value: visible(HOSTILE) }],
    childNodes: [{ nodeName: '#text', value: visible(HOSTILE) }],
  });
});

test('markup, lists and nothing', () => {
  const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${0}`.text).toBe('<ul><li>&lt;a&gt;</li><li>b</li></ul>0');
});
