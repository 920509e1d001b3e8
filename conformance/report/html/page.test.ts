import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect, test } from 'vitest';
import { applyBaseline } from '../baseline.ts';
import type { Report } from '../model.ts';
import {
  answer,
  check,
  conformantReport,
  exchange,
  HOSTILE,
  requirement,
  sampleReport,
  violation,
} from '../testing.ts';
import { visible } from '../text.ts';
import { renderHtml } from './page.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function elementsOf(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return [...('tagName' in node ? [node] : []), ...children.flatMap(elementsOf)];
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function page(report: Report): { elements: Element[]; text: string; section: (id: string) => string } {
  const elements = elementsOf(parse(renderHtml(report)));
  const attribute = (element: Element, name: string) =>
    element.attrs.find((each) => each.name === name)?.value;
  const section = (id: string): string => {
    const found = elements.find((element) => attribute(element, 'id') === id);
    return found ? textOf(found) : '';
  };
  return { elements, text: elements[0] ? textOf(elements[0]) : '', section };
}

test('the failures stand first, with the sentence, what came, and the command that shows it again', () => {
  const { section, elements } = page(sampleReport());
  const headings = elements.filter(({ tagName }) => tagName === 'h2').map((heading) => textOf(heading));
  expect(headings).toEqual([
    'Failures 2',
    'Not judged 1',
    'Not tested 1',
    'Left open 1',
    'Requirements 6',
    'Coverage',
    'Run',
  ]);
  const failure = section('failure-accounts.starts-active');
  for (const part of [
    'A created account starts active.',
    'States and transitions',
    'expected the status "active" in the new account, got "disabled"',
    '"status": "disabled"',
    'sendspec conformance --target target.json --seed 1 --only accounts.starts-active',
    'curl --globoff --include --request POST https://mail.example.com/v1/accounts',
  ])
    expect(failure).toContain(part);
});

test('a notification is shown as what came, with its headers, and without a command to send it', () => {
  const request = { headers: { 'webhook-signature': 'v1,c2lnbmVk' } };
  const notification = { ...exchange(answer(200, ''), request), is_notification: true } as const;
  const broken = violation('webhooks.signature', { exchanges: [notification] });
  const page = renderHtml({
    ...conformantReport(),
    requirements: [requirement('webhooks.signature', 'failed', { checks: ['webhooks/signature'] })],
    checks: [check('webhooks/signature', 'failed', { violations: [broken] })],
  });
  expect(page).toContain('<h4>Notification');
  expect(page).toContain('Answer of the suite');
  expect(page).toMatch(/<details open><summary>1 header<\/summary>.*v1,c2lnbmVk/s);
  expect(page).not.toContain('As a curl command');
});

test('what a server answered is text, wherever it stands', () => {
  const { elements, section } = page(sampleReport());
  const count = (name: string) => elements.filter(({ tagName }) => tagName === name).length;
  expect([count('script'), count('img'), count('style'), count('link'), count('iframe')]).toEqual([
    1, 0, 1, 0, 0,
  ]);
  expect(elements.flatMap(({ attrs }) => attrs).filter(({ name }) => /^on|^style$/.test(name))).toEqual([]);
  expect(section('failure-messages.text-stays-text')).toContain(visible(HOSTILE));
  const everything = renderHtml(
    sampleReport({
      implementation: { name: HOSTILE, version: HOSTILE },
      contract: { title: HOSTILE, version: HOSTILE, sha256: HOSTILE },
      target: { base_url: HOSTILE, profiles: ['core'], parts: { [HOSTILE]: true } },
      selection: [HOSTILE],
      error: HOSTILE,
      requirements: [requirement(`accounts.${HOSTILE}`, 'failed', { notes: [HOSTILE], checks: [HOSTILE] })],
      checks: [
        check(HOSTILE, 'failed', {
          title: HOSTILE,
          violations: [violation(`accounts.${HOSTILE}`, { replay: HOSTILE })],
        }),
      ],
      baseline: {
        file: HOSTILE,
        known: [{ id: `accounts.${HOSTILE}`, reason: HOSTILE }],
        new: [],
        now_passing: [HOSTILE],
      },
    }),
  );
  expect(everything.match(/<script|<img|pwned = 1<\/script>|<!--/g)).toEqual(['<script']);
});

test('nothing is fetched, and the policy allows the one script and the one style', () => {
  const { elements } = page(sampleReport());
  const policy = elements
    .flatMap(({ tagName, attrs }) => (tagName === 'meta' ? attrs : []))
    .find(({ value }) => value.startsWith("default-src 'none'"));
  expect(policy?.value).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/,
  );
  const links = elements
    .flatMap(({ attrs }) => attrs)
    .filter(({ name }) => name === 'href' || name === 'src');
  expect(links.filter(({ value }) => !value.startsWith('#'))).toEqual([]);
});

test('every link leads somewhere', () => {
  const { elements } = page(sampleReport());
  const ids = elements.flatMap(({ attrs }) =>
    attrs.filter(({ name }) => name === 'id').map(({ value }) => `#${value}`),
  );
  const links = elements.flatMap(({ attrs }) =>
    attrs.filter(({ name }) => name === 'href').map(({ value }) => value),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const link of links) expect(ids).toContain(link);
});

test('a page with large bodies stays small', () => {
  expect(renderHtml(sampleReport()).length).toBeLessThan(200_000);
});

test('what is missing, left open or failed in the suite is told with its reason', () => {
  const { section } = page(sampleReport());
  expect(section('not-tested')).toContain('the target declares no simulator.open');
  expect(section('not-tested')).toContain('events.open-is-recorded');
  expect(section('not-judged')).toContain('TypeError: undefined is not a function');
  expect(section('left-open')).toContain('A malformed id is answered 409.');
});

test('coverage shows what was never tried and what the contract does not know', () => {
  const { section } = page(sampleReport());
  expect(section('coverage')).toContain(
    '1 of 2 operations called, 2 of 7 documented statuses seen, 2 of 3 parameters',
  );
  expect(section('coverage')).toMatch(/401 never\s*418 2×/);
});

test('a conformant report has no failures to show', () => {
  const { text, section } = page(conformantReport());
  expect(text).toContain('Conformant');
  expect(section('failures')).toBe('');
});

test('a selection, a failed run and a baseline are told at once', () => {
  expect(page(sampleReport({ selection: ['accounts.starts-active'] })).text).toContain(
    'Only a selection was judged: accounts.starts-active.',
  );
  expect(page(sampleReport({ verdict: 'error', exit_code: 2, error: 'connection refused' })).text).toContain(
    'connection refused',
  );
  const baseline = {
    file: 'known.yaml',
    entries: [{ id: 'accounts.starts-active', reason: 'soon' }, { id: 'accounts.name-required' }],
  };
  const { section } = page(applyBaseline(sampleReport(), baseline));
  expect(section('baseline')).toContain('accounts.name-required');
  expect(section('failure-accounts.starts-active')).toContain('Known failure');
  expect(section('failure-accounts.starts-active')).toContain('Known: soon');
});

test('of many violations the first are shown and the rest is folded', () => {
  const violations = Array.from({ length: 5 }, (_, index) =>
    violation('accounts.many', { message: `the ${index}th` }),
  );
  const report = sampleReport({
    requirements: [requirement('accounts.many', 'failed', { violations: 9 })],
    checks: [check('accounts/many', 'failed', { violations })],
  });
  const text = page(report).section('failures');
  expect(text).toContain('3 more violations');
  expect(text).toContain('the 4th');
  expect(text).toContain('4 violations more of the same');
});
