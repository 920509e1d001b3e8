const DELAY_SECONDS = /^\d{1,10}$/;
const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** IMF-fixdate, and the two older forms that a recipient has to read too. */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} ${MONTH} \d{4} ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, \d{2}-${MONTH}-\d{2} ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} ${MONTH} [ \d]\d ${TIME} \d{4}$`),
];

/**
 * What a Retry-After header asks for, in milliseconds from now (0 for a moment that is past): a number of seconds, or an HTTP date,
 * which is held against `nowMs`, the real time since 1970. Undefined for anything else (RFC 9110 sections 10.2.3 and 5.6.7).
 */
export function retryAfterMs(header: string, nowMs: number): number | undefined {
  const text = header.trim();
  if (DELAY_SECONDS.test(text)) return Number(text) * 1000;
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs);
}
