import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../generated/operations.ts';
import { CatalogueError, decides, loadCatalogue, type Requirement } from './catalogue.ts';

const DECISIONS = join(import.meta.dirname, '../../openapi/DECISIONS.md');

const catalogue = loadCatalogue();

test('the catalogue has requirements of every level, each with an id of its own', () => {
  const { requirements } = catalogue;
  expect(requirements.length).toBeGreaterThan(300);
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  expect(new Set(requirements.map(({ level }) => level))).toEqual(new Set(['MUST', 'DERIVED', 'OPEN']));
  for (const { id } of requirements) expect(id).toMatch(/^[a-z_]+\.[a-z0-9-]+$/);
  for (const requirement of requirements) expect(catalogue.requirement(requirement.id)).toBe(requirement);
  expect(catalogue.requirement('accounts.no-such-rule')).toBeUndefined();
});

test('what is judged on every exchange is a requirement that every check decides', () => {
  const ofEveryCheck = catalogue.requirementsOf('accounts/any-name').map(({ id }) => id);
  expect(ofEveryCheck).toEqual(
    expect.arrayContaining([
      'http.complete-answer',
      'http.documented-status',
      'http.content-type',
      'http.response-shape',
      'http.response-headers',
      'conventions.open-forms',
    ]),
  );
});

test('every status that a core operation documents is the subject of a requirement of its own', () => {
  const silent = core().flatMap(([operation, { statuses }]) =>
    statuses
      .filter((status) => status !== 429 && status !== 500)
      .filter(
        (status) => !catalogue.requirements.some((requirement) => isAbout(requirement, operation, status)),
      )
      .map((status) => `${operation} ${status}`),
  );
  expect(silent).toEqual([]);
});

test('a requirement is about statuses that its operations document', () => {
  const strange = catalogue.requirements.flatMap(({ id, operations: ids, statuses }) =>
    ids.length === 0
      ? []
      : statuses
          .filter((status) => !ids.some((operation) => documents(operation, status)))
          .map((status) => `${id} ${status}`),
  );
  expect(strange).toEqual([]);
});

test('a requirement of the core can be decided by a check of the core', () => {
  const extensions = /^(users|api-keys|registration|webhook-operations)\//;
  const undecided = catalogue.requirements.filter(
    ({ profile, checks }) => profile === 'core' && checks.every((check) => extensions.test(check)),
  );
  expect(undecided.map(({ id }) => id)).toEqual([]);
});

test.each([
  ['the status of an accepted batch', 'sending.accepted-batch-status'],
  ['counters as integers or numeric strings', 'statistics.numbers'],
  ['the defaults of the period', 'messages.default-period'],
  ['the spelling of unsibscribe', 'messages.unsibscribe'],
  ['null or "" for the message of a manual suppression', 'suppressions.manual-message-id-is-empty'],
  ['null or "" for the custom ID of a manual suppression', 'suppressions.manual-custom-id-is-empty'],
  ['422 or 409 for a malformed id', 'http.malformed-id'],
  ['extra fields, and forms that the contract has otherwise', 'conventions.open-forms'],
  ['the largest page', 'conventions.largest-page'],
  ['Z or +00:00', 'conventions.offset-of-timestamps'],
  ['headers of the rate limit', 'limits.rate-limit-headers'],
])('an open question only informs: %s', (_question, id) => {
  expect(catalogue.requirement(id)?.level).toBe('OPEN');
});

test('a derived requirement quotes the decisions or the contract word for word', () => {
  const derived = catalogue.requirements.filter(({ level }) => level === 'DERIVED');
  const misquoted = derived.filter(({ source }) => !textOf(source.section).includes(source.quote));
  expect(misquoted.map(({ id, source }) => `${id}: ${source.section}`)).toEqual([]);
});

test('a sentence of the service description is demanded or excluded, not both', () => {
  const folder = folderWith({
    'accounts.yaml': entry({}),
    'excluded.yaml': '- { section: S, quote: Q, reason: none }',
  });
  expect(() => loadCatalogue(folder)).toThrow(
    'excluded.yaml, entry 1: is excluded, and quoted by accounts.rule',
  );
});

