export const cliLimits = {
  /** Faster work shows no progress. */
  progressShownAfterMs: 300,
  progressFrameMs: 100,
  /** Off a terminal a wait is told in plain lines: once it is one, and rarely after that. */
  progressPlainAfterMs: 2_000,
  progressPlainEveryMs: 10_000,
  widthUnknown: 80,
  widthMin: 20,
  widthMax: 1_000,
  /** Pages of help are easier to read when their lines are not too long. */
  proseWidthMax: 80,
  /** In less room, breaking at words doesn't help. */
  proseWidthMin: 20,
  /** Until the checklist after an import; the hub goes on by itself. */
  importWaitMs: 30_000,
  logsPollMs: 250,
  /** After this, only the grammar completes. */
  completionTimeoutMs: 1_500,
  completionsMax: 500,
  completionCharsMax: 200,
} as const;
