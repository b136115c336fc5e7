export const doorLimits = {
  linkMs: 2 * 60_000,
  linksMax: 16,
  sessionMs: 30 * 24 * 60 * 60_000,
  sessionsMax: 32,
  cookiesMax: 8,
  openBytesMax: 1_024,
  filesMax: 2_000,
} as const;
