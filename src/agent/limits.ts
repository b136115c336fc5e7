/** Every bound of a chat's turn, by name. Units stand last in each name. */
export const agentLimits = {
  /** Requests to the model in one turn. */
  stepsMax: 32,
  /** What of the tools is shown whole; beyond it a model finds them by searching. */
  toolTokensMax: 8_000,
  /** What is told about servers before the conversation begins. */
  guidanceTokensMax: 800,

  retriesMax: 4,
  retryBaseMs: 500,
  retryMaxMs: 20_000,
  /** A provider that wants a longer pause is not waited for. */
  retryAfterMaxMs: 60_000,
  /** A model on the user's own machine may have to be loaded first. */
  firstByteTimeoutMs: 180_000,
  /** Between two pieces of an answer. */
  quietTimeoutMs: 120_000,

  callsPerStepMax: 64,
  callsAtOnceMax: 16,
  /** Calls of one turn whose arguments were no JSON; then it ends. */
  brokenCallsMax: 6,
  /** The same call with the same arguments is made this often in a row. */
  sameCallsMax: 2,

  /** Pieces of text within this time are told as one. */
  textTogetherMs: 16,
  messageCharsMax: 400,
  /** Of a picture or a sound that is handed to the model, in base64. */
  mediaCharsMax: 8 * 1024 * 1024,
  /** Of the text of one result that is shown to people; a longer one is kept under a handle. */
  shownTextCharsMax: 128 * 1024,
  /** Of all pictures, sounds and resources of one result that are shown to people. */
  shownMediaCharsMax: 1024 * 1024,

  /** Of the conversation, for finding out which servers a request needs. */
  queryCharsMax: 400,
  rankedToolsMax: 60,
  /** How much of the context a conversation may fill before old results are taken out. */
  contextShare: 0.8,

  suggestionsMax: 3,
  suggestionQueriesMax: 3,
  /** Found in the local index, of which only exact names count. */
  registryHitsMax: 8,
} as const;

export type AgentLimits = Readonly<Record<keyof typeof agentLimits, number>>;
