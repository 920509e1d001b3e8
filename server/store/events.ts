/** What recording did. */
export interface RecordedEvents {
  /** The ids of the events that were new; a repeated one, or one of a message that is gone, is not among them. */
  recorded: string[];
}
