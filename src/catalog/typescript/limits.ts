/** Limits per tool. */
export const typescriptLimits = {
  /** Longer names are cut and hashed. */
  identifierCharsMax: 64,
  /** Beyond this, `unknown`. */
  schemasPerToolMax: 2_000,
  schemaDepthMax: 32,
  /** More or longer values are told by type. */
  literalsMax: 200,
  literalCharsMax: 200,
  literalDepthMax: 6,
  sentenceCharsMax: 200,
  propertySentenceCharsMax: 120,
  /** Read by people in an editor. */
  toolTextCharsMax: 600,
  descriptionCharsRead: 2_000,
} as const;
