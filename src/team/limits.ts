/** Bounds of a team. */
export const teamLimits = {
  secretCharsMin: 32,
  passwordCharsMin: 12,
  passwordCharsMax: 128,
  nameCharsMax: 128,
  peopleMax: 10_000,
  keysOfPersonMax: 50,
  signInsPerMinute: 10,
  authRequestsPerMinute: 100,
  tokenRequestsPerMinute: 1_000,
  registrationsPerMinute: 60,
  /** How long somebody stays known without a look at the database, so how late a removal can count. */
  knownMs: 2_000,
  knownMax: 10_000,
  /** How often it is asked whether people with something under way are still in the team. */
  deactivatedMs: 2_000,
  setUpLinkMs: 60 * 60 * 1_000,
  invitationMs: 48 * 60 * 60 * 1_000,
  passwordLinkMs: 24 * 60 * 60 * 1_000,
  /** People whose hubs are in memory at once; those longest unused make room. */
  spacesMax: 1_000,
  spaceIdleMs: 10 * 60 * 1_000,
  spaceSweepMs: 60 * 1_000,
  bodyBytesMax: 64 * 1_024,
  accessTokenSeconds: 60 * 60,
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  /** A host that lost the answer of a refresh may ask once more; later a second use ends all its tokens. */
  refreshReplaySeconds: 10,
  codeSeconds: 5 * 60,
  clientDocumentMs: 5 * 60 * 1_000,
  clientDocumentReadMs: 5_000,
  clientDocumentCharsMax: 64 * 1_024,
  groupsMax: 10_000,
  promotionsOfPersonMax: 20,
  /** How long a replica that says nothing is taken to live, and how often one says that it does. */
  leaseMs: 10_000,
  renewMs: 2_000,
  /** A request is held until it is known which replica answers it. */
  forwardBytesMax: 16 * 1_024 * 1_024,
  forwardConnectMs: 2_000,
  forwardTotalMs: 15_000,
  forwardPollMs: 100,
  /** How long requests may still run when a replica stops. */
  drainMs: 10_000,
  drainPollMs: 50,
  /** How long a replica that has handed everything over still says so to the others. */
  lingerMs: 500,
  /** How long requests that have come in are still answered when it listens no more. */
  lastAnswersMs: 2_000,
  /** How often it is asked whether a scheduled export is due. */
  exportPollMs: 30_000,
  /** How long the replica that writes a file is taken to be at it. */
  exportClaimMs: 3 * 60 * 1_000,
  exportRetryMs: 5 * 60 * 1_000,
  /** How long somebody who wants an export now waits for its end. */
  exportWaitMs: 60 * 1_000,
  exportWaitPollMs: 200,
  quotasMax: 200,
  rulesCharsMax: 256 * 1_024,
} as const;
