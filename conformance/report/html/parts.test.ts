import { expect, test } from 'vitest';
import { html } from './markup.ts';
import { sentence } from './parts.ts';

const rendered = (text: string): string => html`${sentence(text)}`.text;

test('a quote keeps its words and shows its Markdown', () => {
  expect(rendered('A created account starts `active`.')).toBe(
    'A created account starts <code>active</code>.',
  );
  expect(rendered('**Why?** Because.')).toBe('<strong>Why?</strong> Because.');
  expect(rendered('| name | string | `x` or y |\n| type | string | z |\n')).toBe(
    'name — string — <code>x</code> or y<br>type — string — z',
  );
  expect(rendered('two\nlines')).toBe('two<br>lines');
});

test('what only looks like Markdown stays as it is', () => {
  expect(rendered('a ` b ** c | d <b>`<i>`')).toBe('a <code> b ** c | d &lt;b&gt;</code>&lt;i&gt;`');
  expect(rendered('`` **** |')).toBe('`` **** |');
});