test('the checks of the catalogue are those in code', () => {
  const { verifyChecks } = loadCatalogue(
    folderWith({
      'accounts.yaml': [
        entry({ id: 'accounts.one', checks: "[accounts/one, 'fuzz/*-valid']" }),
        entry({ id: 'accounts.every', checks: "['*']" }),
      ].join('\n'),
    }),
  );
  expect(verifyChecks(['accounts/one', 'fuzz/createAccount-valid', 'fuzz/login-valid'])).toEqual([]);
  expect(verifyChecks(['accounts/two', 'accounts/two'])).toEqual([
    'accounts.one names the check accounts/one, which is not in conformance/scenarios',
    'accounts.one names the check fuzz/*-valid, which is not in conformance/scenarios',
    'no requirement names the check accounts/two',
    'no requirement names the check accounts/two',
    'two checks have the id accounts/two',
  ]);
  expect(verifyChecks([])).toContain(
    'accounts.every names the check *, which is not in conformance/scenarios',
  );
});

test('a check decides what names it, whole or by a pattern', () => {
  const one = loadCatalogue(folderWith({ 'accounts.yaml': entry({ checks: "['fuzz/*-valid']" }) }));
  const [rule] = one.requirements;
  if (rule === undefined) throw new Error('the requirement is missing');
  expect(decides('fuzz/login-valid', rule)).toBe(true);
  expect(decides('fuzz/login-invalid', rule)).toBe(false);
  expect(decides('a/fuzz/login-valid', rule)).toBe(false);
  expect(one.requirementsOf('fuzz/login-valid')).toEqual([rule]);
  expect(one.requirementsOf('fuzz/login-valid-too')).toEqual([]);
});

test.each([
  [
    'an id twice',
    `${entry({})}\n${entry({})}`,
    'entry 2 (accounts.rule): the id is that of accounts.yaml, entry 1',
  ],
  ['no id', entry({ id: null }), 'entry 1: the entry: "id" is missing'],
  [
    'an id of another area',
    entry({ id: 'domains.rule' }),
    'id must begin with the name of its file: accounts.',
  ],
  ['an id that is none', entry({ id: 'accounts.Rule 1' }), 'id: must be <area>.<words-with-hyphens>'],
  [
    'an unknown level',
    entry({ level: 'SHOULD' }),
    'level: must be one of MUST, DERIVED, OPEN, and is "SHOULD"',
  ],
  ['an unknown profile', entry({ profile: 'all' }), 'profile: must be one of core, extensions, and is "all"'],
  [
    'an unknown operation',
    entry({ operations: '[makeAccount]' }),
    'must be an operation of the contract, and is "makeAccount"',
  ],
  [
    'an inherited name as operation',
    entry({ operations: '[constructor]' }),
    'must be an operation of the contract',
  ],
  ['no quote', entry({ source: '{ section: S }' }), 'source: "quote" is missing'],
  [
    'an empty quote',
    entry({ source: "{ section: S, quote: ' ' }" }),
    'source.quote: must be text, and is " "',
  ],
  ['a source that is text', entry({ source: 'S' }), 'source: must be section and quote, and is "S"'],
  ['no check', entry({ checks: '[]' }), 'checks: must NOT have fewer than 1 items'],
  ['a check named twice', entry({ checks: '[a/b, a/b]' }), 'checks: must NOT have duplicate items'],
  [
    'a check without its file',
    entry({ checks: '[rule]' }),
    'checks.0: must be a check, <scenario file>/<name>, and is "rule"',
  ],
  ['a status that is none', entry({ statuses: '[42]' }), 'statuses.0: must be a status, and is 42'],
  ['an unknown key', entry({ note: 'x' }), '"note" is not known here; is it a typing error?'],
  ['a key that is no key', `${entry({})}\n  __proto__: x`, '"__proto__" is not known here'],
  ['an entry that is text', '- accounts.rule', 'entry 1: the entry: must be a requirement'],
  ['an empty entry', '-', 'entry 1: the entry: must be a requirement'],
  ['no list', 'id: accounts.rule', 'accounts.yaml: must be a list of entries'],
  ['an empty file', '', 'accounts.yaml: must be a list of entries'],
  ['no YAML', '- {', 'accounts.yaml: cannot be read as YAML:'],
  [
    'a key twice',
    `${entry({})}\n  level: OPEN`,
    'accounts.yaml: cannot be read as YAML: Map keys must be unique',
  ],
  ['aliases without end', bomb(), 'accounts.yaml: cannot be read as YAML:'],
])('a file with %s is refused, and the message says where', (_fault, text, message) => {
  const folder = folderWith({ 'accounts.yaml': text });
  const load = () => loadCatalogue(folder);
  expect(load).toThrow(CatalogueError);
  expect(load).toThrow(message);
  expect(load).toThrow('accounts.yaml');
});

