export const modelLimits = {
  modelsMax: 200,
  /** A local model may have to be loaded before it says anything. */
  firstByteMs: 5 * 60_000,
  /** A model that thinks is silent for long. */
  idleMs: 5 * 60_000,
  /** Of one answer, whether it comes whole or as a stream. */
  answerBytesMax: 64 * 1024 * 1024,
  eventBytesMax: 8 * 1024 * 1024,
  offeredMs: 15_000,
  offeredMax: 1_000,
  modelCharsMax: 256,
  urlCharsMax: 2_048,
  contextTokensMax: 1_000_000_000,
  /** In dollars for a million tokens. */
  priceMax: 1_000_000,
} as const;
