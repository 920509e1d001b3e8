import { _, type FuncKeywordDefinition, str } from 'ajv';

const MOST_UNITS = 2;

/**
 * `minLength` and `maxLength` as JSON Schema has them, in characters and not in UTF-16 units, but counted only where the number of units
 * does not decide it already: a text never has more characters than units, nor fewer than half as many.
 * Counting every text was a fifth of the time that checking a page of messages took.
 */
export const LENGTH_KEYWORDS: readonly FuncKeywordDefinition[] = [
  lengthKeyword('maxLength', 'more', (max) => (text) => text.length <= max || characters(text) <= max),
  lengthKeyword(
    'minLength',
    'fewer',
    (min) => (text) => text.length >= min * MOST_UNITS || (text.length >= min && characters(text) >= min),
  ),
];

function lengthKeyword(
  keyword: string,
  comparison: string,
  compile: (limit: number) => (text: string) => boolean,
): FuncKeywordDefinition {
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    compile,
    errors: false,
    error: {
      message: ({ schema }) => str`must NOT have ${comparison} than ${schema} characters`,
      params: ({ schema }) => _`{limit: ${schema}}`,
    },
  };
}

/** A character outside of the basic plane takes two units; the second one is not counted. */
function characters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800)
      count -= 1;
  }
  return count;
}
