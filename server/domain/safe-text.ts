// Control characters, and the marks that turn the direction of the text around them.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/**
 * Text from a stranger (a mail server's reply, a DNS answer) made fit for the database, JSON and a terminal:
 * one line, no control characters, whole code points, at most `maximum` characters.
 */
export function safeText(text: string, maximum: number): string {
  // What lies far beyond the maximum is never looked at, however long the stranger's text is.
  const clean = text
    .slice(0, maximum * 4)
    .replace(UNSAFE, ' ')
    .toWellFormed()
    .trim();
  if (clean.length <= maximum) return clean;
  return `${clean
    .slice(0, maximum - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
