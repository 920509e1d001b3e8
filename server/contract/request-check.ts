import type { OperationId } from '../../generated/operations.ts';
import { ApiError, type FieldError } from '../domain/errors.ts';
import { clip } from './clip.ts';
import {
  type ContractDocument,
  follow,
  type Located,
  type Operation,
  type Parameter,
  pointerTo,
  type Schema,
} from './document.ts';
import { toFieldErrors } from './field-errors.ts';
import { type ParameterRule, parameterRules, readPath, readQuery } from './parameters.ts';
import type { Fault, Validator, Validators } from './validators.ts';

/** A request as it came: texts of the path, the query string, and the parsed body (undefined when the operation takes none). */
export interface RawRequest {
  path: Readonly<Record<string, string>>;
  query: string;
  body: unknown;
}

/** A request whose shape is the contract's. */
export interface CheckedRequest {
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** What an operation takes. */
export interface RequestRules {
  id: OperationId;
  path: readonly ParameterRule[];
  query: readonly ParameterRule[];
  /** JSON pointer of the body's schema; undefined when the operation takes no body. */
  body: string | undefined;
  bodyRequired: boolean;
  /** The body is a list of things that are checked one by one. */
  bodyIsList: boolean;
}

/** A quick validator that stops at the first fault, and one that collects them all for the answer. */
export interface ValidatorPair {
  quick: Validator;
  thorough: Validator;
}

/** Where validators come from: of the same document, compiled for the first fault and for all of them. */
export interface ValidatorSource {
  quick: Validators;
  thorough: Validators;
}

const FAULTY = 'the request has faulty fields';

/** Reads from the contract what an operation takes. */
export function requestRules(
  document: ContractDocument,
  operation: Located<Operation>,
  parameters: readonly Located<Parameter>[],
): RequestRules {
  const rules = parameterRules(document, parameters);
  const { requestBody } = operation.value;
  const body =
    requestBody &&
    follow(document, { value: requestBody, pointer: pointerTo(operation.pointer, 'requestBody') });
  const media = body?.value.content?.['application/json']?.schema;
  const schema = media && follow(document, { value: media, pointer: '' }).value;
  return {
    id: operation.value.operationId as OperationId,
    path: rules.filter(({ location }) => location === 'path'),
    query: rules.filter(({ location }) => location === 'query'),
    body: body && pointerTo(body.pointer, 'content', 'application/json', 'schema'),
    bodyRequired: body?.value.required ?? false,
    bodyIsList: schema?.['x-items-validated'] !== undefined,
  };
}

/** Checks requests of one operation against the contract; its validators are compiled when the first request comes. */
export class RequestCheck {
  readonly rules: RequestRules;
  readonly #document: ContractDocument;
  readonly #source: ValidatorSource;
  #path: ValidatorPair | undefined;
  #query: ValidatorPair | undefined;
  #body: ValidatorPair | undefined;

  constructor(document: ContractDocument, rules: RequestRules, source: ValidatorSource) {
    this.#document = document;
    this.rules = rules;
    this.#source = source;
  }

  /** Compiles what is not compiled yet, so that no caller waits for it. */
  warm(): void {
    if (this.rules.path.length > 0) this.#path ??= this.#parameters(this.rules.path);
    if (this.rules.query.length > 0) this.#query ??= this.#parameters(this.rules.query);
    if (this.rules.body !== undefined) this.#body ??= this.#bodyPair(this.rules.body);
  }

  /**
   * Returns the request with its parameters read (defaults filled in).
   * @throws ApiError VALIDATION_ERROR with the faulty fields, or BODY_NOT_ARRAY, BODY_EMPTY_ARRAY, or VALIDATION_ERROR with MAX for a
   * body that should be an array of messages.
   */
  check(raw: RawRequest): CheckedRequest {
    this.warm();
    const path = readPath(this.rules.path, raw.path);
    const query = readQuery(this.rules.query, raw.query);
    const faults = [...faultsIn(this.#path, path), ...faultsIn(this.#query, query.values)];
    const bodyGiven = raw.body !== undefined || this.rules.bodyRequired;
    const bodyFaults = bodyGiven ? faultsIn(this.#body, raw.body) : [];
    if (faults.length + query.errors.length + bodyFaults.length > 0) {
      throwArrayFault(raw.body, bodyFaults);
      throw new ApiError('VALIDATION_ERROR', FAULTY, [
        ...toFieldErrors(faults, query.errors).map(asSent),
        ...toFieldErrors(bodyFaults),
      ]);
    }
    return { path, query: query.values, body: raw.body };
  }

  /** The error for a body that is too large to be looked at: of a list of messages it concerns none in particular. */
  tooLarge(description: string): ApiError {
    const error = { code: 'MAX', description } as const;
    const whole = this.rules.bodyIsList ? error : { field: '', value: '', errors: [error] };
    return new ApiError('VALIDATION_ERROR', FAULTY, [whole]);
  }

  #parameters(rules: readonly ParameterRule[]): ValidatorPair {
    const required = rules.filter((rule) => rule.required).map(({ name }) => name);
    return pairOf(this.#source, (validators) =>
      validators.object(
        rules.map(({ name, pointer }) => [name, pointer]),
        required,
      ),
    );
  }

  #bodyPair(pointer: string): ValidatorPair {
    if (!this.rules.bodyIsList) return pairOf(this.#source, (validators) => validators.at(pointer));
    const reference: Located<Schema> = { value: { $ref: pointer }, pointer };
    const schema = follow(this.#document, reference).value;
    const { items: _validatedOneByOne, ...list } = schema;
    return pairOf(this.#source, (validators) => validators.of(list));
  }
}

/** Compiles the same schema both ways. */
export function pairOf(
  source: ValidatorSource,
  compile: (validators: Validators) => Validator,
): ValidatorPair {
  return { quick: compile(source.quick), thorough: compile(source.thorough) };
}

/** All faults of a value, none when it is valid. Long lists are cut first: a hostile one must not make a fault of each of its items. */
export function faultsIn(pair: ValidatorPair | undefined, value: unknown): readonly Fault[] {
  if (pair === undefined || pair.quick(value)) return [];
  const first = pair.quick.errors ?? [];
  if (pair.thorough(clip(value))) return first;
  return pair.thorough.errors ?? first;
}

/** A parameter is sent as text, whatever it stands for. */
function asSent(error: FieldError): FieldError {
  return { ...error, value: String(error.value) };
}

/** A body that should be an array of messages and is not has codes of its own. */
function throwArrayFault(body: unknown, faults: readonly Fault[]): void {
  for (const { keyword, instancePath, params } of faults) {
    if (instancePath !== '') continue;
    if (keyword === 'type' && params.type === 'array') {
      throw new ApiError('BODY_NOT_ARRAY', 'the body must be an array of messages');
    }
    if (keyword === 'minItems') throw new ApiError('BODY_EMPTY_ARRAY', 'the body has no message');
    if (keyword === 'maxItems' && Array.isArray(body)) {
      throw new ApiError('VALIDATION_ERROR', FAULTY, [
        { code: 'MAX', description: `there may be at most ${params.limit} messages, not ${body.length}` },
      ]);
    }
  }
}
