import type { Clock } from '../../base/clock.ts';
import type { NameForm } from '../../catalog/names.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { Hub, ToolList } from '../../hub/hub.ts';
import type { Mode, Scope } from '../scope.ts';
import type { Surface } from '../surface.ts';

/** Holds no host's state: shared by a whole scope. */
export interface SurfaceParts {
  readonly hub: Pick<Hub, 'servers' | 'tools' | 'results'>;
  readonly scope: Scope;
  /** The same object while nothing changes. */
  readonly tools: () => Promise<ToolList>;
  readonly search: ToolSearch;
  readonly tokensMax: number;
  readonly names: NameForm;
  /** The scope's one server, passed through under its own names. */
  readonly onlyServer?: string;
  readonly clock?: Clock;
  /** A script's own time in code mode, if not the usual. */
  readonly scriptOwnMs?: number;
  /** How often a tool was called: ranks it. */
  readonly uses?: (ref: string) => number;
}

export type ShownMode = Exclude<Mode, 'auto'>;

/** For `auto`: hosts keep names of the list they saw. */
export interface ModeSurface extends Surface {
  shows(name: string): Promise<boolean>;
  mode(): Promise<ShownMode>;
}

export interface ToolSearch {
  search(request: ToolSearchRequest): Promise<ToolsFound>;
}

export interface ToolSearchRequest {
  readonly queries: readonly string[];
  readonly server?: string;
  readonly risk?: Risk;
  readonly limit: number;
  /** The scope's tools: nothing else is ranked, counted or named. */
  readonly within: ToolList;
  /** How the lines name tools; `server__tool` by default. */
  readonly names?: NameForm;
  /** Who searches: what it then calls is what it searched for. */
  readonly host?: string;
}

export interface ToolsFound {
  /** Best first; `ref` is `server/tool`. */
  readonly hits: readonly { readonly ref: string; readonly line: string }[];
  /** Other tools of the best hits' servers, as `server/tool`. */
  readonly siblings: readonly string[];
  /** Tools that are not read yet. */
  readonly unread?: number;
}

/** Caches a value per tool list; synchronous when it is there. */
export function perList<T>(
  tools: () => Promise<ToolList>,
  make: (list: ToolList) => T | Promise<T>,
): () => T | Promise<T> {
  let last: Made<T> | undefined;
  let lastTools: Promise<ToolList> | undefined;
  return () => {
    const reading = tools();
    // The same promise means the same list: no need to await it.
    if (last && reading === lastTools) return last.ready ? last.ready.value : last.made;
    return reading.then((list) => {
      lastTools = reading;
      if (last?.list === list) return last.made;
      const mine: Made<T> = { list, made: (async () => make(list))(), ready: undefined };
      last = mine;
      mine.made.then(
        (value) => (mine.ready = { value }),
        // Failures are not cached.
        () => {
          if (last === mine) last = undefined;
        },
      );
      return mine.made;
    });
  };
}

interface Made<T> {
  readonly list: ToolList;
  readonly made: Promise<T>;
  ready: { readonly value: T } | undefined;
}
