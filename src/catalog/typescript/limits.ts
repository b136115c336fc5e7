export const typescriptLimits = {
  identifierCharsMax: 64,
  schemasPerToolMax: 2_000,
  schemaDepthMax: 32,
  /** More or longer values are told by type. */
  literalsMax: 200,
  literalCharsMax: 200,
  literalDepthMax: 6,
  sentenceCharsMax: 200,
  propertySentenceCharsMax: 120,
  toolTextCharsMax: 600,
  descriptionCharsRead: 2_000,
} as const;
