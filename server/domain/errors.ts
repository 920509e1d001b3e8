import type { components } from '../../generated/types.ts';

/** The codes that an error body of the contract can carry. */
export type ErrorCode = components['schemas']['ErrorCode'];
/** One fault of the request as a whole. */
export type ErrorDetail = components['schemas']['ErrorDetail'];
/** The faults of one field of the request. */
export type FieldError = components['schemas']['FieldError'];

/** An error that the caller is told about, in the envelope of the contract. Handlers and stores throw it; the pipeline sends it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly (ErrorDetail | FieldError)[];

  constructor(code: ErrorCode, description: string, errors?: readonly (ErrorDetail | FieldError)[]) {
    super(description);
    this.name = 'ApiError';
    this.code = code;
    this.errors = errors ?? [{ code, description }];
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** The HTTP status that belongs to an error code; every code has exactly one. A rule of business (a missing entity included) is 409. */
export function statusOf(code: ErrorCode): number {
  return STATUS_BY_CODE[code] ?? 409;
}

const STATUS_BY_CODE: Partial<Record<ErrorCode, number>> = {
  INVALID_JSON: 400,
  INVALID_CREDENTIALS: 401,
  ACCESS_DENIED: 403,
  ENDPOINT_NOT_FOUND: 404,
  VALIDATION_ERROR: 422,
  BODY_NOT_ARRAY: 422,
  BODY_EMPTY_ARRAY: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_SERVER_ERROR: 500,
};
