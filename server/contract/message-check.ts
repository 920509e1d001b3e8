import type { components } from '../../generated/types.ts';
import type { ErrorDetail, FieldError } from '../domain/errors.ts';
import { toFieldErrors } from './field-errors.ts';
import { faultsIn, pairOf, type ValidatorPair, type ValidatorSource } from './request-check.ts';
import type { Validator } from './validators.ts';

type SendEmailMessage = components['schemas']['SendEmailMessage'];

/** What a message's shape was found to be. A valid one can be accepted as far as its shape goes. */
export type MessageVerdict =
  | { valid: true; message: SendEmailMessage }
  | {
      valid: false;
      code: 'VALIDATION_ERROR' | 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED';
      errors: (ErrorDetail | FieldError)[];
      /** The custom ID to answer with; empty when there is none, or when it is faulty itself. */
      customId: string;
    };

const MESSAGE = '#/components/schemas/SendEmailMessage';
const MAX_BYTES = 10 * 2 ** 20;
const MAX_BYTES_PER_CHARACTER = 3;
const SEVERAL_RECIPIENTS = 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED';

/** Checks one message of a batch by itself against the contract's `SendEmailMessage`, and its 10 MB of html and text. */
export class MessageCheck {
  readonly #source: ValidatorSource;
  #pair: ValidatorPair | undefined;
  #customId: Validator | undefined;

  constructor(source: ValidatorSource) {
    this.#source = source;
  }

  warm(): ValidatorPair {
    this.#customId ??= this.#source.quick.at(`${MESSAGE}/properties/custom_id`);
    this.#pair ??= pairOf(this.#source, (validators) => validators.at(MESSAGE));
    return this.#pair;
  }

  check(item: unknown): MessageVerdict {
    const pair = this.warm();
    if (isTooLarge(item)) {
      const description = 'html and text may have 10 MB (10 × 2^20 bytes) at most';
      const errors = [{ code: 'MAX', description } as const];
      return { valid: false, code: 'VALIDATION_ERROR', errors, customId: this.#customIdOf(item) };
    }
    const faults = faultsIn(pair, item);
    if (faults.length === 0) return { valid: true, message: item as SendEmailMessage };
    const errors = toFieldErrors(faults);
    return {
      valid: false,
      code: onlySeveralRecipients(errors) ? SEVERAL_RECIPIENTS : 'VALIDATION_ERROR',
      errors,
      customId: this.#customIdOf(item),
    };
  }

  // Judged by itself: the list of errors may have been cut before it came to the custom ID.
  #customIdOf(item: unknown): string {
    const customId = partOf(item, 'custom_id');
    return typeof customId === 'string' && this.#customId?.(customId) ? customId : '';
  }
}

function onlySeveralRecipients(errors: readonly FieldError[]): boolean {
  return errors.every((field) => field.errors.every(({ code }) => code === SEVERAL_RECIPIENTS));
}

function isTooLarge(item: unknown): boolean {
  const body = partOf(item, 'body');
  const parts = [partOf(body, 'html'), partOf(body, 'text')].filter((part) => typeof part === 'string');
  const characters = parts.reduce((sum, part) => sum + part.length, 0);
  if (characters * MAX_BYTES_PER_CHARACTER <= MAX_BYTES) return false;
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) > MAX_BYTES;
}

function partOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
