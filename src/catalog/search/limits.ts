/** Limits of the search; the unit is last in each name. */
export const searchLimits = {
  queryCharsMax: 4_000,
  queryWordsMax: 96,
  queriesMax: 8,
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
  tableWordBytesMax: 64,
  tableProbesMax: 16,

  nameCharsMax: 300,
  namePartingsMax: 16,

  rankedToolsMin: 1_000,
  hitsMax: 100,
  /** The best hits are looked through for pairs of words. */
  pairedHits: 40,
  /** A call of one of these is taken for what the search was for. */
  hitsLearned: 20,
  /** Hits below this share of the best score are dropped. */
  scoreShareMin: 0.25,
  staleToolsMax: 1_000,
  /** Of a larger list, the first search reads so many tools; the rest is read in steps. */
  readAtOnceMax: 2_000,
  readInStepMax: 100,
  /** From so many unread tools on, a thread reads them, so many at a time, a few such batches ahead. */
  readInThreadMin: 10_000,
  threadBatchMax: 500,
  threadBatchesAhead: 3,
  threadHeapMb: 256,
  threadYoungMb: 16,
  hitsShown: 5,
  signatureCharsMax: 260,
  signatureSentenceCharsMax: 110,
  signatureTypeCharsMax: 40,
  siblingServersMax: 5,
  siblingCharsMax: 800,
} as const;
