/** Limits of the search; the unit is last in each name. */
export const searchLimits = {
  queryCharsMax: 4_000,
  queryWordsMax: 96,
  queriesMax: 8,
  /** Unknown query words that are corrected. */
  correctedWordsMax: 8,
  correctionsMax: 4,
  fieldCharsMax: 6_000,
  fieldWordsMax: 600,
  wordCharsMax: 40,
  parametersMax: 200,
  schemaDepthMax: 4,
  enumValuesMax: 30,

  /** Postings have 21 bits for the tool. */
  toolsMax: 1 << 21,
  analyzedWordsKept: 40_000,

  /** A longer query is no name. */
  nameCharsMax: 300,
  namePartingsMax: 16,

  /** How many visible tools are ranked in full. */
  rankedToolsMin: 1_000,
  hitsMax: 100,
  /** Hits below this share of the best score are dropped. */
  scoreShareMin: 0.25,
  /** Tools of removed servers that may stay indexed. */
  staleToolsMax: 1_000,
  hitsShown: 5,
  signatureCharsMax: 260,
  signatureSentenceCharsMax: 110,
  signatureTypeCharsMax: 40,
  siblingServersMax: 5,
  /** About 230 tokens. */
  siblingCharsMax: 800,
} as const;
