import { Cursor } from './cursor.ts';
import type { Visitor } from './redocly.ts';

const methods = new Set(['get', 'put', 'post', 'patch', 'delete', 'head', 'options', 'trace']);

export interface LintedOperation {
  path: string;
  method: string;
  id: string;
  cursor: Cursor;
  /** The parameters of the operation and of its path. */
  parameters: Cursor[];
  responses: [status: string, response: Cursor][];
  isPublic: boolean;
  hasBody: boolean;
}

/** A visitor that calls `check` with every operation below `paths`. */
export function everyOperation(check: (operation: LintedOperation) => void): Visitor {
  return allOperations((operations) => operations.forEach(check));
}

/** A visitor that calls `check` once, with all operations below `paths`. */
export function allOperations(check: (operations: LintedOperation[], paths: Cursor) => void): Visitor {
  return {
    PathsMap: (node, context) => {
      const paths = new Cursor(context, node, context.location);
      check(
        paths.entries().flatMap(([path, item]) => operationsOf(path, item)),
        paths,
      );
    },
  };
}

export function operationsOf(path: string, item: Cursor): LintedOperation[] {
  return item
    .entries()
    .filter(([method]) => methods.has(method))
    .map(([method, cursor]) => ({
      path,
      method,
      id: cursor.text('operationId') ?? `${method} ${path}`,
      cursor,
      parameters: [...item.items('parameters'), ...cursor.items('parameters')],
      responses: cursor.entries('responses'),
      isPublic: cursor.entries('security').length === 0,
      hasBody: cursor.has('requestBody'),
    }));
}

/** A JSON body of a request or response; undefined when it has none. */
export function jsonOf(cursor: Cursor | undefined): Cursor | undefined {
  return cursor?.get('content', 'application/json');
}
