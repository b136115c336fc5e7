/** Every bound of the bridge between a host's stdio and the hub, by name. */
export const bridgeLimits = {
  /** A longer line is passed on before its end has come. */
  heldLineBytesMax: 1024 * 1024,
  /** Lines that must be said again to a new hub are kept up to this size. */
  keptLineBytesMax: 64 * 1024,
  keptLinesMax: 100,
  /** Requests under way that are known by their ids. */
  requestsKnownMax: 100_000,
  idCharsMax: 300,
  /** How long the hub may take to take the stream, or to answer what is said again. */
  openMs: 15_000,
  refusalBytesMax: 64 * 1024,
  /** How often it is tried to start a hub before what the host asked is answered with an error. */
  startsMax: 3,
  retryBaseMs: 100,
  retryMaxMs: 5_000,
  /** After the host's last word: how long its answers are waited for. */
  lastAnswersMs: 35_000,
} as const;

export type BridgeLimits = { readonly [K in keyof typeof bridgeLimits]: number };
