/** Every bound of the stream front that is not the gateway's own, by name. */
export const streamLimits = {
  /** Messages in one batch of a host of 2025-03-26. */
  batchMessagesMax: 100,
  /** Questions that one host has not answered yet. */
  questionsMax: 100,
  /** Characters of requests that wait because enough run; beyond it the host is not read. */
  waitingCharsMax: 4 * 1024 * 1024,
  /** While a host has so much to read, no further request of its is begun. */
  unreadBeforeWaitBytes: 1024 * 1024,
  /** Answers of one moment may come to more than a host may leave unread; never to more than this. */
  unreadBurstBytesMax: 128 * 1024 * 1024,
  /** A host with too much unread that has taken nothing for this long does not read. */
  unreadStalledMs: 10_000,
  /** A longer text goes out in pieces of this size, so that it shows whether the host reads. */
  pieceBytes: 256 * 1024,
  /** Small lines are joined up to about this size: one system call carries many of them. */
  batchChars: 64 * 1024,
  /** How much of each end of a line that is too long is kept, to see which request it was. */
  lineEdgeBytes: 1024,
  /** A host that says no more is still answered what it asked, for this long. */
  halfClosedMs: 30_000,
  /** Streams that are open at once. */
  streamsMax: 1_000,
} as const;

export type StreamLimits = { readonly [K in keyof typeof streamLimits]: number };
