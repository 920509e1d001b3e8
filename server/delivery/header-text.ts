/**
 * Text that goes into a header: every control character becomes a space. The contract refuses them, so this is the second lock
 * on the door to header injection.
 */
export function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
    .trim();
}
