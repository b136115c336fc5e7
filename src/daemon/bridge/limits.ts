export const bridgeLimits = {
  /** A longer line is passed on before its end has come. */
  heldLineBytesMax: 1024 * 1024,
  /** Longer lines are not repeated to a new hub. */
  keptLineBytesMax: 64 * 1024,
  keptLinesMax: 100,
  requestsKnownMax: 100_000,
  /** Subscriptions of a legacy host that are repeated to a new hub. */
  subscriptionsKeptMax: 1_000,
  idCharsMax: 300,
  /** For the hub to accept the stream, or to answer a repeated handshake. */
  openMs: 15_000,
  refusalBytesMax: 64 * 1024,
  /** After this many failed starts, the host's requests are answered with an error. */
  startsMax: 3,
  retryBaseMs: 100,
  retryMaxMs: 5_000,
  /** The wait for answers after the host's input has ended. */
  lastAnswersMs: 35_000,
} as const;

export type BridgeLimits = { readonly [K in keyof typeof bridgeLimits]: number };
