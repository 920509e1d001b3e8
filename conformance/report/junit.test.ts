import { expect, test } from 'vitest';
import { renderJunit } from './junit.ts';
import type { Report } from './model.ts';
import { check, conformantReport, HOSTILE, requirement, sampleReport, violation } from './testing.ts';
import { type ReadElement, readXml } from './testing-xml.ts';
import { visible } from './text.ts';

// What the schemas of Ant, Jenkins and pytest have in common.
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['testsuite'],
  testsuite: ['properties', 'testcase'],
  properties: ['property'],
  testcase: ['skipped', 'error', 'failure', 'system-out'],
};
const ATTRIBUTES: Readonly<Record<string, { required: readonly string[]; optional: readonly string[] }>> = {
  testsuites: { required: ['name', 'tests', 'failures', 'errors', 'skipped', 'time'], optional: [] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname'],
    optional: [],
  },
  property: { required: ['name', 'value'], optional: [] },
  testcase: { required: ['classname', 'name', 'time'], optional: [] },
  failure: { required: ['message', 'type'], optional: [] },
  error: { required: ['message', 'type'], optional: [] },
  skipped: { required: ['message'], optional: [] },
};

function expectValid(element: ReadElement): void {
  const rule = ATTRIBUTES[element.name] ?? { required: [], optional: [] };
  expect(Object.keys(element.attributes).sort(), element.name).toEqual([...rule.required].sort());
  for (const name of ['tests', 'failures', 'errors', 'skipped']) {
    if (rule.required.includes(name)) expect(element.attributes[name]).toMatch(/^\d+$/);
  }
  if (rule.required.includes('time')) expect(element.attributes.time).toMatch(/^\d+\.\d{3}$/);
  if (rule.required.includes('timestamp')) {
    expect(element.attributes.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  }
  const names = element.elements.map(({ name }) => name);
  const allowed = CHILDREN[element.name] ?? [];
  expect(names, element.name).toEqual(allowed.flatMap((name) => names.filter((each) => each === name)));
  if (names.length > 0) expect(element.text.trim()).toBe('');
  element.elements.forEach(expectValid);
}

function suitesOf(report: Report): readonly ReadElement[] {
  const root = readXml(renderJunit(report));
  expectValid(root);
  for (const kind of ['tests', 'failures', 'errors', 'skipped']) {
    const sum = root.elements.reduce((total, suite) => total + Number(suite.attributes[kind]), 0);
    expect(Number(root.attributes[kind]), kind).toBe(sum);
  }
  return root.elements;
}

function casesOf(report: Report): Map<string, ReadElement> {
  const cases = suitesOf(report).flatMap(({ elements }) =>
    elements.filter(({ name }) => name === 'testcase'),
  );
  return new Map(cases.map((each) => [`${each.attributes.classname}/${each.attributes.name}`, each]));
}

test('a suite for each area, a case for each requirement', () => {
  const suites = suitesOf(sampleReport());
  expect(
    suites.map(({ attributes: { name, tests, failures, errors, skipped } }) => [
      name,
      tests,
      failures,
      errors,
      skipped,
    ]),
  ).toEqual([
    ['accounts', '2', '1', '0', '0'],
    ['messages', '1', '1', '0', '0'],
    ['events', '1', '0', '0', '1'],
    ['conventions', '1', '0', '0', '0'],
    ['registration', '1', '0', '1', '0'],
  ]);
  const [accounts] = suites;
  const values = accounts?.elements[0]?.elements.map(({ attributes: { name, value } }) => `${name}=${value}`);
  expect(values).toContain('seed=1');
  expect(values).toContain('implementation=Example Mailer 2.4.1');
});

test('a failure carries the sentence, what came, the request, the response and the command', () => {
  const failed = casesOf(sampleReport()).get('conformance.accounts/accounts.starts-active');
  const [failure] = failed?.elements ?? [];
  expect(failure?.name).toBe('failure');
  expect(failure?.attributes).toEqual({
    message: 'expected the status "active" in the new account, got "disabled"',
    type: 'MUST',
  });
  expect(failure?.text).toContain('MUST, States and transitions: "A created account starts `active`."');
  expect(failure?.text).toContain('> POST https://mail.example.com/v1/accounts\n{"name":"Newsletter"');
  expect(failure?.text).toContain('< 201\n{"data":{"account_id":"6f1c0a52","status":"disabled"}');
  expect(failure?.text).toContain(
    'sendspec conformance --target target.json --seed 1 --only accounts.starts-active',
  );
});

test('hostile texts stay texts, and long ones are cut', () => {
  const document = renderJunit(sampleReport());
  expect(document.length).toBeLessThan(60_000);
  const failure = casesOf(sampleReport()).get('conformance.messages/messages.text-stays-text')?.elements[0];
  expect(failure?.text).toContain(visible(HOSTILE));
  expect(failure?.text).toContain('[cut here: 1048587 characters in all]');
  expect(failure?.text).toContain('< no response: the connection was reset');
  expect(failure?.text).toContain('And 1 violation more');
});

test('what could not be tested is skipped and says why; a fault of the suite is an error; an open question passes', () => {
  const cases = casesOf(sampleReport());
  const [skipped] = cases.get('conformance.events/events.open-is-recorded')?.elements ?? [];
  expect(skipped).toMatchObject({
    name: 'skipped',
    attributes: { message: 'the target declares no simulator.open' },
    text: expect.stringContaining('the target declares no simulator.open'),
  });
  const [error] = cases.get('conformance.registration/registration.token-expires')?.elements ?? [];
  expect(error).toMatchObject({ name: 'error', attributes: { type: 'suite-error' } });
  expect(error?.text).toContain('TypeError: undefined is not a function');
  const open = cases.get('conformance.conventions/conventions.malformed-id')?.elements;
  expect(open).toMatchObject([{ name: 'system-out', text: 'A malformed id is answered 409.' }]);
});

test('the times of the cases add up to the time of the checks', () => {
  const cases = [...casesOf(sampleReport()).values()];
  const sum = cases.reduce((total, { attributes }) => total + Number(attributes.time), 0);
  expect(sum).toBeCloseTo(5 * 1.5);
});

test('a run that judged nothing is an error, not an empty success', () => {
  const nothing = { requirements: [], checks: [], verdict: 'error', exit_code: 2 } as const;
  expect(suitesOf(sampleReport(nothing)).map(({ attributes }) => attributes.errors)).toEqual(['1']);
  const unreachable = suitesOf(
    sampleReport({ ...nothing, error: 'https://mail.example.com: connection refused' }),
  );
  expect(unreachable[0]?.elements[1]?.elements[0]?.text).toBe('https://mail.example.com: connection refused');
});

test('a known failure is skipped with its reason; one that now passes fails', () => {
  const baseline = {
    file: 'known.yaml',
    known: [{ id: 'accounts.starts-active', reason: 'fixed in 2.5' }],
    new: ['messages.text-stays-text'],
    now_passing: ['accounts.name-required'],
  };
  const cases = casesOf(sampleReport({ baseline }));
  const known = cases.get('conformance.accounts/accounts.starts-active')?.elements[0];
  expect(known).toMatchObject({ name: 'skipped', attributes: { message: 'Known failure: fixed in 2.5' } });
  expect(known?.text).toContain('got "disabled"');
  const passing = cases.get('conformance.baseline/accounts.name-required')?.elements[0];
  expect(passing).toMatchObject({ name: 'failure', attributes: { type: 'baseline' } });
  expect(
    casesOf(sampleReport({ baseline })).get('conformance.accounts/accounts.name-required')?.elements,
  ).toEqual([]);
});

test('a success is a success', () => {
  const root = readXml(renderJunit(conformantReport()));
  expect(root.attributes).toMatchObject({ tests: '1', failures: '0', errors: '0', skipped: '0' });
});

test('a failure with nothing to show for it is still told', () => {
  const bare = sampleReport({
    requirements: [requirement('accounts.bare', 'failed', { violations: 2 })],
    checks: [check('accounts/bare', 'failed', { violations: [violation('accounts.other')] })],
  });
  const failure = casesOf(bare).get('conformance.accounts/accounts.bare')?.elements[0];
  expect(failure?.attributes.message).toBe('The requirement is broken.');
});
