export const codeLimits = {
  scriptCharsMax: 256 * 1024,
  /** Own working time, without waiting for calls. */
  ownMs: 60_000,
  /** Start to end, calls and approvals included. */
  totalMs: 15 * 60_000,
  startMs: 20_000,
  /** How often the thread is checked, and its grace beyond `ownMs`. */
  watchMs: 250,
  graceMs: 1_500,
  memoryBytes: 64 * 1024 * 1024,
  /** For the machine itself; together they cap its memory. */
  machineBytes: 32 * 1024 * 1024,
  /** The thread's stack must be far larger. */
  stackBytes: 256 * 1024,
  threadStackMb: 16,
  threadHeapMb: 128,
  callsMax: 100,
  callsAtOnceMax: 8,
  /** Searches and descriptions, which reach no server. */
  lookupsMax: 200,
  argumentsCharsMax: 256 * 1024,
  callResultCharsMax: 8 * 1024 * 1024,
  /** The returned value, which a model reads. */
  valueCharsMax: 100 * 1024,
  logLinesMax: 200,
  logCharsMax: 16 * 1024,
  errorCharsMax: 2_000,
  jobsAtOnce: 1_000,

  searchResultsMax: 20,
  searchResultsShown: 8,
  describedToolsMax: 50,
  describedCharsMax: 40_000,
} as const;

export type CodeLimits = { readonly [K in keyof typeof codeLimits]: number };
