export const surfaceLimits = {
  /** One server's tool in `servers` mode. */
  serverTokensMax: 140,
  serverAboutCharsMax: 140,
  operationParametersShown: 6,
  operationsShown: 40,

  /** Of a server without `operations`: above it, lines instead of schemas. */
  describedTokensMax: 1_400,
  shortLineCharsMax: 80,
  /** Of schemas that were asked for by name. */
  describedCharsMax: 32_000,
  describedNamesMax: 20,
  signatureCharsMax: 240,

  queriesMax: 8,
  queryCharsMax: 400,
  hitsShown: 8,
  hitsMax: 30,
  linesMax: 40,
  /** Smaller catalogs are read within the first search. */
  preparedToolsMin: 1_000,
  siblingCharsMax: 1_400,

  /** Shorter declarations are part of the description of `run_script`. */
  declarationsCharsMax: 4_000,

  readResultCharsMax: 48_000,

  /** For guesses: the comparison is quadratic in length. */
  namesComparedMax: 2_000,
  nameCharsShown: 80,
  missingServersShown: 8,

  guidanceTokensMax: 240,
  /** `auto` switches only beyond this margin around the budget. */
  autoMarginShare: 0.1,
} as const;
