import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { FORMATS } from './formats.ts';
import type { Schema } from './schema.ts';

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  verbose: true,
  discriminator: true,
  validateSchema: false,
});
for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);

const known = new WeakMap<Schema, (value: unknown) => readonly ErrorObject[]>();

/** Everything that is wrong with the value, as Ajv reports it; nothing when it is valid. */
export function errorsOf(schema: Schema, value: unknown): readonly ErrorObject[] {
  const compiled = known.get(schema) ?? compile(schema);
  known.set(schema, compiled);
  return compiled(value);
}

/** Whether the schema of the contract, with nothing loosened, takes the value. */
export function isValid(schema: Schema, value: unknown): boolean {
  return errorsOf(schema, value).length === 0;
}

function compile(schema: Schema): (value: unknown) => readonly ErrorObject[] {
  const validate = ajv.compile({ ...schema });
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
