/** Takes secrets out of what people will see. */
export interface Redaction {
  /** From now on this value is never shown. */
  hide(secret: string): void;
  /** The text without what is secret. */
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
}

const REDACTED = '[redacted]';
// A shorter value would also stand in innocent text; fields that carry secrets are found by their names anyway.
const SHORTEST_HIDDEN = 6;
const SECRET_FIELDS =
  /("(?:password|new_password|current_password|access_token|refresh_token|api_key|token|secret)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** Starts with nothing to hide but what field and header names give away. */
export function createRedaction(): Redaction {
  const secrets = new Set<string>();
  const text: Redaction['text'] = (shown) => {
    let clean = shown.replace(SECRET_FIELDS, `$1"${REDACTED}"`);
    for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    return clean;
  };
  return {
    hide(secret) {
      if (secret.length < SHORTEST_HIDDEN) return;
      secrets.add(secret);
      secrets.add(encodeURIComponent(secret.toWellFormed()));
    },
    text,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          SECRET_HEADERS.has(name.toLowerCase()) ? scheme(value) : text(value),
        ]),
      ),
  };
}

/** Which way of authentication was used says much, and betrays nothing. */
function scheme(value: string): string {
  const [, name] = /^(Basic|Bearer) /i.exec(value) ?? [];
  return name === undefined ? REDACTED : `${name} ${REDACTED}`;
}
