/** What can break, each with the reason why it does. */
export const RULES = {
  'operation-removed': 'The operation or webhook is gone.',
  'operation-moved': 'The operation is at another method or path.',
  'operation-id-changed': 'Generated clients name their methods by it.',
  'security-narrowed': 'Credentials that were enough no longer are.',
  'parameter-removed': 'What a caller sends is ignored, what a receiver reads is gone.',
  'parameter-required': 'A request that leaves it out is refused.',
  'parameter-renamed':
    'No request shows the name of a path parameter, but generated clients take it by that.',
  'parameter-serialised-differently': 'The same values are written in another way.',
  'body-removed': 'There is no body any more.',
  'body-required': 'A request without a body is refused.',
  'media-type-removed': 'The form that was sent or read is gone.',
  'media-type-added': 'A reader gets a form that it does not know.',
  'status-removed': 'The answer that was waited for never comes.',
  'status-added': 'A reader gets a status that it does not know.',
  'header-removed': 'A reader misses it.',
  'field-removed': 'What a writer sends is ignored, what a reader looks for is gone.',
  'field-required': 'A request without the field is refused.',
  'field-optional': 'A reader can no longer rely on it.',
  'type-changed': 'Values of another type are refused, or come.',
  'values-changed': 'Values outside the list are refused, or come.',
  'bound-changed': 'Values beyond the bound are refused, or come.',
  'form-changed': 'Values of another pattern, format or encoding are refused, or come.',
  'alternative-changed': 'One of several shapes is refused, or comes.',
  'closed-to-unknown-fields': 'A request with a field that the contract does not know is refused.',
  'default-changed': 'A request that leaves it out means something else.',
  'error-code-changed': 'A caller that handles the error by its code no longer recognises it.',
} as const;

export type Rule = keyof typeof RULES;

/** For whom it breaks. */
export type Audience =
  | 'callers'
  | 'readers of responses'
  | 'webhook receivers'
  | 'users of generated clients';

/** A change that breaks somebody. */
export interface Finding {
  readonly rule: Rule;
  /** Within an operation, or within the schema that several operations share: `request body: to[].email`, `schema Message: subject`. */
  readonly place: string;
  /** What was and what is. */
  readonly what: string;
  readonly who: Audience;
  /** The operations and webhooks that it concerns, such as `POST /v1/send_email`. */
  readonly uses: readonly string[];
}

/** Joins the findings that differ only in where they show, as those of a schema that many operations use. */
export function joinUses(findings: readonly Finding[]): Finding[] {
  const joined = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.rule, finding.place, finding.what, finding.who]);
    const uses = new Set([...(joined.get(key)?.uses ?? []), ...finding.uses]);
    joined.set(key, { ...finding, uses: [...uses] });
  }
  return [...joined.values()];
}
