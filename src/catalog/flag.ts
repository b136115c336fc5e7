/** What speaks against a text or a name of a server. A flagged tool is never approved by default. */
export type FlagKind =
  | 'hidden_characters' // tags, zero-width, bidi, variation selectors
  | 'instructions' // talks to the model instead of describing the tool
  | 'look_alike' // a name that reads like another one
  | 'shadowing'; // speaks about tools of other servers, or takes their names

export interface Flag {
  readonly kind: FlagKind;
  /** Where: `name`, `description`, `inputSchema.properties.path.description`. */
  readonly field: string;
  /** A sentence that shows what was found, hidden characters written as U+XXXX. */
  readonly detail: string;
}
