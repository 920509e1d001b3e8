import { everyOperation, jsonOf } from '../operations.ts';
import type { Rule } from '../redocly.ts';
import { isClosed, walkSchema } from '../schemas.ts';

/** A request may hold more than is known: unknown fields are ignored, so that newer clients work with older services. */
export const openRequests: Rule = () => {
  const seen = new Set<string>();
  return everyOperation(({ cursor }) => {
    walkSchema(jsonOf(cursor.get('requestBody'))?.get('schema'), seen, (schema) => {
      if (!isClosed(schema)) return;
      schema.report(
        'Unknown fields of a request are ignored: remove additionalProperties: false (unevaluatedProperties: false).',
      );
    });
  });
};
