/** A behaviour that the contract or the description allows: no suite may report it. */
export interface Variant {
  title: string;
  /** Requests a minute. */
  rateLimit?: number;
  /** The path before `/v1`. */
  prefix?: string;
  /** What the target declares: the server takes its time. */
  settleTimeoutMs?: number;
}

const ALL = {
  'extra-fields': { title: 'every object of a response and of a webhook carries a field more' },
  'reversed-keys': { title: 'the fields of objects come in the reverse order' },
  slow: { title: 'one answer in ten takes 200 to 400 ms' },
  'page-clamped-at-50': { title: 'a page has 50 objects at most, and a larger limit means 50' },
  'page-refused-above-50': { title: 'a page has 50 objects at most, and a larger limit is 422' },
  'default-period-of-a-day': { title: 'without a period, the log is that of today and yesterday' },
  'z-timestamps': { title: 'timestamps have milliseconds and end in Z' },
  'counters-as-text': { title: 'counters of statistics are numeric strings' },
  'malformed-id-409': { title: 'a malformed id is 409, like one that does not exist' },
  'accepted-201': { title: 'a fully accepted batch is answered 201' },
  'accepted-202': { title: 'a fully accepted batch is answered 202' },
  'empty-text-for-manual': { title: 'message_id and message_custom_id of manual suppressions are ""' },
  'no-rate-limit-headers': { title: 'no answer tells of a rate limit' },
  charset: { title: 'the content type names its charset' },
  unsigned: { title: 'webhooks that the hook registers are not signed' },
  chunked: { title: 'answers come in chunks and without a length' },
  gzip: { title: 'answers are compressed for those who accept it' },
  'more-error-codes': { title: 'field errors carry codes of the server’s own' },
  'rate-limited': { title: '300 requests a minute, then 429 with Retry-After', rateLimit: 300 },
  prefixed: { title: 'the API is below a path', prefix: '/mail/api' },
  'https-webhooks-only': { title: 'a webhook leads to https only' },
  'webhooks-shuffled': { title: 'webhooks of different messages overtake each other' },
  'webhooks-late': {
    title: 'webhooks come three seconds after the event, and again six seconds after a failure',
    settleTimeoutMs: 10_000,
  },
  'webhooks-twice': { title: 'one webhook in three comes twice at once, under one id' },
  'webhooks-of-another-client': {
    title:
      'webhooks come in chunks, with header names in capitals and an offer of HTTP/2, on a connection each',
  },
  'webhook-ids-of-its-own': { title: 'the webhook-id of webhooks that the hook registers is no UUID' },
  'events-late': { title: 'what happened to a message is in its log half a second later' },
  'opens-repeat': { title: 'the simulated reader opens the mail twice' },
} satisfies Record<string, Variant>;

export type VariantId = keyof typeof ALL;

/** Every variant by its id. */
export const VARIANTS: Readonly<Record<VariantId, Variant>> = ALL;

/** Whether there is such a variant. */
export function isVariantId(id: string): id is VariantId {
  return Object.hasOwn(ALL, id);
}
