/**
 * What counts how much. Lengths are those of a usual tool and stay as they are: so the weight of a
 * term in a tool depends on that tool alone, and a server can be replaced without touching the rest.
 */
export const fields = [
  { field: 'name', weight: 3, b: 0.3, usualTerms: 3 },
  { field: 'title', weight: 2, b: 0.3, usualTerms: 3 },
  // The first sentence says what a tool does; what follows tells how, and counts once.
  { field: 'firstSentence', weight: 0.5, b: 0.6, usualTerms: 8 },
  { field: 'description', weight: 1, b: 0.6, usualTerms: 20 },
  { field: 'parameterNames', weight: 0.6, b: 0.6, usualTerms: 6 },
  { field: 'parameterTexts', weight: 0.3, b: 0.6, usualTerms: 25 },
  { field: 'serverName', weight: 1.2, b: 0.2, usualTerms: 2 },
  { field: 'serverDescription', weight: 0.4, b: 0.6, usualTerms: 20 },
] as const;

export type Field = (typeof fields)[number]['field'];

export const weights = {
  /** How soon more of the same term stops counting. */
  k1: 1.2,
  /** For what stands for a word of the query, against the word itself. */
  synonym: 0.35,
  joined: 0.8,
  prefix: 0.6,
  oneEdit: 0.6,
  twoEdits: 0.4,
  /** For words of politeness, and for numbers, which are values for a tool more often than its matter. */
  weakWord: 0.4,
  number: 0.3,
  /** How much of the score depends on the share of the query that a tool covers. */
  coverage: 0.7,
  /** How much of it depends on the share of the query that the tool's name covers. */
  name: 0.2,
  /** And on whether the query has the name's first word, which mostly is its verb. */
  verb: 0.07,
  /** At most this much for what is used again and again; reached at so many calls. */
  usage: 0.08,
  usageCallsMax: 127,
};
