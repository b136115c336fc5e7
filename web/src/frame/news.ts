import type { HubEvent, ServerState } from '../hub/hub-context.tsx';

export interface NewsItem {
  readonly server: string;
  readonly kind: 'failed' | 'recovered' | 'sign-in' | 'changed';
  /** Why, in a sentence of the hub; for `changed`: how many tools. */
  readonly reason: string;
  readonly tools?: number;
}

type Kind = ServerState['kind'];

/** After something was said of a server, it is left alone for as long. */
const CALM_MS = 30_000;

/**
 * What is worth telling of the servers. It looks at where a server has ended up, not at each step
 * on the way, so that ten changes a second are one piece of news.
 */
export class News {
  readonly #latest = new Map<string, ServerState>();
  readonly #changed = new Set<string>();
  /** The last state of which it is known that somebody could have seen it. */
  readonly #told = new Map<string, Kind>();
  readonly #calmUntil = new Map<string, number>();

  /** Whether there is something to look at. */
  hear(event: HubEvent): boolean {
    if (event.kind === 'server-state') {
      this.#latest.set(event.server, event.state);
      return true;
    }
    if (event.kind !== 'manifest-change' || event.changed.length === 0) return false;
    this.#changed.add(event.server);
    return true;
  }

  async take(
    now: number,
    changedTools: (server: string) => Promise<number>,
  ): Promise<{ readonly items: readonly NewsItem[]; readonly later: number | undefined }> {
    const items: NewsItem[] = [];
    let later: number | undefined;
    for (const [server, state] of this.#latest) {
      const calm = (this.#calmUntil.get(server) ?? 0) - now;
      if (calm > 0) {
        later = Math.min(later ?? calm, calm);
        continue;
      }
      this.#latest.delete(server);
      const kind = newsOf(this.#told.get(server), state.kind);
      if (state.kind !== 'starting') this.#told.set(server, state.kind);
      if (kind === undefined) continue;
      this.#calmUntil.set(server, now + CALM_MS);
      items.push({ server, kind, reason: state.reason });
    }
    for (const server of this.#changed) {
      this.#changed.delete(server);
      const tools = await changedTools(server);
      if (tools > 0) items.push({ server, kind: 'changed', reason: '', tools });
    }
    return { items, later };
  }
}

function newsOf(before: Kind | undefined, now: Kind): NewsItem['kind'] | undefined {
  if (before === now) return undefined;
  if (now === 'failed') return 'failed';
  if (now === 'ready') return before === 'failed' ? 'recovered' : undefined;
  // One that was never signed in is no news: whoever added it was told.
  if (now === 'needs-sign-in') return before === 'ready' || before === 'asleep' ? 'sign-in' : undefined;
  return undefined;
}
