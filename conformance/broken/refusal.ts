import type { components } from '../../generated/types.ts';

type Schemas = components['schemas'];

export type ErrorCode = Schemas['ErrorCode'];
export type FieldProblem = Schemas['FieldError'];
export type ErrorDetail = Schemas['ErrorDetail'];

/** An answer other than success. `errors` are as the contract has them. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: readonly (ErrorDetail | FieldProblem)[];

  constructor(status: number, code: ErrorCode, errors: readonly (ErrorDetail | FieldProblem)[]) {
    super(code);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** A refusal with one reason. */
export function refuse(status: number, code: ErrorCode, description: string): Refusal {
  return new Refusal(status, code, [{ code, description }]);
}

/** A refusal of a body or parameters that have the wrong form. */
export function invalid(problems: readonly FieldProblem[]): Refusal {
  return new Refusal(422, 'VALIDATION_ERROR', problems);
}

/** A refusal for whom the thing does not belong to, or who may not do it. */
export function denied(description: string): Refusal {
  return refuse(403, 'ACCESS_DENIED', description);
}
