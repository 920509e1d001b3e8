const ENCODED_WORD = /=\?([\w-]{1,40})(?:\*[\w-]{1,40})?\?([bq])\?([^?\s]*)\?=/gi;

/** Undoes quoted-printable (RFC 2045, 6.7) in text that has one character for each byte. */
export function fromQuotedPrintable(text: string): Buffer {
  const bytes = text
    .replace(/=[ \t]{0,100}\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

/** Bytes as text: in the character set that is named if they fit it, else in UTF-8, else byte for byte. */
export function inCharset(bytes: Buffer, charset: string | undefined): string {
  for (const name of [charset, 'utf-8']) {
    try {
      if (name !== undefined) return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      // Not the character set that it says, or one that nobody knows.
    }
  }
  return bytes.toString('latin1');
}

/** A header with its encoded words (RFC 2047) made readable. */
export function decodeWords(value: string): string {
  const joined = value.replace(/\?=[ \t]{1,100}=\?/g, '?==?');
  return joined.replace(ENCODED_WORD, (_whole, charset: string, encoding: string, text: string) => {
    const isBase64 = encoding.toLowerCase() === 'b';
    return inCharset(
      isBase64 ? Buffer.from(text, 'base64') : fromQuotedPrintable(text.replaceAll('_', ' ')),
      charset,
    );
  });
}
