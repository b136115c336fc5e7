/** Enough for a type, never enough to hold data. */
export const learnedLimits = {
  /** Per tool definition; later results cost nothing. */
  resultsPerToolMax: 20,
  depthMax: 8,
  /** More names are data. */
  propertiesMax: 40,
  /** A longer name is data. */
  nameCharsMax: 64,
  /** The first of each list stand for the rest. */
  itemsMax: 20,
  valuesPerResultMax: 1_000,
  /** Longer texts aren't parsed. */
  textCharsMax: 200_000,
  toolsMax: 5_000,
  /** Rows are written together. */
  writeDelayMs: 1_000,
} as const;
