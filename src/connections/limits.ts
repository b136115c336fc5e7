/** Bounds of single links, beside those of the whole product in base/limits.ts. */
export const linkLimits = {
  /** What one server may ask its host at once; further questions are refused. */
  questionsOpenMax: 64,
} as const;
