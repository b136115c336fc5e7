/** Bounds of single links, beside those of the whole product in base/limits.ts. */
export const linkLimits = {
  /** What one server may ask its host at once; further questions are refused. */
  questionsOpenMax: 64,
  /** A longer description of a tool is cut, and that is said. */
  descriptionCharsMax: 64 * 1024,
  /** A tool whose definition is larger is set aside. */
  toolBytesMax: 1024 * 1024,
} as const;
