import { isRecord } from '../cursor.ts';
import { allOperations } from '../operations.ts';
import type { Rule } from '../redocly.ts';

interface Options {
  /** The operationIds that the description of the service names; every other one is an extension. */
  core: string[];
}

/** Unmarked operations are exactly the core ones; `x-origin` has no value but `extension`. */
export const coreOperations: Rule<Options> = ({ core }) => ({
  ...allOperations((operations, paths) => {
    for (const { id, cursor } of operations) {
      const marked = cursor.has('x-origin');
      if (!marked && !core.includes(id)) {
        cursor.report(`${id} is none of the core operations, so it is marked: add "x-origin: extension".`);
      }
      if (marked && core.includes(id)) {
        cursor.get('x-origin')?.report(`${id} is a core operation, so it bears no mark: remove x-origin.`);
      }
    }
    const present = new Set(operations.map(({ id }) => id));
    for (const id of core.filter((id) => !present.has(id))) {
      paths.report(`Every core operation is described: add ${id}, or take it from the rule's list.`);
    }
  }),
  any: (node, context) => {
    const origin = isRecord(node) ? node['x-origin'] : undefined;
    if (origin === undefined || origin === 'extension') return;
    const message = `x-origin has the one value extension: replace ${JSON.stringify(origin)}, or remove the mark.`;
    context.report({ message, location: context.location.child(['x-origin']) });
  },
});
