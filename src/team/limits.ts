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
  /** How long somebody stays known without a look at the database, so how late a removal can count. */
  knownMs: 2_000,
  knownMax: 10_000,
  setUpLinkMs: 60 * 60 * 1_000,
  invitationMs: 48 * 60 * 60 * 1_000,
  /** People whose hubs are in memory at once; those longest unused make room. */
  spacesMax: 200,
  spaceIdleMs: 10 * 60 * 1_000,
  spaceSweepMs: 60 * 1_000,
  bodyBytesMax: 64 * 1_024,
} as const;
