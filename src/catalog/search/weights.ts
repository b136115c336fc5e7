/** Usual lengths are fixed, so that a term's weight depends on its tool alone and servers can be replaced. */
export const fields = [
  { field: 'name', weight: 3, b: 0.3, usualTerms: 3 },
  { field: 'title', weight: 2, b: 0.3, usualTerms: 3 },
  // The first sentence says what a tool does.
  { field: 'firstSentence', weight: 0.5, b: 0.6, usualTerms: 8 },
  { field: 'description', weight: 1, b: 0.6, usualTerms: 20 },
  { field: 'parameterNames', weight: 0.6, b: 0.6, usualTerms: 6 },
  { field: 'parameterTexts', weight: 0.5, b: 0.6, usualTerms: 25 },
  { field: 'serverName', weight: 1.2, b: 0.2, usualTerms: 2 },
  { field: 'serverDescription', weight: 0.4, b: 0.6, usualTerms: 20 },
  // What people called a tool for, once they had found it.
  { field: 'learned', weight: 0.3, b: 0.6, usualTerms: 25 },
] as const;

export type Field = (typeof fields)[number]['field'];

export const weights = {
  k1: 1.2,
  /** Alternatives, compared with the word itself. */
  synonym: 0.4,
  joined: 0.8,
  prefix: 0.6,
  oneEdit: 0.6,
  twoEdits: 0.4,
  /** Polite words, and numbers, which are usually values. */
  weakWord: 0.7,
  number: 0.3,
  /** Words of paths, URLs and quoted text. */
  value: 0.5,
  /** Share of the score for covering the query; less for queries of more words than this. */
  coverage: 0.7,
  coverageWords: 8,
  name: 0.2,
  /** Bonus for words side by side, when all of the query is. */
  pair: 0.1,
  /** Bonus for tools of the server that fits best, told by so many of its tools; less as with coverage. */
  server: 0.15,
  serverTools: 3,
  /** Share for matching the name's first word, usually its verb. */
  verb: 0.07,
  /** Share lost by a tool that only reads when a change is asked for, or the reverse. */
  otherVerb: 0.2,
  /** Bonus for frequently used tools, reached at so many calls. */
  usage: 0.08,
  usageCallsMax: 127,
};
