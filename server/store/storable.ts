/** What a remote party wrote, without what PostgreSQL cannot keep: NUL and halves of characters. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same of every text in a value, as JSON. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part));
}
