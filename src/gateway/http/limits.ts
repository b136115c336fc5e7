import { gatewayLimits, type GatewayLimits } from '../limits.ts';

/** Every bound of the HTTP front that is not the gateway's own, by name. */
export const httpLimits = {
  /** Requests on one connection that wait behind one whose answer has not left. */
  pipelinedMax: 16,
  /** A connection on which nothing is asked ends, as with Node’s own server. */
  plainIdleMs: 5_000,
  plainSweepMs: 5_000,
  /** Messages in one batch of a host of 2025-03-26. */
  batchMessagesMax: 100,
  /** Questions that one host has not answered yet. */
  questionsPerHostMax: 100,
  /** How often sessions are looked at for their idleness. */
  sessionSweepMs: 30_000,
  /** Notifications that wait for a host which has no stream open right now: the newest are kept. */
  missedNotesMax: 64,
  missedNoteCharsMax: 8 * 1024,
  /** JSON bodies: deeper or wider ones are refused before they are parsed. */
  jsonDepthMax: 200,
  jsonItemsMax: 500_000,
  /** When the hub stops, what is under way has this long to be answered. */
  stopAnswerMs: 500,
  stopPollMs: 10,
  /** A header or a name from outside is quoted no further than this. */
  quotedCharsMax: 100,
} as const;

/** What the HTTP front keeps to; a test may draw its bounds closer. */
export type Bounds = { readonly [K in keyof GatewayLimits | keyof typeof httpLimits]: number };

export const bounds: Bounds = { ...gatewayLimits, ...httpLimits };
