import { Cursor } from '../cursor.ts';
import { everyOperation, operationsOf } from '../operations.ts';
import type { Rule } from '../redocly.ts';

/** Every body, sent or received, is shown: the docs, the mock and the tests live on these examples. */
export const bodyExamples: Rule = () => ({
  ...everyOperation(({ cursor, responses }) => {
    checkBody(cursor.get('requestBody'));
    for (const [, response] of responses) checkBody(response);
  }),
  WebhooksMap: (node, context) => {
    for (const [event, item] of new Cursor(context, node, context.location).entries()) {
      for (const { cursor } of operationsOf(event, item)) checkBody(cursor.get('requestBody'));
    }
  },
});

function checkBody(holder: Cursor | undefined): void {
  for (const [type, media] of holder?.entries('content') ?? []) {
    if (media.has('example') || media.items('examples').length > 0) continue;
    media.report(`Every body is shown by an example: add examples with a named one to ${type}.`);
  }
}
