/** Bounds of what a directory may send. */
export const scimLimits = {
  /** A group of ten thousand, written out. */
  bodyBytesMax: 2 * 1_024 * 1_024,
  jsonDepthMax: 12,
  filterCharsMax: 4_096,
  filterDepthMax: 16,
  filterTermsMax: 64,
  /** In a path: each value of the attribute is compared. */
  pathTermsMax: 4,
  operationsMax: 200,
  textCharsMax: 1_024,
  valuesMax: 50,
  membersMax: 10_000,
  /** Of one person, as it is kept. */
  attributesCharsMax: 32 * 1_024,
  pageDefault: 100,
  pageMax: 500,
  tokensMax: 20,
  requestsPerMinute: 3_000,
  /** How exactly it is known when a token was last used. */
  usedMs: 60_000,
} as const;
