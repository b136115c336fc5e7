/** Every bound of the gateway, by name. Units stand last in each name. */
export const gatewayLimits = {
  /** Tools, resources or prompts in one page of a list. */
  pageItemsMax: 1_000,
  /** How long a host may keep a list before it asks again. */
  listTtlMs: 60_000,
  /** Changes within this time are told as one. */
  changesTogetherMs: 100,
  /** What a host may be shown of tools before `auto` takes a leaner mode. */
  autoTokensMax: 8_000,

  /** A call that waits for its host's answer is given up after this. */
  parkedMs: 10 * 60_000,
  parkedCallsMax: 1_000,
  /** How often a waiting call shows a sign of life. */
  waitingNoteMs: 10_000,
  /** A host that gave no progress token would end the call itself: it is answered before that. */
  silentWaitMs: 45_000,
  openScopesMax: 100,
  listenersMax: 1_000,
  watchedResourcesMax: 1_000,
  /** How long a host may keep a resource that a legacy server gave no time for. */
  readTtlMs: 0,
  hostCallsAtOnceMax: 1_000,
  /** An identity of a modern host that was quiet for this long is forgotten. */
  modernHostIdleMs: 10 * 60_000,
  modernHostLeasesMax: 32,

  bodyBytesMax: 16 * 1024 * 1024,
  sessionsMax: 1_000,
  sessionIdleMs: 60 * 60_000,
  /** What a host that does not read may hold of our memory before its stream is ended. */
  unreadBytesMax: 16 * 1024 * 1024,
  /** A comment is sent on quiet streams, so that nobody in between ends them. */
  keepAliveMs: 15_000,
} as const;

export type GatewayLimits = Readonly<Record<keyof typeof gatewayLimits, number>>;
