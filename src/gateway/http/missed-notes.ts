/** Notifications for a host that has no stream open right now. */
export class MissedNotes {
  readonly #bounds: { readonly missedNotesMax: number; readonly missedNoteCharsMax: number };
  readonly #texts = new Set<string>();

  constructor(bounds: { readonly missedNotesMax: number; readonly missedNoteCharsMax: number }) {
    this.#bounds = bounds;
  }

  /** The same text twice is told once: most of them only say that a list has changed. */
  keep(text: string): void {
    if (text.length > this.#bounds.missedNoteCharsMax) return;
    this.#texts.delete(text);
    this.#texts.add(text);
    if (this.#texts.size <= this.#bounds.missedNotesMax) return;
    for (const oldest of this.#texts) {
      this.#texts.delete(oldest);
      return;
    }
  }

  take(): readonly string[] {
    const texts = [...this.#texts];
    this.#texts.clear();
    return texts;
  }
}
