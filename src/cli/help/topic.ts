/** A page of `plug help TOPIC`. */
export interface Topic {
  readonly title: string;
  /**
   * Paragraphs with a blank line between them. A line that begins with two blanks stands as it is;
   * everything else is wrapped to the width of the terminal. A heading is in capitals.
   */
  readonly text: string;
}
