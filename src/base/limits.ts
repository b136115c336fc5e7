/** Every bound of the product, by name. Units stand last in each name. */
export const limits = {
  startTimeoutMs: 30_000,
  callTimeoutMs: 60_000,
  chatCallTimeoutMs: 30_000,
  /** However much progress a server reports, a call ends here. */
  callTotalTimeoutMs: 60 * 60_000,

  localIdleMs: 30 * 60_000,
  remoteIdleMs: 60 * 60_000,
  liveLocalServersMax: 40,
  startsAtOnceMax: 8,
  memoryWarnBytes: 100 * 1024 * 1024,
  memorySampleMs: 15_000,

  restartAttemptsMax: 3,
  restartBackoffBaseMs: 1_000,
  restartBackoffMaxMs: 60_000,
  /** A connection that lived this long is stable: its restart count starts anew. */
  stableMs: 60_000,
  breakerFailuresMax: 5,
  breakerOpenMs: 30_000,
  healthCheckMs: 60_000,
  healthTimeoutMs: 10_000,
  rateLimitBackoffBaseMs: 1_000,
  rateLimitBackoffMaxMs: 60_000,
  rateLimitRetriesMax: 5,

  stopEofMs: 2_000,
  stopTermMs: 2_000,
  stopTotalMs: 5_000,

  /** One JSON-RPC line or one HTTP answer. Above it the message is refused as too_large. */
  messageBytesMax: 128 * 1024 * 1024,
  httpAnswerBytesMax: 128 * 1024 * 1024,
  sseEventBytesMax: 16 * 1024 * 1024,
  stderrRingBytes: 1024 * 1024,
  stderrLinesShown: 20,
  writeQueueBytesMax: 256 * 1024 * 1024,
  noiseLinesKept: 20,

  listPagesMax: 64,
  listItemsMax: 10_000,
  descriptionBytesMax: 64 * 1024,
  inputRoundsMax: 10,
  listRefreshMinMs: 1_000,
  listRefreshMaxWaitMs: 5_000,

  eraLegacyTtlMs: 7 * 24 * 60 * 60_000,
  probeTimeoutMs: 10_000,

  configBytesMax: 4 * 1024 * 1024,
  configDebounceMs: 150,
  envFileBytesMax: 1024 * 1024,

  eventsKeptPerServer: 1_000,
  eventsListMax: 500,
  watchQueueMax: 1_000,

  apiBodyBytesMax: 4 * 1024 * 1024,
  hubStartTimeoutMs: 15_000,
  hubIdleExitMs: 60 * 60_000,
  hostGraceMs: 10_000,
} as const;

export type Limits = { readonly [K in keyof typeof limits]: number };
