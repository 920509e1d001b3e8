import type { ContractDocument } from './contract.ts';
import { isObject, textOf } from './json.ts';
import { ANNOTATIONS } from './normal-form.ts';

/** A schema or list of schemas with its references written out and only what it asserts left, to be compared as a whole. */
export function meaningOf(document: ContractDocument, node: unknown, above: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((item) => meaningOf(document, item, above));
  if (!isObject(node)) return node;
  const reference = textOf(node.$ref);
  const entries = Object.entries(node)
    .filter(([keyword]) => keyword !== '$ref' && !ANNOTATIONS.has(keyword))
    .map(([keyword, value]) => [keyword, meaningOf(document, value, above)]);
  const own = Object.fromEntries(entries);
  if (reference === undefined) return own;
  const target = above.includes(reference)
    ? reference
    : meaningOf(document, document.resolve({ $ref: reference }), [...above, reference]);
  return entries.length === 0 ? target : { ...own, $ref: target };
}
