/** Bounds of prompts that come from files. */
export const documentLimits = {
  promptBytesMax: 1024 * 1024,
  grantsMax: 100,
  grantPathsMax: 20,
  /** Text that is held back until it is sure how it must be shown. */
  heldCharsMax: 4_096,
} as const;
