/** What one script may take. */
export const codeLimits = {
  scriptCharsMax: 256 * 1024,
  /** Time in which the script itself works, without the time in which it waits for calls. */
  ownMs: 60_000,
  /** From its start to its end, calls and approvals included. */
  totalMs: 15 * 60_000,
  /** What the thread itself may take before the script begins. */
  startMs: 20_000,
  /** How often the thread is looked at, and how long over its own time it is left to end by itself. */
  watchMs: 250,
  graceMs: 1_500,
  /** What the script's values may take. */
  memoryBytes: 64 * 1024 * 1024,
  /** What the machine may take beside them: its own memory cannot grow beyond both. */
  machineBytes: 32 * 1024 * 1024,
  /** The machine's stack, and the thread's, which must be the larger by far. */
  stackBytes: 256 * 1024,
  threadStackMb: 16,
  threadHeapMb: 128,
  callsMax: 100,
  callsAtOnceMax: 8,
  /** Searches and descriptions, which reach no server. */
  lookupsMax: 200,
  argumentsCharsMax: 256 * 1024,
  /** One result inside the script. */
  callResultCharsMax: 8 * 1024 * 1024,
  /** What the script returns, which is what a model reads. */
  valueCharsMax: 100 * 1024,
  logLinesMax: 200,
  logCharsMax: 16 * 1024,
  errorCharsMax: 2_000,
  /** Jobs that run before the clock is looked at again. */
  jobsAtOnce: 1_000,

  searchResultsMax: 20,
  searchResultsShown: 8,
  describedToolsMax: 50,
  describedCharsMax: 40_000,
} as const;

export type CodeLimits = { readonly [K in keyof typeof codeLimits]: number };
