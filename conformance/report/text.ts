// What a server answers is shown to people and read by their tools: it must neither act there nor hide there.

// Control characters but tab and line feed, marks that reorder or hide text, what is no character, halves of a pair.
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]|\p{Noncharacter_Code_Point}/gu;

/** The text with every character that cannot be seen written as an escape; tab and line feed stay. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, escaped);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text)
    .replaceAll(/[\t\n]+/g, ' ')
    .trim();
}

/** At most `most` UTF-16 units of the text, never half a character, and a note of how much is missing. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${beginning(text, most)}\n[cut here: ${text.length} characters in all]`;
}

/** At most `most` units of a text that stands on one line. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most - 1)}…`;
}

/** A count and its noun: "1 request", "2 requests". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A time for people: "0.3 s", "61 s". */
export function seconds(milliseconds: number): string {
  const value = milliseconds / 1000;
  return `${value.toFixed(value < 10 ? 1 : 0)} s`;
}

function beginning(text: string, length: number): string {
  const isInsidePair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(length - 1, length + 1));
  return text.slice(0, isInsidePair ? length - 1 : length);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
