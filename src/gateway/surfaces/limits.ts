/** Every bound of what endpoints show, by name. Units stand last in each name. */
export const surfaceLimits = {
  /** One server's tool in `servers`, all in; most stay well below. */
  serverTokensMax: 185,
  serverAboutCharsMax: 160,
  operationParametersShown: 6,
  operationsShown: 40,

  /** A description of all operations; above it each is one line, and schemas are given by name. */
  describedCharsMax: 32_000,
  describedNamesMax: 20,
  signatureCharsMax: 240,

  queriesMax: 8,
  queryCharsMax: 400,
  /** For each query. */
  hitsShown: 8,
  hitsMax: 30,
  /** Of one answer, from all its queries. */
  linesMax: 40,
  siblingCharsMax: 1_400,

  /** Declarations of all tools stand in the description of `run_script` while they are this short. */
  declarationsCharsMax: 4_000,

  /** Of one piece of a stored result, as it is handed to a host. */
  readResultCharsMax: 48_000,

  /** Names among which a mistyped one is looked for: the comparison is quadratic in their length. */
  namesComparedMax: 2_000,
  nameCharsShown: 80,
  missingServersShown: 8,

  /** What an endpoint says about itself. */
  guidanceTokensMax: 600,
  /** `auto` leaves a mode when it is this far over the budget, and comes back when as far below. */
  autoMarginShare: 0.1,
} as const;
