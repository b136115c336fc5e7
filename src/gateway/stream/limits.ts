export const streamLimits = {
  batchMessagesMax: 100,
  questionsMax: 100,
  /** Of requests waiting for room; beyond it the host isn't read. */
  waitingCharsMax: 4 * 1024 * 1024,
  /** With this much unread, no further request is started. */
  unreadBeforeWaitBytes: 1024 * 1024,
  /** Hard cap on a burst of answers. */
  unreadBurstBytesMax: 128 * 1024 * 1024,
  /** A host with too much unread that took nothing for this long doesn't read. */
  unreadStalledMs: 10_000,
  /** Longer texts are split, to see whether the host reads. */
  pieceBytes: 256 * 1024,
  /** Small lines are joined up to this size: fewer system calls. */
  batchChars: 64 * 1024,
  /** Kept of each end of an overlong line, to find its request id. */
  lineEdgeBytes: 1024,
  /** How long a half-closed host is still answered. */
  halfClosedMs: 30_000,
  streamsMax: 1_000,
} as const;

export type StreamLimits = { readonly [K in keyof typeof streamLimits]: number };
