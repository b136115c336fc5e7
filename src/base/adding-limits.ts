/** Bounds of finding, reading, trying and adding servers. All bounds are read from `limits.ts`. */
export const addingLimits = {
  /** Screenshots: what is unpacked is bounded by its header before the engine sees it. */
  screenshotBytesMax: 16 * 1024 * 1024,
  screenshotPixelsMax: 16_000_000,
  screenshotLinesMax: 300,
  screenshotGlyphsMax: 30_000,
  screenshotTimeoutMs: 60_000,

  /** One registry is given this long to answer a search; the others' results do not wait for it. */
  registryTimeoutMs: 8_000,
  /** A registry that asks for a longer pause is left alone instead of waited for. */
  registryPauseMs: 2_000,
  registrySyncPauseMs: 60_000,
  registryPageSize: 100,
  /** Of one answer: some mirrors list every version of each of a page's servers. */
  registryPageEntriesMax: 2_000,
  registryPagesMax: 1_000,
  registryEntriesMax: 100_000,
  registryResultsMax: 200,
  registryEntryBytesMax: 256 * 1024,
  /** Packages, remotes, inputs and choices of one entry. */
  registryItemsMax: 200,
  registryWordsMax: 300,
  registryProblemsMax: 20,
  /** An index that is younger than this answers without asking the registry. */
  registryFreshMs: 24 * 60 * 60_000,
  packageLookupMs: 20_000,
  /** A start waits this long for a checksum; a right one holds for a day, a silent index is left alone. */
  integrityLookupMs: 5_000,
  integrityFreshMs: 24 * 60 * 60_000,
  integrityRetryMs: 10 * 60_000,
  integrityKeptMax: 1_000,
  /** A bundle as it is downloaded, what it unpacks to in all, and its largest file. */
  bundleBytesMax: 128 * 1024 * 1024,
  bundleFilesMax: 20_000,
  bundleUnpackedBytesMax: 256 * 1024 * 1024,
  bundleFileBytesMax: 128 * 1024 * 1024,
  bundleManifestBytesMax: 1024 * 1024,
  /** Past the free bytes, a file that unpacks to more than this many times its size is a bomb. */
  bundleRatioMax: 100,
  bundleRatioFreeBytes: 16 * 1024 * 1024,
  bundleUnpackMs: 2 * 60_000,
  bundleThreadMemoryMb: 64,

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
  /** A picture of few bytes may be of so many pixels that a browser that shows it runs out of memory. */
  iconPixelsMax: 4_000_000,
  iconTimeoutMs: 5_000,
  iconsKeptMax: 200,
  iconKeptMs: 60 * 60_000,
  iconsDeclaredMax: 8,
  registriesMax: 50,
} as const;
