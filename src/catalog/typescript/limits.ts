/** What one tool may take of a typed API, however it is declared. */
export const typescriptLimits = {
  /** A longer name is cut and ends in a hash. */
  identifierCharsMax: 64,
  /** Schemas that are looked at for one tool; what lies beyond is `unknown`. */
  schemasPerToolMax: 2_000,
  schemaDepthMax: 32,
  /** More values than this, or a longer one, are told by their type alone. */
  literalsMax: 200,
  literalCharsMax: 200,
  literalDepthMax: 6,
  sentenceCharsMax: 200,
  propertySentenceCharsMax: 120,
  /** Of a tool's description, where people read it in an editor. */
  toolTextCharsMax: 600,
  /** How much of a description is looked at. */
  descriptionCharsRead: 2_000,
} as const;
