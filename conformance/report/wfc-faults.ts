import type { Violation } from './model.ts';

/** A category of faults: Web Fuzzing Commons, faults 0.9.0. The id and the code say the same. */
export interface FaultCategory {
  readonly id: string;
  readonly code: number;
}

interface Evidence {
  readonly requirement: string;
  /** Of the telling exchange; undefined when there was none. */
  readonly method: string | undefined;
  /** undefined when no response came. */
  readonly status: number | undefined;
  readonly fault: string | undefined;
}

type Rule = readonly [code: number, id: string, applies: (evidence: Evidence) => boolean];

// 900 to 999 are for categories of one's own.
const OTHER: FaultCategory = { code: 900, id: 'SENDSPEC_REQUIREMENT_BROKEN' };

const SHAPE = new Set([
  'http.complete-answer',
  'http.documented-status',
  'http.content-type',
  'http.response-headers',
  'http.response-shape',
  'http.error-code-belongs-to-status',
  'http.error-envelope',
  'http.validation-error-shape',
]);
const AUTHENTICATION = new Set([
  'conventions.auth-column',
  'authentication.bearer-methods',
  'authentication.basic-method',
  'authentication.invalid-token-401',
  'authentication.invalid-key-401',
  'authentication.logout-ends-the-session',
  'authentication.access-token-expires',
  'http.credentials-401',
]);
const PERMISSION = /^isolation\.|^http\.(?:permissions|foreign)-403$|^authentication\.permissions-403$/;

// The first that applies counts: what an answer proves comes before what a requirement suggests.
const RULES: readonly Rule[] = [
  [
    312,
    'SECURITY_CALL_TIMEOUT',
    ({ status, fault }) => status === undefined && /time|within/i.test(fault ?? ''),
  ],
  [100, 'HTTP_STATUS_500', ({ status }) => status === 500],
  [205, 'SCHEMA_STATUS_NO_501_IF_IMPLEMENTED', ({ status }) => status === 501],
  [121, 'HTTP_OTHER_STATUS_5XX', ({ status }) => status !== undefined && status >= 500 && status < 600],
  [
    101,
    'HTTP_STATUS_NO_NON_STANDARD_CODES',
    ({ status }) => status !== undefined && (status < 100 || status > 599),
  ],
  [
    109,
    'HTTP_STATUS_NO_401_IF_NO_WWW_AUTHENTICATE',
    ({ requirement }) => requirement === 'authentication.challenge',
  ],
  [
    309,
    'SECURITY_LEAKED_STACK_TRACES',
    ({ requirement }) => requirement === 'http.internal-failure-tells-nothing',
  ],
  [
    311,
    'SECURITY_DECLARED_AUTH_NOT_ENFORCED',
    (seen) => AUTHENTICATION.has(seen.requirement) && isSuccess(seen),
  ],
  [
    306,
    'SECURITY_INCONSISTENT_WRITE_AUTHORIZATION',
    (seen) => isPermission(seen) && isWrite(seen) && isSuccess(seen),
  ],
  [305, 'SECURITY_NOT_RECOGNIZED_AUTHENTICATED', (seen) => isPermission(seen) && seen.status === 401],
  [
    304,
    'SECURITY_EXISTENCE_LEAKAGE',
    (seen) => isPermission(seen) && (seen.status === 404 || seen.status === 409),
  ],
  [
    113,
    'HTTP_NONWORKING_DELETE',
    (seen) => /delete[ds]?\b/.test(seen.requirement) && seen.method === 'GET' && isSuccess(seen),
  ],
  [200, 'SCHEMA_INVALID_RESPONSE', ({ requirement }) => SHAPE.has(requirement)],
  [206, 'SCHEMA_VALIDATION_BYPASS', (seen) => seen.requirement.endsWith('422') && isSuccess(seen)],
  [
    207,
    'SCHEMA_VALID_INPUT_REJECTED',
    (seen) => seen.requirement === 'conventions.valid-input-is-accepted' && isRefusal(seen),
  ],
];

/** The category that a violation belongs to; one of our own where the catalogue has none. */
export function faultCategoryOf({ requirement, exchanges }: Violation): FaultCategory {
  // What the suite answers to a notification proves nothing.
  const telling = exchanges.findLast(({ is_notification }) => is_notification !== true);
  const evidence: Evidence = {
    requirement,
    method: telling?.request.method.toUpperCase(),
    status: telling?.response?.status,
    fault: telling?.fault,
  };
  const rule = RULES.find(([, , applies]) => applies(evidence));
  return rule ? { code: rule[0], id: rule[1] } : OTHER;
}

function isPermission({ requirement }: Evidence): boolean {
  return PERMISSION.test(requirement);
}

function isWrite({ method }: Evidence): boolean {
  return method !== undefined && method !== 'GET' && method !== 'HEAD';
}

function isSuccess({ status }: Evidence): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function isRefusal({ status }: Evidence): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
