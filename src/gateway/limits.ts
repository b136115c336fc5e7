import { codeLimits } from './code/limits.ts';

export const gatewayLimits = {
  pageItemsMax: 1_000,
  listTtlMs: 60_000,
  /** Changes within this time are announced as one. */
  changesTogetherMs: 100,
  /** Above this, `auto` takes a leaner mode. */
  autoTokensMax: 8_000,
  /** What a script may compute, without waiting for its calls. */
  scriptOwnMs: codeLimits.ownMs,

  /** When a call waiting for its host is given up. */
  parkedMs: 10 * 60_000,
  /** Of one principal; the oldest are given up. */
  parkedCallsMax: 1_000,
  /** Progress notes while waiting for approval. */
  waitingNoteMs: 10_000,
  /** A host without a progress token is answered before it gives up. */
  silentWaitMs: 45_000,
  openScopesMax: 100,
  /** Of all hosts; the oldest are forgotten. */
  tasksMax: 10_000,
  listenersMax: 1_000,
  watchedResourcesMax: 1_000,
  /** Cache time of a resource from a legacy server. */
  readTtlMs: 0,
  hostCallsAtOnceMax: 1_000,
  /** Idle identities of modern hosts are forgotten. */
  modernHostIdleMs: 10 * 60_000,
  modernHostLeasesMax: 32,

  bodyBytesMax: 16 * 1024 * 1024,
  sessionsMax: 1_000,
  sessionIdleMs: 60 * 60_000,
  /** Unread output before a stream is ended. */
  unreadBytesMax: 16 * 1024 * 1024,
  /** Interval of comments on quiet streams, for proxies. */
  keepAliveMs: 15_000,
} as const;

export type GatewayLimits = Readonly<Record<keyof typeof gatewayLimits, number>>;
