/** What the page's door holds and for how long. */
export const doorLimits = {
  linkMs: 2 * 60_000,
  linksMax: 16,
  sessionMs: 30 * 24 * 60 * 60_000,
  sessionsMax: 32,
  /** Cookies of our name in one request. */
  cookiesMax: 8,
  openBytesMax: 1_024,
  /** Files of a build of the page. */
  filesMax: 2_000,
} as const;
