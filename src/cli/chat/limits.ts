/** Bounds of the chat at the terminal. */
export const chatLimits = {
  /** Entries of the history that are kept. */
  historyEntriesMax: 500,
  /** A longer message is sent, and not kept in the history. */
  historyEntryChars: 20_000,
  /** The history file is read up to here, from its end. */
  historyBytesMax: 2_000_000,
  /** What somebody types while the model speaks. */
  typedAheadChars: 4_000,
  /** One pasted text. */
  pasteChars: 1_000_000,
  /** Of one argument beneath a row. */
  argumentChars: 40,
  argumentsShown: 6,
  /** Of a result beneath a row. */
  resultChars: 400,
  /** Columns of a word that is held back until its end is known. */
  wordColumns: 200,
  /** Calls that ask at once are gathered for so long, to be shown together. */
  gatherMs: 150,
  /** The first line does not wait longer for what it tells. */
  startLineMs: 2_000,
  /** Of a terminal that does not know its height. */
  rowsUnknown: 24,
  /** How often a running call says how long it runs. */
  tickMs: 1_000,
  /** Of a server's request to the model that is shown before the question. */
  samplingChars: 8_000,
  /** Fields of one form. */
  formFieldsMax: 50,
  /** What was said of a form's field. */
  fieldTextChars: 2_000,
} as const;
