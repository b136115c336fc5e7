import { big, drops, endlessSse, gzipBomb, hangs, rateLimited, redirects, unauthorized } from './bad.ts';
import type { MakeBehaviour } from './behavior.ts';
import { legacySse } from './legacy-sse.ts';
import { dual, legacyStatefulJson, legacyStatefulSse, legacyStateless, modern } from './streamable.ts';
import { websocket } from './websocket.ts';

export const good: Record<string, MakeBehaviour> = {
  modern,
  dual,
  'legacy-stateful-sse': legacyStatefulSse,
  'legacy-stateful-json': legacyStatefulJson,
  'legacy-stateless': legacyStateless,
  'legacy-sse': legacySse,
  websocket,
};

/** These take a good one as their ground. */
export const bad: Record<string, (inner: MakeBehaviour) => MakeBehaviour> = {
  // The stateful servers can all forget and all can die: these names say what a test is about.
  'forgets-session': (inner) => inner,
  dies: (inner) => inner,
  'rate-limited': rateLimited,
  unauthorized,
  big,
  'endless-sse': endlessSse,
  'gzip-bomb': gzipBomb,
  redirects: () => redirects,
  hangs,
  drops,
};
