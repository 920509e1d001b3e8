import { isRecord } from '../cursor.ts';
import type { Context, Rule } from '../redocly.ts';
import { typesOf } from '../schemas.ts';

/** Every scalar says how large it can be and shows a value; a file (contentMediaType) is no scalar. */
export const boundedScalars: Rule = () => ({
  Schema: (schema, context) => {
    if (!isRecord(schema) || 'enum' in schema || 'const' in schema || 'contentMediaType' in schema) return;
    const types = typesOf(schema);
    const report = (message: string): void => context.report({ message, location: context.location });
    if (types.includes('string') && !('maxLength' in schema)) {
      report('A string has a length: add maxLength (or an enum, or a const).');
    }
    // What may be text as well repeats what was sent: its length is bound, and a range would say nothing.
    const isNumber =
      types.some((type) => type === 'integer' || type === 'number') && !types.includes('string');
    if (isNumber && !('minimum' in schema && 'maximum' in schema)) {
      report('A number has a range: add minimum and maximum (or an enum, or a const).');
    }
    const isScalar = types.some((type) => ['string', 'integer', 'number', 'boolean'].includes(type));
    if (isScalar && !hasExample(schema) && !hasExample(context.parent) && !isBranch(context)) {
      report('A scalar shows a value: add examples with one that is plausible.');
    }
  },
});

function hasExample(holder: unknown): boolean {
  if (!isRecord(holder)) return false;
  return (
    'example' in holder ||
    (Array.isArray(holder.examples) ? holder.examples.length > 0 : 'examples' in holder)
  );
}

/** A branch of a composite: the whole of it shows the value. */
function isBranch({ location }: Context): boolean {
  return /\/(allOf|anyOf|oneOf)\/\d+$/.test(location.pointer);
}
