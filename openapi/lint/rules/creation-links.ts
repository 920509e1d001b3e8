import type { Cursor } from '../cursor.ts';
import { allOperations, type LintedOperation } from '../operations.ts';
import type { Rule } from '../redocly.ts';

/** What a creation returns can be used: links lead from it to the operations that take its id. */
export const creationLinks: Rule = () =>
  allOperations((operations) => {
    const byId = new Map(operations.map((operation) => [operation.id, operation]));
    for (const { id, responses } of operations) {
      for (const [status, response] of responses) {
        const links = response.items('links');
        if (status === '201' && links.length === 0) {
          response.report(
            `A creation leads on: add links from the 201 of ${id} to the operations that take the new id ($response.body#/data/...).`,
          );
        }
        for (const link of links) checkLink(link, byId);
      }
    }
  });

function checkLink(link: Cursor, byId: Map<string, LintedOperation>): void {
  const target = byId.get(link.text('operationId') ?? '');
  if (!target) {
    link.report(
      `A link leads to an operation: give it the operationId of one that exists, not ${link.text('operationId')}.`,
    );
    return;
  }
  const known = new Map(target.parameters.map((parameter) => [parameter.text('name') ?? '', parameter]));
  const given = link.entries('parameters');
  for (const [name] of given.filter(([name]) => !known.has(name))) {
    link.report(
      `A link fills parameters of its operation: ${target.id} has no ${name}, so remove or rename it.`,
    );
  }
  for (const [name, parameter] of known) {
    const isMissing = parameter.text('in') === 'path' && !given.some(([key]) => key === name);
    if (isMissing)
      link.report(`A link fills every path parameter of its operation: add ${name} for ${target.id}.`);
  }
  for (const [name, value] of given) {
    const expressions = Array.isArray(value.node) ? value.node : [value.node];
    if (expressions.every((text) => /^\$(request|response)\./.test(String(text)))) continue;
    link.report(
      `A link takes its values from the exchange: write ${name} as a runtime expression ($response.body#/data/...).`,
    );
  }
}
