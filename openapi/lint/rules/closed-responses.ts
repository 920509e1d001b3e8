import type { Cursor } from '../cursor.ts';
import { everyOperation } from '../operations.ts';
import type { Rule } from '../redocly.ts';
import { isClosed, typesOf, walkSchema } from '../schemas.ts';

/** A response says all that it holds, so that an undocumented property is a broken contract. */
export const closedResponses: Rule = () => {
  const seen = new Set<string>();
  return everyOperation(({ responses }) => {
    for (const [, response] of responses) {
      for (const media of response.items('content')) {
        walkSchema(media.get('schema'), seen, (schema, isPart) => {
          if (isPart || !isObject(schema) || isClosed(schema)) return;
          schema.report(
            'An object in a response is closed: add additionalProperties: false (unevaluatedProperties: false beside allOf).',
          );
        });
      }
    }
  });
};

/** An object by its own word, or by what it is put together from. */
function isObject(schema: Cursor): boolean {
  return typesOf(schema.node).includes('object') || schema.items('allOf').some(isObject);
}
