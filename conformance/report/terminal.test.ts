import { expect, test } from 'vitest';
import { applyBaseline } from './baseline.ts';
import { summarise, wantsColour } from './terminal.ts';
import { conformantReport, requirement, sampleReport } from './testing.ts';

test('a failure comes with its sentence, what was seen, and the command that shows it again', () => {
  expect(summarise(sampleReport())).toContain(
    [
      'FAILED  accounts.starts-active  (MUST, States and transitions)',
      '  "A created account starts `active`."',
      '  accounts/starts-active: expected the status "active" in the new account, got "disabled"',
      '  again: sendspec conformance --target target.json --seed 1 --only accounts.starts-active',
      '',
    ].join('\n'),
  );
});

test('what is untested, what the suite failed at, and what is left open stand with their reasons', () => {
  const text = summarise(sampleReport());
  expect(text).toContain(
    'Could not be tested:\n  the target declares no simulator.open:\n    events.open-is-recorded',
  );
  expect(text).toContain(
    'Could not be judged, the suite failed:\n  TypeError: undefined is not a function:\n    registration.token-expires',
  );
  expect(text).toContain(
    'Left open by the description, seen here:\n  conventions.malformed-id: A malformed id is answered 409.',
  );
});

test('requirements with the same reason stand together, and none is without one', () => {
  const text = summarise(
    sampleReport({
      requirements: [
        requirement('events.a', 'untested', { checks: ['events/open'] }),
        requirement('events.b', 'untested', { checks: [] }),
        requirement('events.c', 'untested', { checks: ['events/open'] }),
        requirement('events.d', 'untested', { checks: ['events/d'] }),
      ],
    }),
  );
  expect(text).toContain('simulator.open:\n    events.a, events.c\n');
  expect(text).toContain('no check of this run decides it:\n    events.b\n');
  expect(text).toContain('no reason was given:\n    events.d\n');
});

test('the verdict comes last, with what it rests on', () => {
  expect(summarise(sampleReport()).split('\n\n').at(-1)).toBe(
    [
      'Not conformant: Example Mailer 2.4.1 (core + extensions)',
      '  requirements: 1 passed, 2 failed, 1 untested, 1 left open, 1 not judged',
      '  3,204 requests in 61 s, seed 1',
    ].join('\n'),
  );
  expect(summarise(conformantReport())).toBe(
    'Conformant: Example Mailer 2.4.1 (core + extensions)\n  requirements: 1 passed, 0 failed\n  3,204 requests in 61 s, seed 1',
  );
  expect(summarise({ ...conformantReport(), selection: ['accounts.starts-active'] })).toContain(
    '(core + extensions, selected requirements only)',
  );
  const { implementation, ...unnamed } = conformantReport();
  expect(summarise({ ...unnamed, verdict: 'error', exit_code: 2, error: 'it hangs\nup' })).toContain(
    'Not judged: https://mail.example.com (core + extensions)\n  it hangs up\n',
  );
});

test('hostile texts neither colour nor move nor flood the terminal', () => {
  const text = summarise(sampleReport());
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
  expect(text).toContain('\\u001b[31mred');
  expect(text.length).toBeLessThan(10_000);
});

test('colour is for terminals that want it', () => {
  expect(summarise(conformantReport(), { colour: true })).toContain('\u001b[32mConformant\u001b[0m');
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({}, {})).toBe(false);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
});

test('known failures come after new ones, and those that pass by now are named', () => {
  const text = summarise(
    applyBaseline(sampleReport(), {
      file: 'known.yaml',
      entries: [{ id: 'accounts.starts-active', reason: 'fixed in 2.5' }, { id: 'accounts.name-required' }],
    }),
  );
  const [first, second] = text.split('\n\n');
  expect(first).toContain('FAILED  messages.text-stays-text');
  expect(second).toContain('KNOWN FAILURE: fixed in 2.5  accounts.starts-active');
  expect(text).toContain(
    'Listed in known.yaml as known failures, and passing now: take them off the list.\n  accounts.name-required',
  );
  expect(text).toContain('known failures: 1 of 2; they do not fail the run');
});
