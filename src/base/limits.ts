import { addingLimits } from './adding-limits.ts';

/** Every bound of the product, by name, with its unit last. */
export const limits = {
  ...addingLimits,

  startTimeoutMs: 30_000,
  /** On top, while a server waits for its user to sign in at an address that it printed. */
  browserSignInMs: 10 * 60_000,
  signInLookMs: 500,
  firstStartTimeoutMs: 180_000,
  callTimeoutMs: 60_000,
  /** However much progress a server reports, a call ends here. */
  callTotalTimeoutMs: 60 * 60_000,

  localIdleMs: 30 * 60_000,
  remoteIdleMs: 60 * 60_000,
  /** How long a change by another process may go unnoticed: new accounts, and a first sign-in. */
  accountsKeptMs: 1_000,
  liveLocalServersMax: 40,
  /** While all of them are busy, another one waits so long for a place. */
  localRoomMs: 30_000,
  startsAtOnceMax: 8,
  startSlotMs: 1_500,
  /** Servers without a manifest are looked at in the background, after a moment, each at most so long. */
  firstLooksAtOnceMax: 2,
  firstLookDelayMs: 1_000,
  firstLookMs: 200_000,
  /** One that failed is tried again by a hub that starts later than this. */
  firstLookAgainMs: 24 * 60 * 60_000,
  sweepMs: 15_000,
  memoryWarnBytes: 100 * 1024 * 1024,

  restartAttemptsMax: 3,
  restartBackoffBaseMs: 1_000,
  restartBackoffMaxMs: 60_000,
  /** After this long a connection is stable, and its restart count is reset. */
  stableMs: 60_000,
  breakerFailuresMax: 5,
  breakerOpenMs: 30_000,
  healthCheckMs: 60_000,
  healthTimeoutMs: 10_000,
  rateLimitBackoffBaseMs: 1_000,
  rateLimitBackoffMaxMs: 60_000,
  rateLimitRetriesMax: 5,

  stopEofMs: 2_000,
  stopTermMs: 2_000,

  /** One JSON-RPC line or HTTP answer. */
  messageBytesMax: 128 * 1024 * 1024,
  /** Writing a deeper message as JSON would run out of stack. */
  messageDepthMax: 500,
  httpAnswerBytesMax: 128 * 1024 * 1024,
  sseEndpointMs: 5_000,
  sseEventBytesMax: 16 * 1024 * 1024,
  stderrRingBytes: 1024 * 1024,
  stderrLinesShown: 20,
  /** Searched for what a server that did not start asks for. */
  stderrLinesRead: 200,
  writeQueueBytesMax: 256 * 1024 * 1024,
  noiseLinesKept: 20,
  faultsLoggedMax: 20,

  listPagesMax: 64,
  listItemsMax: 10_000,
  inputRoundsMax: 5,
  taskPollMs: 1_000,
  taskPollMinMs: 100,
  taskPollMaxMs: 10_000,
  /** A larger input schema is left to the server to check. */
  checkedSchemaBytesMax: 256 * 1024,
  listRefreshMinMs: 1_000,
  /** How long a list waits for the server that it asks. */
  listFreshMs: 3_000,

  eraLegacyTtlMs: 7 * 24 * 60 * 60_000,
  /** Silence after server/discover on a pipe before initialize is also tried. */
  probeSilenceMs: 3_000,

  configBytesMax: 4 * 1024 * 1024,
  configDebounceMs: 150,
  /** However often a file changes, its change is reported after this long. */
  configMaxWaitMs: 2_000,
  /** A file that changed this recently may change again within one tick of its time stamp. */
  configFreshMs: 2_000,
  /** Network mounts may report no changes. */
  configPollMs: 10_000,
  configPollUnwatchedMs: 1_000,
  configDepthMax: 64,
  configServersMax: 1_000,
  configWarningsMax: 50,
  serverNameCharsMax: 200,
  globCharsMax: 256,
  valueFileBytesMax: 256 * 1024,

  eventsKeptPerServer: 1_000,
  eventsListMax: 500,
  watchQueueMax: 1_000,

  apiBodyBytesMax: 4 * 1024 * 1024,
  hubStartTimeoutMs: 15_000,
  hubIdleExitMs: 60 * 60_000,
  /** Then the garbage of the start is collected. */
  hubSettledMs: 1_000,
  hostGraceMs: 10_000,
  workspacesMax: 64,

  metadataBytesMax: 1024 * 1024,
  /** Shorter than refreshLeaseMs, after which another process may take over. */
  metadataTimeoutMs: 15_000,
  signInTimeoutMs: 2 * 60_000,
  stepUpsMax: 3,
  tokenSkewMs: 60_000,
  /** A process that dies while it renews a token blocks others no longer than this. */
  refreshLeaseMs: 20_000,
  /** When the hub stops, a requested token has this long to arrive and be saved. */
  refreshCloseMs: 3_000,
  refreshPollMs: 50,
  refreshWaitMs: 45_000,
  /** How long a server or provider is left alone that has refused an identity assertion. */
  identityRestMs: 60_000,
  /** Distinct scopes that servers ask for while step-ups are counted. */
  stepUpScopesMax: 100,
  displayNameCharsMax: 100,
  browserLaunchMs: 2_000,
  /** Checked before a body is parsed. */
  apiJsonDepthMax: 200,
  apiJsonItemsMax: 200_000,
  apiBadTokensPerMinuteMax: 1_000,
  apiHeaderBytesMax: 16 * 1024,
  apiHeadersTimeoutMs: 10_000,
  apiRequestTimeoutMs: 20_000,
  apiConnectionsCheckMs: 5_000,
  apiConnectionsMax: 4_096,
  apiHeartbeatMs: 15_000,
  apiStreamBufferBytes: 256 * 1024,
  attachedHostsMax: 200,
  hostRequestsPendingMax: 100,
  watchRetriesMax: 8,
  watchRetryBaseMs: 100,
  watchRetryMaxMs: 5_000,
  hubDrainMs: 2_000,
  hubIdleCheckMs: 60_000,
  hubLockWaitMs: 500,
  hubPollMs: 25,
  hubLogBytesMax: 5 * 1024 * 1024,
  hubLogLinesShown: 20,

  /** A busy SQLite file blocks the process this long; then it waits without blocking. */
  sqliteBusyBlockMs: 100,
  sqliteBusyTotalMs: 15_000,
  sqliteJournalBytesMax: 64 * 1024 * 1024,
  postgresConnectionsMax: 10,
  postgresConnectTimeoutMs: 10_000,
  postgresQueryTimeoutMs: 30_000,
  postgresRetryTotalMs: 3_000,
  storageRetryBaseMs: 20,
  storageRetryMaxMs: 500,

  /** After a server's exit its stdout is read until it was quiet this long, twice. */
  exitDrainQuietMs: 25,
  exitDrainMs: 1_000,
  /** A watcher's time beyond stopTermMs to kill and sweep. */
  stopSweepMs: 1_000,
  stopLookMs: 50,
  /** A discarded line ends the connection at this size. */
  lineDiscardBytesMax: 512 * 1024 * 1024,
  lineEdgeBytes: 4 * 1024,
  shownLineCharsMax: 2_000,
  loginPathTimeoutMs: 3_000,
  loginPathBytesMax: 256 * 1024,

  httpConnectMs: 10_000,
  /** A server that answers with JSON sends its headers only when the call is done. */
  httpHeadersMs: 5 * 60_000,
  httpBodyIdleMs: 5 * 60_000,
  httpBodyTotalMs: 10 * 60_000,
  httpHeaderBytesMax: 64 * 1024,
  httpSocketsMax: 256,
  /** Past the free bytes, an answer that unpacks to more than this many times its size is a bomb. */
  inflateRatioMax: 100,
  inflateFreeBytes: 16 * 1024 * 1024,
  streamRetryMinMs: 1_000,
  streamRetryMaxMs: 60_000,
  streamRetriesMax: 10_000,
  wsPingMs: 30_000,
  wsCloseMs: 2_000,
  urlCharsMax: 8 * 1024,
  headerSchemaDepthMax: 64,

  cliLinesMax: 10_000,
  hubStopTimeoutMs: 6_000,

  pasteCharsMax: 1024 * 1024,
  /** A paste that takes longer is answered with what was found so far. */
  pasteBudgetMs: 800,
  pasteDepthMax: 64,
  pasteServersMax: 500,
  pasteProblemsMax: 50,
  pasteChangesMax: 100,
  /** YAML and TOML parsers are not ours, so they get less than our JSON reader. */
  pasteForeignCharsMax: 256 * 1024,

  /** Claude Code keeps its whole history in the file that names its servers. */
  clientFileBytesMax: 32 * 1024 * 1024,
  clientFolderFilesMax: 200,
  clientAliasesMax: 100,
  /** Changes can be undone for this long, and this many of them; then what was kept for it is deleted. */
  changesKeptMs: 30 * 24 * 60 * 60 * 1000,
  changesKeptMax: 100,
  /** How often a package index is asked for newer versions of a server that is used. */
  updateCheckMs: 24 * 60 * 60 * 1000,
  /** How long a setup waits for servers, and for its one call. */
  setupWaitMs: 40_000,
  setupCallMs: 10_000,
  /** An edit is retried when the client wrote its file meanwhile. */
  clientEditAttemptsMax: 5,

  /** GCM with random nonces is safe for 2^32 seals under one key; a new key comes before that. */
  vaultSealsPerKeyMax: 2 ** 32,
  /** Seals are counted in blocks, so that not every write counts; a restart wastes one block. */
  vaultSealsReserved: 4_096,
  vaultSecretBytesMax: 256 * 1024,
  vaultNameCharsMax: 512,
  /** A write is retried when another process changed the record or the keys meanwhile. */
  vaultWriteAttemptsMax: 50,
  vaultRotationBatch: 100,
  /** A keyring that asks the user for a password may take this long to answer. */
  keyringTimeoutMs: 5_000,
  keyringUnlockMs: 60_000,
  masterKeyFileBytesMax: 4 * 1024,
  passphraseCharsMin: 8,
  /** Bounds what a stored vault may ask of this machine. */
  passphraseMemoryKibMax: 1024 * 1024,
  passphrasePassesMax: 64,
  /** A password manager may wait for a fingerprint or a password. */
  referenceCommandMs: 30_000,
  referenceCommandBytesMax: 64 * 1024,
  accountsPerServerMax: 100,

  /** Keys typed this long before a question for a key appears don't answer it. */
  typedAheadMs: 100,
  auditRowsShown: 50,
  auditPageRows: 500,
  auditExportRowsMax: 1_000_000,

  /** A result with more text than this is stored whole and answered as a preview. */
  resultPreviewBytes: 100 * 1024,
  /** Pictures and sounds stay in the answer while together (as base64) they are under this. */
  resultMediaBytesMax: 5 * 1024 * 1024,
  resultPreviewCharsShown: 16 * 1024,
  /** Structured content for programs. With media it fits the 10 MB that hosts read in one line. */
  resultStructuredBytesMax: 4 * 1024 * 1024,
  resultPieceChars: 1024 * 1024,
  resultPageChars: 40_000,
  resultKeepMs: 7 * 24 * 60 * 60_000,
  resultsBytesMax: 512 * 1024 * 1024,
  resultDepthMax: 1_000,
  /** Of small results, only the last are remembered, and only in memory. */
  recentResultsMax: 200,
  recentResultBytesMax: 32 * 1024,
  /** A thread that reads a result ends after this long. */
  resultReadMs: 20_000,
  resultReadMemoryMb: 1_024,
  resultMatchesMax: 200,
  resultMatchCharsMax: 500,
  resultLineCharsMax: 64 * 1024,
  resultPatternCharsMax: 1_000,
  resultPathsFoundMax: 100,
  resultPathCharsMax: 256 * 1024,

  auditArgsBytesMax: 8 * 1024,
  auditMessageCharsMax: 2_000,
  auditKeepMs: 90 * 24 * 60 * 60_000,
  auditRecordsMax: 100_000,
  auditPruneMs: 60 * 60_000,
  /** Owners of a team come and go all the time: what is old of theirs waits until they stay. */
  pruneOfOwnerDelayMs: 60_000,
  auditFlushMs: 250,
  /** At most this much is lost in a power cut: the journal is synced this often. */
  auditSyncMs: 250,
  auditBatch: 1_024,
  /** With more records queued for the database, calls wait; they fail when it is stuck. */
  auditQueueMax: 10_000,
  auditStuckMs: 2_000,
  auditWaitMs: 15_000,
  auditCloseMs: 5_000,
  auditVerifyBatch: 500,
  auditPageMax: 1_000,
  auditPageShown: 100,
  auditSumRowsMax: 50_000,
  /** Calls are recorded between the steps. */
  auditSumBatch: 2_000,
  /** What a page of one requester looks through at most; its cursor continues from there. */
  auditScanMax: 20_000,
  /** What the figures of one requester are read from at most; of more, a shorter time can be summed. */
  auditSumScanMax: 200_000,

  telemetryQueueMax: 2_048,
  telemetryExportMs: 5_000,
  telemetryFlushMs: 2_000,
  telemetryMetricsMs: 60_000,
  /** Calls are recorded between the steps. */
  auditPruneBatch: 500,

  /** No model could use a larger or deeper input schema: it is set aside. */
  schemaCharsMax: 256 * 1024,
  schemaValuesMax: 20_000,
  schemaDepthMax: 64,
  schemaRepairsShown: 20,
  /** For providers without `$ref`, schemas are inlined no further than this. */
  inlinedSchemasMax: 2_000,
  inlinedRefsDepthMax: 4,
  lostRuleCharsMax: 300,
  tokenCountDelayMs: 10_000,

  tokenBatchTimeoutMs: 60_000,
  tokenThreadIdleMs: 5_000,
  tokenThreadHeapMb: 256,
  tokenBatchCharsMax: 4 * 1024 * 1024,
  /** A long word takes quadratic time, so it is counted in pieces. */
  tokenRunCharsMax: 256,
  tokenTextCharsMax: 1024 * 1024,

  rulesMax: 1_000,
  ruleProblemsMax: 50,
  ruleNameCharsMax: 200,
  ruleRegexCharsMax: 1_000,
  /** A rule can't judge a longer argument: the call is denied. */
  ruleTextCharsMax: 256 * 1024,
  ruleValuesMax: 10_000,
  ruleDepthMax: 200,
  grantsMax: 10_000,
  /** All grants of one tool are looked at when it is called. */
  grantsPerToolMax: 100,
  grantPatternPathsMax: 32,

  /** An unanswered question is denied after this long. */
  approvalMs: 5 * 60_000,
  approvalsMax: 64,
  /** One busy caller cannot take the whole queue. */
  approvalsPerRequesterMax: 32,
  approvalArgsBytesMax: 1024 * 1024,
  approvalsBytesMax: 16 * 1024 * 1024,
  /** Calls of one requester that come within this time of the first are one batch. */
  approvalBatchMs: 1_000,
  /** Answered questions are kept to tell a later answer who was faster. */
  approvalsEndedKept: 500,
  approvalNoteCharsMax: 4_000,
  hostNameCharsMax: 100,
  approvalPatternFieldsMax: 100,
  approvalChangesMax: 200,
  approvalLastToolsMax: 256,
  approvalLastArgsBytesMax: 32 * 1024,
  previewReadMs: 2_000,
  previewFileBytesMax: 1024 * 1024,
  previewCharsMax: 64 * 1024,
  /** More changed lines than this are shown as all the old ones, then all the new ones. */
  previewLineEditsMax: 1_000,

  /** Of one result its start is remembered, and pieces spread over the rest. */
  originResultCharsMax: 256 * 1024,
  originSpreadPieces: 32,
  originSpreadPieceChars: 2 * 1024,
  originPrintsMax: 128 * 1024,
  originPrincipalsMax: 8,
  originFindingsMax: 20,
  /** Larger arguments are not searched: a rule about data stops them. */
  originArgsCharsMax: 4 * 1024 * 1024,
  originArgsTextsMax: 50_000,
  originSampleCharsMax: 80,

  /** A deeper or longer definition is flagged instead of read to its end. */
  flaggedDepthMax: 64,
  flaggedStringsMax: 50_000,
  flagsPerToolMax: 20,

  /** Shorter secrets are left alone: they would match ordinary words. */
  redactedCharsMin: 6,
  redactedValuesMax: 2_000,
  redactedValueCharsMax: 64 * 1024,
  redactedFormsCharsMax: 16 * 1024 * 1024,
  redactedDepthMax: 64,
  redactedDecodedCharsMax: 1024 * 1024,
  /** Lines before the shown ones that are searched: a secret may begin there. */
  redactedLinesBefore: 32,
  redactedLineCharsMax: 16 * 1024,
} as const;

export type Limits = { readonly [K in keyof typeof limits]: number };
