/** What a sender was told of its messages, and what it was not. */
export class Ledger {
  /** Accepted under an id that the sender knows: message_id -> custom_id. */
  readonly accepted = new Map<string, string>();
  /** Accepted, as the answer to a repeated request showed, under an id that the sender never heard: custom_ids. */
  readonly acceptedUnseen = new Set<string>();
  /** No answer came, and it was not asked again: custom_ids. */
  readonly unknown = new Set<string>();
  /** Answers that no client should get. */
  readonly oddAnswers: string[] = [];
  /** Requests that had to be repeated. */
  repeated = 0;

  get acceptedCount(): number {
    return this.accepted.size + this.acceptedUnseen.size;
  }
}
