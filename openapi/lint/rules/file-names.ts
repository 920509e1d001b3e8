import { isRecord } from '../cursor.ts';
import type { Context, Rule } from '../redocly.ts';

/** The root only refers to files, and every file is named after what it holds. */
export const fileNames: Rule = () => ({
  PathsMap: (node, context) => {
    checkMap(node, context, (path) => `paths/${path.replace(/^\/v1\//, '').replaceAll('/', '_')}.yaml`);
  },
  WebhooksMap: (node, context) => checkMap(node, context, (event) => `webhooks/${event}.yaml`),
  ref: (node, context) => {
    const target = isRecord(node) && typeof node.$ref === 'string' ? node.$ref : '';
    if (target.startsWith('#') || /(^|\/)(paths|webhooks)\//.test(target)) return;
    const name = /([^/]+)\.yaml$/.exec(target)?.[1] ?? '';
    if (!/^([A-Z][a-z0-9]+)+$/.test(name)) {
      context.report({
        message: `A component's file has the component's name, in PascalCase: rename ${target} (HttpThing.yaml, not HTTPThing.yaml).`,
      });
    }
  },
});

function checkMap(node: unknown, context: Context, fileOf: (key: string) => string): void {
  if (!isRecord(node)) return;
  for (const [key, item] of Object.entries(node)) {
    const expected = fileOf(key);
    const actual = isRecord(item) ? item.$ref : undefined;
    if (actual !== expected) {
      const message = `The root document only refers to files named after their key: write "${key}: { $ref: '${expected}' }" and move the content there.`;
      context.report({ message, location: context.location.child([key]) });
    }
  }
}