test('every fault of every file is told at once', () => {
  const folder = folderWith({
    'accounts.yaml': entry({ level: 'SHOULD', profile: 'all' }),
    'excluded.yaml': '- { section: S, quote: Q }',
  });
  const load = () => loadCatalogue(folder);
  expect(load).toThrow('accounts.yaml, entry 1 (accounts.rule): level:');
  expect(load).toThrow('accounts.yaml, entry 1 (accounts.rule): profile:');
  expect(load).toThrow('excluded.yaml, entry 1: the entry: "reason" is missing');
});

test('a folder without requirements is no catalogue', () => {
  expect(() => loadCatalogue(folderWith({}))).toThrow('there is no requirement in any *.yaml');
  expect(() => loadCatalogue('/no/such/folder')).toThrow('the folder cannot be read: ENOENT');
});

function core() {
  return entriesOf(operations).filter(([, { origin }]) => origin === 'core');
}

function entriesOf(all: typeof operations) {
  return Object.keys(all)
    .filter((id): id is OperationId => Object.hasOwn(all, id))
    .map((id) => [id, all[id]] as const);
}

function documents(operation: OperationId, status: number): boolean {
  return operations[operation].statuses.some((documented) => documented === status);
}

function isAbout(
  { checks, operations: ids, statuses }: Requirement,
  operation: OperationId,
  status: number,
): boolean {
  return !checks.includes('*') && statuses.includes(status) && ids.includes(operation);
}

/** The text that a section of DERIVED names: an anchor of the decisions, an operation, or a component. */
function textOf(section: string): string {
  const [kind, name = ''] = section.split(': ');
  if (kind === 'Decisions') return oneLine(decision(name));
  if (kind !== 'Contract') return '';
  return stringsOf(partsOfContract(name)).map(oneLine).join('\n');
}

function decision(anchor: string): string {
  const [, rest = ''] = readFileSync(DECISIONS, 'utf8').split(`<a id="${anchor}"></a>`);
  return rest.split('<a id=')[0] ?? '';
}

function partsOfContract(name: string): unknown[] {
  const ofPaths = Object.values(document.paths).flatMap((path) => Object.values(path));
  const isNamed = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'operationId' in value && value.operationId === name;
  const components = Object.values(document.components).map((kind) =>
    new Map(Object.entries(kind)).get(name),
  );
  return [...(name === 'info' ? [document.info] : []), ...ofPaths.filter(isNamed), ...components];
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** An entry in YAML, with some fields in place of the usual ones; null leaves one out. */
function entry(fields: Record<string, string | null>): string {
  const usual = {
    id: 'accounts.rule',
    level: 'MUST',
    profile: 'core',
    source: '{ section: S, quote: Q }',
    operations: '[createAccount]',
    checks: '[accounts/rule]',
  };
  const lines = Object.entries({ ...usual, ...fields }).filter(([, value]) => value !== null);
  return `- ${lines.map(([key, value]) => `${key}: ${value}`).join('\n  ')}`;
}

function bomb(): string {
  const layers = Array.from(
    { length: 12 },
    (_, n) => `- &l${n + 1} [${Array(10).fill(`*l${n}`).join(', ')}]`,
  );
  return ['- &l0 [x]', ...layers].join('\n');
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sendspec-requirements-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
