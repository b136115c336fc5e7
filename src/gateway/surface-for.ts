import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { ToolList, Hub } from '../hub/hub.ts';
import type { HubView } from './hub-view.ts';
import type { GatewayLimits } from './limits.ts';
import type { Scope } from './scope.ts';
import type { Surface } from './surface.ts';
import { indexedSearch } from './surfaces/indexed-search.ts';
import { instructionsOf } from './surfaces/instructions.ts';
import { openSurface } from './surfaces/open-surface.ts';
import type { ToolSearch } from './surfaces/parts.ts';
import { ignore } from '../base/errors.ts';

/** One server is passed through; of many, as much is shown as fits. */
export function surfaceFor(
  view: HubView,
  scope: Scope,
  { limits, clock }: { readonly limits: GatewayLimits; readonly clock: Clock },
): { readonly surface: Surface; readonly guidance: () => Promise<string | undefined> } {
  const { server, mode } = scope;
  const { search, uses } = shared(view, clock);
  const parts = {
    hub: view.hub,
    scope,
    tools: toolsOf(view, scope),
    search,
    uses: uses.of,
    tokensMax: limits.autoTokensMax,
    names: 'server__tool' as const,
    clock,
    scriptOwnMs: limits.scriptOwnMs,
    ...defined({ onlyServer: server }),
  };
  const surface = openSurface(mode ?? (server === undefined ? 'auto' : 'all'), parts);
  return { surface, guidance: async () => instructionsOf(await surface.mode(), parts) };
}

interface Shared {
  readonly search: ToolSearch;
  readonly uses: Uses;
}

const ofViews = new WeakMap<HubView, Shared>();

/** One history per folder. */
function shared(view: HubView, clock: Clock): Shared {
  const known = ofViews.get(view);
  if (known) return known;
  const uses = new Uses(view.hub, clock);
  const search = indexedSearch({ hub: view.hub, uses: uses.of });
  const made = { search, uses };
  ofViews.set(view, made);
  return made;
}

/** Read once per revision. */
function toolsOf(view: HubView, { profile, server, readOnly }: Scope): () => Promise<ToolList> {
  let known: { readonly revision: number; readonly list: Promise<ToolList> } | undefined;
  return () => {
    if (known?.revision === view.revision) return known.list;
    const list = view.hub.tools.list({ failed: true, ...defined({ profile, server, readOnly }) });
    const mine = { revision: view.revision, list };
    known = mine;
    list.then(undefined, () => {
      if (known === mine) known = undefined;
    });
    return list;
  };
}

/** Recent successful calls: tools in use rank a little higher. */
class Uses {
  readonly #hub: Pick<Hub, 'audit'>;
  readonly #clock: Clock;
  #counts: ReadonlyMap<string, number> = new Map();
  #readAt = -Infinity;

  constructor(hub: Pick<Hub, 'audit'>, clock: Clock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  /** Answers at once; refreshes in the background. */
  readonly of = (ref: string): number => {
    const now = this.#clock.monotonic();
    if (now - this.#readAt > REFRESH_MS) {
      this.#readAt = now;
      ignore(this.#read(), 'without its history every tool counts the same');
    }
    return this.#counts.get(ref) ?? 0;
  };

  async #read(): Promise<void> {
    const counts = new Map<string, number>();
    const { records } = await this.#hub.audit.query({ limit: CALLS_READ });
    for (const { server, tool, outcome } of records) {
      const ref = `${server}/${tool}`;
      if (outcome === 'ok') counts.set(ref, (counts.get(ref) ?? 0) + 1);
    }
    this.#counts = counts;
  }
}

const REFRESH_MS = 5 * 60_000;
const CALLS_READ = 1_000;
