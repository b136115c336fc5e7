export const learnedLimits = {
  /** Per tool definition; later results cost nothing. */
  resultsPerToolMax: 20,
  depthMax: 8,
  /** More names are data. */
  propertiesMax: 40,
  nameCharsMax: 64,
  /** The first of each list stand for the rest. */
  itemsMax: 20,
  valuesPerResultMax: 1_000,
  textCharsMax: 200_000,
  toolsMax: 5_000,
  writeDelayMs: 1_000,
  queriesPerToolMax: 8,
  termsPerQueryMax: 24,
  /** A call later than this is not taken for what a search led to. */
  searchAgeMsMax: 10 * 60_000,
  searchesPerCallerMax: 8,
  callersMax: 200,
} as const;
