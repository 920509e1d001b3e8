import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ContractDocument } from './document.ts';
import { FORMATS } from './formats.ts';
import { LENGTH_KEYWORDS } from './length-keywords.ts';

export type Validator = ValidateFunction;
export type Fault = ErrorObject;

const DOCUMENT = 'contract';
// What the contract says to people and tools and what does not judge a value. An unknown keyword stops the start.
const ANNOTATIONS = [
  'example',
  'discriminator',
  'externalDocs',
  'xml',
  'x-origin',
  'x-error-code',
  'x-error-description',
  'x-extensible-enum',
  'x-items-validated',
];

/** Compiles validators of JSON Schema 2020-12 from places in the contract; each place is compiled once, when it is first needed. */
export class Validators {
  readonly #ajv: Ajv2020;
  readonly #byPointer = new Map<string, Validator>();

  constructor(document: ContractDocument, options: Options) {
    this.#ajv = new Ajv2020({
      ...options,
      strict: true,
      // The contract leaves types to the schema that has a reference, and names required fields in branches.
      strictTypes: false,
      strictRequired: false,
      validateSchema: false,
      formats: { ...FORMATS },
      logger: false,
    });
    for (const definition of LENGTH_KEYWORDS) {
      this.#ajv.removeKeyword(String(definition.keyword)).addKeyword(definition);
    }
    // To Ajv the document is a schema too, whose keywords are the sections of OpenAPI.
    this.#ajv.addVocabulary([...ANNOTATIONS, ...Object.keys(document)]);
    this.#ajv.addSchema(document, DOCUMENT);
  }

  /** The validator of the schema at a JSON pointer such as `#/components/schemas/Account`. */
  at(pointer: string): Validator {
    const known = this.#byPointer.get(pointer);
    if (known !== undefined) return known;
    const compiled = this.#ajv.compile({ $ref: reference(pointer) });
    this.#byPointer.set(pointer, compiled);
    return compiled;
  }

  /** The validator of an object whose properties have the schemas at these pointers; what else it holds is ignored. */
  object(
    properties: readonly (readonly [name: string, pointer: string])[],
    required: readonly string[],
  ): Validator {
    return this.#ajv.compile({
      type: 'object',
      properties: Object.fromEntries(
        properties.map(([name, pointer]) => [name, { $ref: reference(pointer) }]),
      ),
      required,
    });
  }

  /** The validator of a schema that does not stand in the contract as it is. */
  of(schema: object): Validator {
    return this.#ajv.compile(schema);
  }
}

function reference(pointer: string): string {
  return DOCUMENT + encodeURI(pointer);
}

/** What the schema that a value failed says about the answer. The validator must be `verbose`. */
export function hintsOf({ parentSchema }: Fault): {
  code: string | undefined;
  description: string | undefined;
  secret: boolean;
} {
  return {
    code: parentSchema?.['x-error-code'],
    description: parentSchema?.['x-error-description'],
    secret: parentSchema?.format === 'password',
  };
}
