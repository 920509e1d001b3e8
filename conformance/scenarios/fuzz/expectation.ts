import { type BrokenRequest, describeFault, type Mutation, type Verdict } from '../../arbitraries/fault.ts';
import { type OperationId, operationOf } from '../../contract/document.ts';
import { type Answer, valueAt } from '../../suite/answer.ts';

/** Why the answer is not what the verdict allows, in words; undefined when it is. That a server fails is found on every answer. */
export function objectionTo(answer: Answer, { fault, verdict }: BrokenRequest): string | undefined {
  if (isAllowed(answer, verdict)) return undefined;
  return `expected ${wantedBy(verdict)} for ${answer.operation} with ${describeFault(fault)}, got ${got(answer)}`;
}

/** Whether a good request was answered as one: with a success, or with a conflict where good requests may meet one. */
export function isWelcome(answer: Answer, operation: OperationId): boolean {
  // The status of an accepted batch is open, and 207 says that a message was rejected.
  if (operation === 'sendEmail') return answer.status >= 200 && answer.status < 300 && answer.status !== 207;
  if (answer.status === 409) return MAY_COLLIDE.has(operation);
  return answer.status < 300 && operationOf(operation).statuses.includes(answer.status);
}

// Records that are not published, a key or secret that was replaced a moment ago, a token that only a mail could tell, and more
// webhooks than there may be.
const MAY_COLLIDE = new Set<OperationId>([
  'verifyDomainDkim',
  'verifyDomainReturnPath',
  'rotateDomainDkim',
  'confirmPasswordReset',
  'createWebhook',
  'rotateWebhookSecret',
]);

/** The requirement that a server breaks when it does not refuse this. */
export function requirementOf({ operation, fault, verdict }: Mutation): string {
  const { origin, tag } = operationOf(operation);
  const isJson = verdict.kind !== 'refused' || !verdict.statuses.every((status) => status === 400);
  if (!isJson) return origin === 'core' ? 'http.invalid-json-400' : 'http.invalid-json-of-extensions-400';
  if (origin === 'extension') return OF_EXTENSION[tag] ?? 'registration.malformed';
  if (verdict.kind === 'item_rejected') return OF_MESSAGE[fault.kind] ?? 'sending.rejected-gives-207';
  return OF_KIND[fault.kind] ?? 'http.form-is-checked-422';
}

const OF_EXTENSION: Readonly<Record<string, string>> = {
  Users: 'users.malformed',
  'API keys': 'api_keys.malformed',
  Webhooks: 'webhook_operations.malformed',
};

const OF_MESSAGE: Readonly<Record<string, string>> = {
  'line break': 'sending.control-characters',
  'line break or NUL': 'sending.control-characters',
  'malformed address': 'sending.address',
  'two items': 'sending.one-recipient',
};

const OF_KIND: Readonly<Record<string, string>> = {
  missing: 'http.validation-422',
  'wrong type': 'http.validation-422',
  'a list': 'http.validation-422',
  'an object': 'http.validation-422',
  'a single value': 'http.validation-422',
  null: 'conventions.required-null-422',
  'given twice': 'conventions.repeated-parameter-422',
  'timestamp without an offset': 'conventions.timestamp-without-offset-422',
  'malformed timestamp': 'http.malformed-value-422',
  'unknown value': 'http.malformed-value-422',
  'not an integer': 'http.malformed-value-422',
  negative: 'http.malformed-value-422',
  0: 'conventions.bad-page-422',
};

function isAllowed({ status, json }: Answer, verdict: Verdict): boolean {
  switch (verdict.kind) {
    case 'refused':
      return verdict.statuses.includes(status);
    case 'item_rejected':
      return status === 207 && valueAt(json, 'data.0.status') === 'rejected';
    case 'survived':
      return true;
  }
}

function wantedBy(verdict: Verdict): string {
  if (verdict.kind === 'item_rejected') return '207 with the message rejected';
  return verdict.kind === 'refused' ? verdict.statuses.join(' or ') : 'any answer';
}

function got({ operation, status, json }: Answer): string {
  const item = valueAt(json, 'data.0.status');
  return operation === 'sendEmail' && typeof item === 'string'
    ? `${status} with the message ${item}`
    : String(status);
}
