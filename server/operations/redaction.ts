const HIDDEN = '[redacted]';
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_TEXT = 2000;

// Names whose value is a secret or the text of somebody's mail, wherever they stand in what is logged.
const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'password',
  'passwordhash',
  'passwd',
  'pass',
  'secret',
  'secrets',
  'token',
  'accesstoken',
  'refreshtoken',
  'resettoken',
  'apikey',
  'privatekey',
  'key',
  'databaseurl',
  'smtpurl',
  'body',
  'html',
  'text',
  'raw',
  'subject',
  'rawbody',
  'content',
]);

const SECRETS_IN_TEXT: readonly [RegExp, string][] = [
  // In a line of JSON, for what a child logger was given once and for all.
  [/("(?:authorization|[a-z_]*(?:password|token|secret|api_?key))":)"(?:[^"\\]|\\.)*"/gi, `$1"${HIDDEN}"`],
  [/\b(ss_(?:at|rt|key|pr)_)[\w-]+/g, `$1${HIDDEN}`],
  [/\b(whsec_)[\w+/=-]+/g, `$1${HIDDEN}`],
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{12,}/gi, `$1 ${HIDDEN}`],
  [/(\w:\/\/)[^/\s@"]*@/g, `$1${HIDDEN}@`],
  // Up to the next quote at most: the text may be a line of JSON that has to stay one.
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|(?=")|$)/g, HIDDEN],
];

/** The text without tokens, API keys, credentials of a URL or private keys in it. */
export function redactText(text: string): string {
  let redacted = text;
  for (const [pattern, replacement] of SECRETS_IN_TEXT) redacted = redacted.replace(pattern, replacement);
  return redacted;
}

/**
 * A copy of what is to be logged in which every secret is replaced, at any depth.
 * Long texts, long lists and deep structures are cut, so that a hostile value cannot flood the log.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(cut(value));
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  return redactEntry(value, depth);
}

/** As `redact`, for the named values of one log entry. */
export function redactEntry(value: object, depth = 0): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, item] of Object.entries(value).slice(0, MAX_ITEMS)) {
    result[name] =
      isSecretName(name) && item !== null && item !== undefined ? HIDDEN : redact(item, depth + 1);
  }
  return result;
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) };
  // Only these: drivers put the statement's values, and so people's mails, on their errors.
  return {
    type: error.name,
    message: redactText(cut(error.message)),
    ...code,
    stack: redactText(cut(error.stack ?? '')),
    ...cause,
  };
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}[... ${text.length} characters]`;
}
