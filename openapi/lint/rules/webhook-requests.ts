import { Cursor } from '../cursor.ts';
import { jsonOf, type LintedOperation, operationsOf } from '../operations.ts';
import type { Rule } from '../redocly.ts';

const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** A notification is a POST without credentials, proved by the Standard Webhooks headers. */
export const webhookRequests: Rule = () => ({
  WebhooksMap: (node, context) => {
    for (const [event, item] of new Cursor(context, node, context.location).entries()) {
      for (const operation of operationsOf(event, item)) check(event, operation);
    }
  },
});

function check(event: string, { method, id, cursor, parameters }: LintedOperation): void {
  const expected = `on${event.split(/[._]/).map(capitalise).join('')}`;
  if (method !== 'post')
    cursor.report(`A notification is a POST: describe ${event} under post, not ${method}.`);
  if (id !== expected)
    cursor.report(`A notification is named after its event: set operationId to ${expected}.`);
  const security = cursor.get('security')?.node;
  if (!Array.isArray(security) || security.length > 0) {
    cursor.report('A notification carries no credentials, it is signed: set security: [].');
  }
  for (const name of headers) {
    const header = parameters.find(
      (parameter) => parameter.text('name') === name && parameter.text('in') === 'header',
    );
    if (header?.get('required')?.node === true) continue;
    const file = name.split('-').map(capitalise).join('');
    cursor.report(
      `A notification has the header ${name}: refer to components/parameters/${file}Header.yaml.`,
    );
  }
  if (!jsonOf(cursor.get('requestBody'))) {
    cursor.report(
      'A notification has a JSON body: add a requestBody that refers to the payload of its event.',
    );
  }
  if (!cursor.get('responses', '2XX') || !cursor.get('responses', 'default')) {
    cursor.report(
      "Any 2xx is success and the rest is tried again: describe the responses '2XX' and default.",
    );
  }
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
