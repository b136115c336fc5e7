import { addingLimits } from './adding-limits.ts';

/** Every bound of the product, by name. Units stand last in each name. */
export const limits = {
  ...addingLimits,

  startTimeoutMs: 30_000,
  /** For the first start of a package that has to be fetched. */
  firstStartTimeoutMs: 180_000,
  callTimeoutMs: 60_000,
  /** However much progress a server reports, a call ends here. */
  callTotalTimeoutMs: 60 * 60_000,

  localIdleMs: 30 * 60_000,
  remoteIdleMs: 60 * 60_000,
  liveLocalServersMax: 40,
  startsAtOnceMax: 8,
  /** A starting server holds its slot no longer than this. */
  startSlotMs: 1_500,
  sweepMs: 15_000,
  memoryWarnBytes: 100 * 1024 * 1024,

  restartAttemptsMax: 3,
  restartBackoffBaseMs: 1_000,
  restartBackoffMaxMs: 60_000,
  /** A connection that lived this long is stable: its restart count starts anew. */
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

  /** One JSON-RPC line or one HTTP answer. Above it the message is refused as too_large. */
  messageBytesMax: 128 * 1024 * 1024,
  /** Nested deeper, a message is refused as too_large: writing it as JSON would run out of stack. */
  messageDepthMax: 500,
  httpAnswerBytesMax: 128 * 1024 * 1024,
  sseEventBytesMax: 16 * 1024 * 1024,
  stderrRingBytes: 1024 * 1024,
  stderrLinesShown: 20,
  writeQueueBytesMax: 256 * 1024 * 1024,
  noiseLinesKept: 20,
  /** Unexpected failures of the hub that its log has of one minute. */
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

  eraLegacyTtlMs: 7 * 24 * 60 * 60_000,
  /** Silence after server/discover on a pipe before initialize is tried beside it. */
  probeSilenceMs: 3_000,

  configBytesMax: 4 * 1024 * 1024,
  configDebounceMs: 150,
  /** However often a file changes, its change is reported after this long. */
  configMaxWaitMs: 2_000,
  /** A file changed this recently may change again within one tick of its time stamp. */
  configFreshMs: 2_000,
  /** Looks at watched files even when the file system reports nothing (network mounts). */
  configPollMs: 10_000,
  /** The same where the file system cannot be watched at all. */
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
  /** When the start is over and its garbage is collected. */
  hubSettledMs: 1_000,
  hostGraceMs: 10_000,
  workspacesMax: 64,

  metadataBytesMax: 1024 * 1024,
  /** One request for metadata or for a token. Shorter than refreshLeaseMs: whoever waits may take over then. */
  metadataTimeoutMs: 15_000,
  signInTimeoutMs: 2 * 60_000,
  stepUpsMax: 3,
  /** Tokens are renewed this long before they expire. */
  tokenSkewMs: 60_000,
  /** A process that renews a token and dies blocks the others no longer than this. */
  refreshLeaseMs: 20_000,
  /** When the hub stops, a token that was asked for has this long to come and be saved. */
  refreshCloseMs: 3_000,
  refreshPollMs: 50,
  refreshWaitMs: 45_000,
  /** Different rights that servers ask for while they are counted; beyond it nothing more is asked. */
  stepUpScopesMax: 100,
  displayNameCharsMax: 100,
  /** A program that opens a browser and fails, fails within this time. */
  browserLaunchMs: 2_000,
  /** How deep and how wide a JSON body may be, checked before it is parsed. */
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
  /** How long a query keeps trying while PostgreSQL restarts. */
  postgresRetryTotalMs: 3_000,
  storageRetryBaseMs: 20,
  storageRetryMaxMs: 500,

  /** After a server's exit its stdout is read until it has been quiet this long, twice. */
  exitDrainQuietMs: 25,
  exitDrainMs: 1_000,
  /** What a watcher may take beyond stopTermMs to kill and sweep. */
  stopSweepMs: 1_000,
  /** How long a killed process group is waited for. */
  stopLookMs: 50,
  /** A line that is thrown away for its length ends the connection at this size. */
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

  /** Lines that `plug logs -n` and `plug events -n` may ask for. */
  cliLinesMax: 10_000,
  /** `plug hub stop` waits this long for the process to go. */
  hubStopTimeoutMs: 6_000,

  pasteCharsMax: 1024 * 1024,
  /** A paste that takes longer is answered with what was found until then. */
  pasteBudgetMs: 800,
  pasteDepthMax: 64,
  pasteServersMax: 500,
  pasteProblemsMax: 50,
  pasteChangesMax: 100,
  /** YAML and TOML parsers are not ours: they get less than the tolerant JSON reader. */
  pasteForeignCharsMax: 256 * 1024,

  /** Other clients' files: Claude Code keeps its whole history in the one that names its servers. */
  clientFileBytesMax: 32 * 1024 * 1024,
  clientFolderFilesMax: 200,
  clientAliasesMax: 100,
  /** How often an edit starts anew because the client wrote its file meanwhile. */
  clientEditAttemptsMax: 5,

  /** GCM with random nonces is safe for 2^32 seals under one key; a new key comes before that. */
  vaultSealsPerKeyMax: 2 ** 32,
  /** Seals are counted in blocks, so that not every write has to count; a restart wastes one block. */
  vaultSealsReserved: 4_096,
  vaultSecretBytesMax: 256 * 1024,
  vaultNameCharsMax: 512,
  /** How often a write starts anew because somebody else wrote the same record or the keys meanwhile. */
  vaultWriteAttemptsMax: 50,
  vaultRotationBatch: 100,
  /** A keyring that asks the user for a password may take this long to answer. */
  keyringTimeoutMs: 5_000,
  /** A locked keyring waits for its owner to unlock it. */
  keyringUnlockMs: 60_000,
  masterKeyFileBytesMax: 4 * 1024,
  passphraseCharsMin: 8,
  /** What a stored vault may ask of this machine when a passphrase is turned into a key. */
  passphraseMemoryKibMax: 1024 * 1024,
  passphrasePassesMax: 64,
  /** Commands that read a password manager may wait for a finger or a password. */
  referenceCommandMs: 30_000,
  referenceCommandBytesMax: 64 * 1024,
  accountsPerServerMax: 100,

  /** What is typed this long before a question for a key is shown does not answer it. */
  typedAheadMs: 100,
  auditRowsShown: 50,
  auditPageRows: 500,
  auditExportRowsMax: 1_000_000,

  /** A result with more text than this is stored whole and answered as a preview. */
  resultPreviewBytes: 100 * 1024,
  /** Pictures and sounds stay in the answer while all of them together are under this (as base64). */
  resultMediaBytesMax: 5 * 1024 * 1024,
  /** What a preview shows of the text, and of the structured content. */
  resultPreviewCharsShown: 16 * 1024,
  resultPieceChars: 1024 * 1024,
  resultPageChars: 40_000,
  resultKeepMs: 7 * 24 * 60 * 60_000,
  resultsBytesMax: 512 * 1024 * 1024,
  resultDepthMax: 1_000,
  /** Paging, searching and paths read a result in a thread that is ended after this long. */
  resultReadMs: 20_000,
  resultReadMemoryMb: 1_024,
  resultMatchesMax: 200,
  resultMatchCharsMax: 500,
  /** A longer line is searched in parts of this length. */
  resultLineCharsMax: 64 * 1024,
  resultPatternCharsMax: 1_000,
  resultPathsFoundMax: 100,
  resultPathCharsMax: 256 * 1024,

  auditArgsBytesMax: 8 * 1024,
  auditMessageCharsMax: 2_000,
  auditKeepMs: 90 * 24 * 60 * 60_000,
  auditRecordsMax: 100_000,
  auditPruneMs: 60 * 60_000,
  auditFlushMs: 250,
  /** What may be lost with the power, at most: the journal is synced this often while it is written. */
  auditSyncMs: 250,
  auditBatch: 1_024,
  /** Records that wait for the database; beyond it calls wait while it moves, and fail when it does not. */
  auditQueueMax: 10_000,
  auditStuckMs: 2_000,
  auditWaitMs: 15_000,
  /** For calls under way when the hub closes, and then for the last records. */
  auditCloseMs: 5_000,
  auditVerifyBatch: 500,
  auditPageMax: 1_000,
  auditPageShown: 100,
  auditSumRowsMax: 50_000,
  /** Records that are counted in one step, so that calls can be recorded between the steps. */
  auditSumBatch: 2_000,

  telemetryQueueMax: 2_048,
  telemetryExportMs: 5_000,
  telemetryFlushMs: 2_000,
  telemetryMetricsMs: 60_000,
  /** Old records that go in one step, so that calls can be recorded between the steps. */
  auditPruneBatch: 500,

  /** A tool's input schema: what is larger or deeper is set aside, as no model could use it. */
  schemaCharsMax: 256 * 1024,
  schemaValuesMax: 20_000,
  schemaDepthMax: 64,
  schemaRepairsShown: 20,
  /** Schemas for a provider that knows no `$ref` are written out no further than this. */
  inlinedSchemasMax: 2_000,
  inlinedRefsDepthMax: 4,
  /** How much of a rule that a provider cannot express is told in words. */
  lostRuleCharsMax: 300,
  /** After a server has told what it offers: then its tokens are counted. */
  tokenCountDelayMs: 10_000,

  /** One batch of texts whose tokens are counted. */
  tokenBatchTimeoutMs: 60_000,
  /** The thread that counts ends after this long without work. */
  tokenThreadIdleMs: 5_000,
  tokenThreadHeapMb: 256,
  /** So many characters are sent to the thread at once. */
  tokenBatchCharsMax: 4 * 1024 * 1024,
  /** One endless word takes quadratic time: it is counted in pieces of this size. */
  tokenRunCharsMax: 256,
  tokenTextCharsMax: 1024 * 1024,

  /** The rules file: how much of it is read, and how much of an argument a rule looks at. */
  rulesMax: 1_000,
  ruleProblemsMax: 50,
  ruleNameCharsMax: 200,
  ruleRegexCharsMax: 1_000,
  /** An argument that a rule should judge and that is longer cannot be judged: the call is denied. */
  ruleTextCharsMax: 256 * 1024,
  ruleValuesMax: 10_000,
  ruleDepthMax: 200,
  grantsMax: 10_000,
  /** All grants of one tool are looked at when it is called. */
  grantsPerToolMax: 100,
  grantPatternPathsMax: 32,

  /** A question that nobody answers is a denial after this long. */
  approvalMs: 5 * 60_000,
  approvalsMax: 64,
  /** One busy caller cannot take the whole queue. */
  approvalsPerRequesterMax: 32,
  approvalArgsBytesMax: 1024 * 1024,
  approvalsBytesMax: 16 * 1024 * 1024,
  /** Calls of one requester that come within this time of the first are one batch. */
  approvalBatchMs: 1_000,
  /** Answered questions that are kept to tell a later answer who was faster. */
  approvalsEndedKept: 500,
  approvalNoteCharsMax: 4_000,
  /** A host calls itself as it likes; a card has room for this much of it. */
  hostNameCharsMax: 100,
  approvalPatternFieldsMax: 100,
  approvalChangesMax: 200,
  /** Tools whose last approved arguments are kept, and how large those may be. */
  approvalLastToolsMax: 256,
  approvalLastArgsBytesMax: 32 * 1024,
  /** A preview waits this long for the file that would be changed. */
  previewReadMs: 2_000,
  previewFileBytesMax: 1024 * 1024,
  previewCharsMax: 64 * 1024,
  /** More changed lines than this are shown as all the old ones, then all the new ones. */
  previewLineEditsMax: 1_000,

  /** What is remembered of one result: its beginning, and pieces spread over the rest. */
  originResultCharsMax: 256 * 1024,
  originSpreadPieces: 32,
  originSpreadPieceChars: 2 * 1024,
  /** Fingerprints kept for one principal, over all servers. */
  originPrintsMax: 128 * 1024,
  originPrincipalsMax: 8,
  originFindingsMax: 20,
  /** Arguments that are larger are not looked through: a rule about data takes them for what it stops. */
  originArgsCharsMax: 4 * 1024 * 1024,
  originArgsTextsMax: 50_000,
  originSampleCharsMax: 80,

  /** A definition that is deeper or has more texts is flagged instead of read to its end. */
  flaggedDepthMax: 64,
  flaggedStringsMax: 50_000,
  flagsPerToolMax: 20,

  /** Finding secrets in texts. Shorter values are left alone: they would turn up in ordinary words. */
  redactedCharsMin: 6,
  redactedValuesMax: 2_000,
  redactedValueCharsMax: 64 * 1024,
  redactedFormsCharsMax: 16 * 1024 * 1024,
  redactedDepthMax: 64,
  redactedDecodedCharsMax: 1024 * 1024,
  /** So many lines before those that are shown are looked at: a secret may begin there. */
  redactedLinesBefore: 32,
  /** And so much of each line, before it is cut to what is shown. */
  redactedLineCharsMax: 16 * 1024,
} as const;

export type Limits = { readonly [K in keyof typeof limits]: number };
