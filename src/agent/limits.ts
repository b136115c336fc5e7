/** Limits of a chat turn; the unit is last in each name. */
export const agentLimits = {
  stepsMax: 32,
  /** More than these, of several servers, are narrowed to what the request needs. */
  wholeToolsMax: 20,
  /** Tools beyond this are found by searching. */
  toolTokensMax: 8_000,
  guidanceTokensMax: 800,

  retriesMax: 4,
  retryBaseMs: 500,
  retryMaxMs: 20_000,
  /** A provider that wants a longer pause is not retried. */
  retryAfterMaxMs: 60_000,
  /** A local model may have to be loaded first. */
  firstByteTimeoutMs: 180_000,
  quietTimeoutMs: 120_000,

  callsPerStepMax: 64,
  callsAtOnceMax: 16,
  brokenCallsMax: 6,
  sameCallsMax: 2,

  textTogetherMs: 16,
  messageCharsMax: 400,
  /** Of a picture or sound for the model, in base64. */
  mediaCharsMax: 8 * 1024 * 1024,
  /** Of one result's text as shown to people; a longer one has a handle. */
  shownTextCharsMax: 128 * 1024,
  /** Of all media of one result as shown to people. */
  shownMediaCharsMax: 1024 * 1024,

  queryCharsMax: 400,
  rankedToolsMax: 60,
  /** How full the context may get before old results are removed. */
  contextShare: 0.8,

  suggestionsMax: 3,
  suggestionQueriesMax: 3,
  registryHitsMax: 8,
} as const;

export type AgentLimits = Readonly<Record<keyof typeof agentLimits, number>>;
