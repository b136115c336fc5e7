/** Every bound of the search, by name. Units stand last in each name. */
export const searchLimits = {
  /** Of one query; what comes after is not read. */
  queryCharsMax: 4_000,
  queryWordsMax: 96,
  queriesMax: 8,
  /** Words of a query that no tool has are corrected at most so often. */
  correctedWordsMax: 8,
  /** What a corrected word may stand for. */
  correctionsMax: 4,
  /** Of each field of a tool, and of a server's description. */
  fieldCharsMax: 6_000,
  fieldWordsMax: 600,
  wordCharsMax: 40,
  parametersMax: 200,
  schemaDepthMax: 4,
  enumValuesMax: 30,

  /** Postings hold the tool in 21 bits. */
  toolsMax: 1 << 21,
  analyzedWordsKept: 40_000,

  /** A longer query names no tool. */
  nameCharsMax: 300,
  namePartingsMax: 16,

  /** So many of the best that may be seen are ranked in full, if there are as many. */
  rankedToolsMin: 1_000,
  hitsMax: 100,
  /** A list leaves out what scores less than this share of its best. */
  scoreShareMin: 0.25,
  /** Tools of servers that are gone may stay indexed, so many beside as many as there are. */
  staleToolsMax: 1_000,
  hitsShown: 5,
  signatureCharsMax: 260,
  signatureSentenceCharsMax: 110,
  signatureTypeCharsMax: 40,
  siblingServersMax: 5,
  /** About 230 tokens. */
  siblingCharsMax: 800,
} as const;
