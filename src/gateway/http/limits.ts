import { gatewayLimits, type GatewayLimits } from '../limits.ts';

export const httpLimits = {
  /** Requests queued on one connection behind an unfinished answer. */
  pipelinedMax: 16,
  plainIdleMs: 5_000,
  plainSweepMs: 5_000,
  batchMessagesMax: 100,
  questionsPerHostMax: 100,
  sessionSweepMs: 30_000,
  /** For a host without a stream; the newest are kept. */
  missedNotesMax: 64,
  missedNoteCharsMax: 8 * 1024,
  /** A host whose connection broke may come back for the rest of an answer. */
  resumeMs: 10_000,
  reconnectMs: 1_000,
  resumablesMax: 16,
  resumableBytesMax: 1024 * 1024,
  /** Checked before a body is parsed. */
  jsonDepthMax: 200,
  jsonItemsMax: 500_000,
  /** Time for open requests to be answered when the hub stops. */
  stopAnswerMs: 500,
  stopPollMs: 10,
  quotedCharsMax: 100,
} as const;

/** Tests may lower them. */
export type Bounds = { readonly [K in keyof GatewayLimits | keyof typeof httpLimits]: number };

export const bounds: Bounds = { ...gatewayLimits, ...httpLimits };
