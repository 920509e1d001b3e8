import { isRecord } from '../cursor.ts';
import type { Rule } from '../redocly.ts';

/** OpenAPI 3.1 has no `nullable`: it would be ignored in silence. */
export const noNullable: Rule = () => ({
  any: (node, context) => {
    if (!isRecord(node) || typeof node.nullable !== 'boolean') return;
    const message =
      "OpenAPI 3.1 ignores nullable: remove it, and write type: [string, 'null'] where null is meant.";
    context.report({ message, location: context.location.child(['nullable']) });
  },
});
