/** Bounds of finding, reading, trying and adding servers. All bounds are read from `limits.ts`. */
export const addingLimits = {
  /** Screenshots: what is unpacked is bounded by its header before the engine sees it. */
  screenshotBytesMax: 16 * 1024 * 1024,
  screenshotPixelsMax: 16_000_000,
  screenshotLinesMax: 300,
  screenshotGlyphsMax: 30_000,
  screenshotTimeoutMs: 60_000,

  /** One answer of a registry or a package index. */
  registryAnswerBytesMax: 32 * 1024 * 1024,
  /** Plans that were shown and neither carried out nor dropped. */
  plansKeptMax: 200,
  planKeptMs: 60 * 60_000,
  /** What `plug add` reads from a file or from standard input. */
  pasteFileBytesMax: 1024 * 1024,
  searchResultsShown: 20,

  /** A screenshot in base64, with the JSON around it. */
  apiImageBytesMax: 4 * 1024 * 1024,
  apiImageBodyBytesMax: 4 * 1024 * 1024 + 4 * 1024,

  /** While a server is tried: how often its stderr is looked at, and how much of it is shown. */
  trialLogMs: 100,
  trialLogLinesMax: 500,
  /** A picture that a server declares for itself; kept for a while, as is that there is none. */
  iconBytesMax: 256 * 1024,
  iconTimeoutMs: 5_000,
  iconsKeptMax: 200,
  iconKeptMs: 60 * 60_000,
  iconsDeclaredMax: 8,
  registriesMax: 50,
} as const;
