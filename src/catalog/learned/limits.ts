/** How much is learned of what tools answer: enough for a type, never enough to hold data. */
export const learnedLimits = {
  /** Of one definition of a tool; later results teach nothing new, and cost nothing. */
  resultsPerToolMax: 20,
  depthMax: 8,
  /** More names than this are data. */
  propertiesMax: 40,
  /** A longer name is data. */
  nameCharsMax: 64,
  /** Of each list the first ones: they tell what the others are. */
  itemsMax: 20,
  /** Values that are looked at in one result. */
  valuesPerResultMax: 1_000,
  /** A longer text is not parsed. */
  textCharsMax: 200_000,
  /** Tools of which a shape is kept. */
  toolsMax: 5_000,
  /** What was learned meanwhile is written together. */
  writeDelayMs: 1_000,
} as const;
