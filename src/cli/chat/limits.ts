export const chatLimits = {
  historyEntriesMax: 500,
  /** A longer message is sent, and not kept in the history. */
  historyEntryChars: 20_000,
  historyBytesMax: 2_000_000,
  typedAheadChars: 4_000,
  pasteChars: 1_000_000,
  argumentChars: 40,
  argumentsShown: 6,
  resultChars: 400,
  wordColumns: 200,
  /** Calls that ask at once are gathered for so long, to be shown together. */
  gatherMs: 150,
  /** How long a turn that has ended waits to hear who answered a question that is still shown. */
  elsewhereMs: 500,
  startLineMs: 2_000,
  rowsUnknown: 24,
  tickMs: 1_000,
  samplingChars: 8_000,
  formFieldsMax: 50,
  fieldTextChars: 2_000,
} as const;
