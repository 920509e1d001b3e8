import type {
  CheckResult,
  Report,
  ReportedExchange,
  RequirementOutcome,
  RequirementResult,
  Violation,
} from './model.ts';

// A report with one of everything, as a server that wants to do harm would like to have it written.

/** What a body may hold to leave the place where it is shown. */
export const HOSTILE =
  '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned=1">]]>&amp;\'"<!--\0\u001b[31mred\u0007\udc00\ud800\u202etxt.exe\ud83d';

/** A body of a megabyte. */
export const HUGE = `{"data":"${'x'.repeat(2 ** 20)}"}`;

/** An exchange with this response. */
export function exchange(
  response: ReportedExchange['response'],
  request: Partial<ReportedExchange['request']> = {},
): ReportedExchange {
  return {
    operation_id: 'createAccount',
    request: {
      method: 'POST',
      url: 'https://mail.example.com/v1/accounts',
      headers: { 'content-type': 'application/json', authorization: 'Bearer [redacted]' },
      body: '{"name":"Newsletter","type":"marketing"}',
      ...request,
    },
    response,
  };
}

/** An answer in JSON. */
export function answer(status: number, body: string): ReportedExchange['response'] {
  return {
    status,
    headers: { 'content-type': 'application/json', date: 'Mon, 02 Mar 2026 08:00:00 GMT' },
    body,
  };
}

/** A requirement that ended like this. */
export function requirement(
  id: string,
  outcome: RequirementOutcome,
  more: Partial<RequirementResult> = {},
): RequirementResult {
  return {
    id,
    level: 'MUST',
    profile: 'core',
    source: { section: 'States and transitions', quote: 'A created account starts `active`.' },
    operations: ['createAccount'],
    checks: [],
    outcome,
    violations: outcome === 'failed' ? 1 : 0,
    notes: [],
    ...more,
  };
}

/** A violation of a requirement. */
export function violation(id: string, more: Partial<Violation> = {}): Violation {
  return {
    requirement: id,
    message: 'expected the status "active" in the new account, got "disabled"',
    exchanges: [exchange(answer(201, '{"data":{"account_id":"6f1c0a52","status":"disabled"},"meta":{}}'))],
    replay: `sendspec conformance --target target.json --seed 1 --only ${id}`,
    ...more,
  };
}

/** A check that ended like this. */
export function check(
  id: string,
  outcome: CheckResult['outcome'],
  more: Partial<CheckResult> = {},
): CheckResult {
  return { id, title: `Title of ${id}`, outcome, duration_ms: 1500, requests: 12, violations: [], ...more };
}

/** A report with every outcome in it; not conformant. */
export function sampleReport(more: Partial<Report> = {}): Report {
  const requirements = sampleRequirements();
  const checks = sampleChecks();
  return {
    schema_version: 1,
    suite: { name: 'sendspec', version: '0.1.0' },
    contract: { title: 'Sendspec', version: '1.0.0', sha256: 'a'.repeat(64) },
    implementation: { name: 'Example Mailer', version: '2.4.1' },
    target: {
      base_url: 'https://mail.example.com',
      profiles: ['core', 'extensions'],
      parts: { second_tenant: true, 'simulator.open': false, clock: false },
    },
    seed: 1,
    selection: null,
    started_at: '2026-03-02T08:00:00.000Z',
    duration_ms: 61_400,
    requests: 3204,
    verdict: 'not_conformant',
    exit_code: 1,
    summary: {
      requirements: tally(requirements, { passed: 0, failed: 0, untested: 0, informed: 0, error: 0 }),
      checks: tally(checks, { passed: 0, failed: 0, untested: 0, error: 0 }),
    },
    requirements,
    checks,
    coverage: {
      operations: [
        {
          operation_id: 'listMessages',
          method: 'get',
          path: '/v1/messages',
          requests: 210,
          statuses: { '200': 190, '422': 18, '418': 2 },
          documented_statuses: ['200', '401', '422', '429', '500'],
          parameters: { limit: 40, offset: 38, custom_id: 0 },
        },
        {
          operation_id: 'rotateDkim',
          method: 'post',
          path: '/v1/domains/{domain_id}/rotate_dkim',
          requests: 0,
          statuses: {},
          documented_statuses: ['200', '401'],
          parameters: {},
        },
      ],
    },
    ...more,
  };
}

/** Nothing failed, nothing is missing. */
export function conformantReport(): Report {
  const requirements = [
    requirement('accounts.starts-active', 'passed', { checks: ['accounts/starts-active'] }),
  ];
  const checks = [check('accounts/starts-active', 'passed')];
  return sampleReport({
    requirements,
    checks,
    summary: {
      requirements: { passed: 1, failed: 0, untested: 0, informed: 0, error: 0 },
      checks: { passed: 1, failed: 0, untested: 0, error: 0 },
    },
    verdict: 'conformant',
    exit_code: 0,
  });
}

function tally<Outcome extends string>(
  results: readonly { readonly outcome: Outcome }[],
  zeros: Record<Outcome, number>,
): Record<Outcome, number> {
  const counts = { ...zeros };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

function sampleRequirements(): RequirementResult[] {
  return [
    requirement('accounts.starts-active', 'failed', { checks: ['accounts/starts-active'] }),
    requirement('accounts.name-required', 'passed', { checks: ['accounts/starts-active'] }),
    requirement('messages.text-stays-text', 'failed', {
      source: { section: 'Messages', quote: `A subject is given back as it came, ${HOSTILE}.` },
      operations: ['listMessages'],
      checks: ['messages/hostile'],
      violations: 3,
    }),
    requirement('events.open-is-recorded', 'untested', {
      operations: [],
      checks: ['events/open'],
      notes: ['the target declares no simulator.open'],
    }),
    requirement('conventions.malformed-id', 'informed', {
      level: 'OPEN',
      checks: ['conventions/malformed-id'],
      notes: ['A malformed id is answered 409.'],
    }),
    requirement('registration.token-expires', 'error', {
      level: 'DERIVED',
      profile: 'extensions',
      checks: ['registration/expiry'],
    }),
  ];
}

function sampleChecks(): CheckResult[] {
  return [
    check('accounts/starts-active', 'failed', { violations: [violation('accounts.starts-active')] }),
    check('messages/hostile', 'failed', {
      violations: [
        violation('messages.text-stays-text', {
          message: `expected the subject that was sent, got ${HOSTILE}`,
          exchanges: [
            exchange(answer(200, HOSTILE), { url: `https://mail.example.com/v1/messages?name=${HOSTILE}` }),
            exchange(answer(200, HUGE), { headers: { 'x-evil': HOSTILE }, body: HUGE }),
          ],
          shrunk: { case: `{"subject":${JSON.stringify(HOSTILE)}}`, seed: 1, path: '0:1:2' },
        }),
        violation('messages.text-stays-text', {
          message: 'expected an answer within 30 s, got none',
          exchanges: [{ ...exchange(null), fault: 'the connection was reset' }],
        }),
      ],
    }),
    check('events/open', 'untested', { reason: 'the target declares no simulator.open', requests: 0 }),
    check('conventions/malformed-id', 'passed'),
    check('registration/expiry', 'error', { reason: 'TypeError: undefined is not a function' }),
  ];
}
