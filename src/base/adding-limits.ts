/** Bounds of finding, reading, trying and adding servers. All bounds are read from `limits.ts`. */
export const addingLimits = {
  /** Checked in the header of a screenshot, before it is unpacked. */
  screenshotBytesMax: 16 * 1024 * 1024,
  screenshotPixelsMax: 16_000_000,
  screenshotLinesMax: 300,
  screenshotGlyphsMax: 30_000,
  screenshotTimeoutMs: 60_000,

  /** The other registries' results don't wait for a slow one. */
  registryTimeoutMs: 8_000,
  /** A registry that asks for a longer pause is skipped. */
  registryPauseMs: 2_000,
  registrySyncPauseMs: 60_000,
  registryPageSize: 100,
  /** Some mirrors list every version of each server of a page. */
  registryPageEntriesMax: 2_000,
  registryPagesMax: 1_000,
  registryEntriesMax: 100_000,
  registryResultsMax: 200,
  /** Entries of a copy that are ranked for one search. */
  registryCandidatesMax: 80,
  registryEntryBytesMax: 256 * 1024,
  /** Packages, remotes, inputs and choices of one entry. */
  registryItemsMax: 200,
  registryWordsMax: 300,
  registryProblemsMax: 20,
  registryFreshMs: 24 * 60 * 60_000,
  packageLookupMs: 20_000,
  integrityLookupMs: 5_000,
  integrityFreshMs: 24 * 60 * 60_000,
  integrityRetryMs: 10 * 60_000,
  integrityKeptMax: 1_000,
  packageInstallMs: 10 * 60_000,
  packageInstallsAtOnceMax: 2,
  packageInstallOutputBytesMax: 1024 * 1024,
  /** How often a long installation says how far it is. */
  packageInstallTellMs: 1_000,
  /** A package that could not be installed is started by its runner this long before it is tried again. */
  packageInstallRetryMs: 10 * 60_000,
  packageFilesMax: 200_000,
  packageBytesMax: 4 * 1024 * 1024 * 1024,
  /** A version that no server names is removed when it was not started for so long, or when there are so many. */
  packageUnusedMs: 30 * 24 * 60 * 60_000,
  packageUnusedMax: 20,
  /** What was begun and not finished is removed after this, whoever began it. */
  packageLeftoverMs: 24 * 60 * 60_000,
  packageTidyFirstMs: 60_000,
  packageTidyMs: 6 * 60 * 60_000,
  bundleBytesMax: 128 * 1024 * 1024,
  bundleFilesMax: 20_000,
  bundleUnpackedBytesMax: 256 * 1024 * 1024,
  bundleFileBytesMax: 128 * 1024 * 1024,
  bundleManifestBytesMax: 1024 * 1024,
  /** Past the free bytes, a file that unpacks to more than this many times its size is a zip bomb. */
  bundleRatioMax: 100,
  bundleRatioFreeBytes: 16 * 1024 * 1024,
  bundleUnpackMs: 2 * 60_000,
  bundleThreadMemoryMb: 64,

  registryAnswerBytesMax: 32 * 1024 * 1024,
  plansKeptMax: 200,
  planKeptMs: 60 * 60_000,
  pasteFileBytesMax: 1024 * 1024,
  searchResultsShown: 20,

  apiImageBytesMax: 4 * 1024 * 1024,
  apiImageBodyBytesMax: 4 * 1024 * 1024 + 4 * 1024,

  trialLogMs: 100,
  trialLogLinesMax: 500,
  iconBytesMax: 256 * 1024,
  /** A small file may have enough pixels to exhaust a browser's memory. */
  iconPixelsMax: 4_000_000,
  iconTimeoutMs: 5_000,
  iconsKeptMax: 200,
  iconKeptMs: 60 * 60_000,
  iconsDeclaredMax: 8,
  registriesMax: 50,
} as const;
