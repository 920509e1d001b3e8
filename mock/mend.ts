import type { ContractDocument } from '../server/contract/document.ts';
import { type Validator, Validators } from '../server/contract/validators.ts';
import { isObject, valueAt } from './json.ts';

const MOST_ROUNDS = 5;

/** Mends generated bodies. Prism's generator overlooks some rules of a schema: a pattern beside a length, a format of our own. */
export class Mender {
  readonly #validators: Validators;
  readonly #known = new Map<string, Validator>();

  constructor(document: ContractDocument) {
    this.#validators = new Validators(document, { allErrors: true });
  }

  /** The body with every part that breaks the schema at the pointer taken from an example; the example itself when that does not help. */
  mend(schema: string, body: unknown, example: unknown): unknown {
    const validate = this.#validatorOf(schema);
    let mended = body;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (validate(mended)) return mended;
      for (const { instancePath } of validate.errors ?? []) {
        mended = takeOver(mended, example, instancePath.split('/').slice(1));
      }
    }
    return validate(mended) ? mended : example;
  }

  #validatorOf(schema: string): Validator {
    const validator = this.#known.get(schema) ?? this.#validators.at(schema);
    this.#known.set(schema, validator);
    return validator;
  }
}

/** Puts the example's value at the deepest place along the path that the example has too; all items of a list are like its first. */
function takeOver(value: unknown, example: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return example;
  if (Array.isArray(value) && Array.isArray(example) && example.length > 0) {
    return value.map((item, index) => (String(index) === step ? takeOver(item, example[0], rest) : item));
  }
  if (!isObject(value) || !isObject(example) || !Object.hasOwn(example, step)) return example;
  return { ...value, [step]: takeOver(valueAt(value, step), example[step], rest) };
}
