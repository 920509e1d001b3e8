import { everyOperation } from '../operations.ts';
import type { Rule } from '../redocly.ts';

const verbsByMethod: Record<string, string[]> = {
  get: ['get', 'list', 'export'],
  post: ['create', 'send', 'verify', 'request', 'confirm', 'refresh', 'rotate', 'test', 'replay'],
  patch: ['update'],
  delete: ['delete', 'revoke'],
};
const wholeNames = ['login', 'logout', 'register'];

/** An operationId is a verb that fits the method and a noun: `listMessages`. */
export const operationNames: Rule = () =>
  everyOperation(({ id, method, cursor }) => {
    const verbs = verbsByMethod[method] ?? [];
    const fits = new RegExp(`^(${verbs.join('|')})([A-Z][a-z0-9]+)+$`).test(id);
    if (fits || (method === 'post' && wholeNames.includes(id))) return;
    (cursor.get('operationId') ?? cursor).report(
      `An operationId is a verb that fits ${method} and a noun, in camelCase: begin it with ${verbs.join(', ') || 'no verb, as the contract has no such method'}.`,
    );
  });
