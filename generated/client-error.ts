// Do not edit: made from openapi/ by "npm run generate".
import { clientOperations } from './client-operations.ts';
import type { ErrorStatus, OperationId, ResponseBody } from './operations.ts';
import type { components } from './types.ts';

type Schemas = components['schemas'];

const EXCERPT_LENGTH = 200;

/** The service refused: thrown for every status from 400, and for an answer that is not the service's own. */
export class SendspecError extends Error {
  readonly operationId: OperationId;
  readonly status: number;
  /** The error code of the envelope; `UNEXPECTED_RESPONSE` when the answer is not the service's own. */
  readonly code: Schemas['ErrorCode'] | 'UNEXPECTED_RESPONSE';
  readonly errors: readonly (Schemas['ErrorDetail'] | Schemas['FieldError'])[];
  /** The body of the answer: what its JSON says, or its text; undefined when it was not read. */
  readonly body: unknown;
  /** Status and headers; its body has been read. */
  readonly response: Response;

  constructor(operationId: OperationId, response: Response, body: unknown) {
    const { code, errors } = isErrorBody(body)
      ? body.data
      : ({ code: 'UNEXPECTED_RESPONSE', errors: [] } as const);
    const hint = code === 'UNEXPECTED_RESPONSE' ? [strange(response, body)] : [];
    super([`${operationId}: ${response.status} ${code}`, ...hint, ...errors.map(describe)].join('; '));
    this.name = 'SendspecError';
    this.operationId = operationId;
    this.status = response.status;
    this.code = code;
    this.errors = errors;
    this.body = body;
    this.response = response;
  }

  /** The errors that name a field (those of a 422). */
  get fieldErrors(): Schemas['FieldError'][] {
    return this.errors.filter((error) => 'field' in error);
  }

  /** Seconds to wait before the next attempt, when the answer names them (429). */
  get retryAfter(): number | undefined {
    return retryAfterOf(this.response);
  }
}

/** The refusals that an operation documents, told apart by `status` and `code`. */
export type ErrorOf<Id extends OperationId> = {
  [S in ErrorStatus<Id>]: ResponseBody<Id, S> extends { data: { code: infer Code; errors: infer Errors } }
    ? SendspecError & { operationId: Id; status: S; code: Code; errors: Errors }
    : never;
}[ErrorStatus<Id>];

/** Whether `error` is a documented refusal of the operation; narrows `status`, `code` and `errors`. */
export function isErrorOf<Id extends OperationId>(operationId: Id, error: unknown): error is ErrorOf<Id> {
  if (!(error instanceof SendspecError) || error.operationId !== operationId) return false;
  return (
    error.code !== 'UNEXPECTED_RESPONSE' && clientOperations[operationId].errorStatuses.includes(error.status)
  );
}

/** The seconds of `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function isErrorBody(body: unknown): body is Schemas['Error'] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  return (
    typeof data === 'object' &&
    data !== null &&
    'code' in data &&
    typeof data.code === 'string' &&
    'errors' in data &&
    Array.isArray(data.errors)
  );
}

/** What came in place of the service's answer, short enough for a log. */
function strange(response: Response, body: unknown): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  const excerpt = text.replace(/\s+/g, ' ').trim().slice(0, EXCERPT_LENGTH) || 'nothing';
  const type = response.headers.get('content-type') ?? 'without a content type';
  // A browser hides where a redirect leads.
  const isRedirect = Math.floor(response.status / 100) === 3 || response.type === 'opaqueredirect';
  const what = isRedirect
    ? `a redirect to ${response.headers.get('location') ?? 'somewhere else'}`
    : `${type}: ${excerpt}`;
  return `not an answer of the service but ${what}; check baseUrl, and any proxy in between`;
}

function describe(error: Schemas['ErrorDetail'] | Schemas['FieldError']): string {
  if (!('field' in error)) return error.description;
  return `${error.field}: ${error.errors.map(({ description }) => description).join(', ')}`;
}
