import type { Clock } from '../../base/clock.ts';
import type { NameForm } from '../../catalog/names.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { Hub, ToolList } from '../../hub/hub.ts';
import type { Mode, Scope } from '../scope.ts';
import type { Surface } from '../surface.ts';

/** What a surface is made of. It holds no state of any host: it is the same for all of its scope. */
export interface SurfaceParts {
  readonly hub: Pick<Hub, 'servers' | 'tools' | 'results'>;
  readonly scope: Scope;
  /** The tools of the scope; the same object for as long as nothing has changed. */
  readonly tools: () => Promise<ToolList>;
  readonly search: ToolSearch;
  /** The budget of `auto`. */
  readonly tokensMax: number;
  /** How tools are named for hosts. */
  readonly names: NameForm;
  /** The one server of the scope: it is passed through as it is, under its own names. */
  readonly onlyServer?: string;
  /** For what code mode lets run. */
  readonly clock?: Clock;
  /** How often a tool was really called, for what is named first. */
  readonly uses?: (ref: string) => number;
}

export type ShownMode = Exclude<Mode, 'auto'>;

/** A surface that can tell which names are its own, for `auto`: hosts keep names of the list they saw. */
export interface ModeSurface extends Surface {
  shows(name: string): Promise<boolean>;
  /** What it is now, for what is said about it. */
  mode(): Promise<ShownMode>;
}

/** Finds tools by what they are for. */
export interface ToolSearch {
  search(request: ToolSearchRequest): Promise<ToolsFound>;
}

export interface ToolSearchRequest {
  readonly queries: readonly string[];
  readonly server?: string;
  readonly risk?: Risk;
  readonly limit: number;
  /** The tools of the scope: nothing else is ranked, counted or named. */
  readonly within: ToolList;
}

export interface ToolsFound {
  /** Best first; `ref` is `server/tool`, the line names the tool as hosts call it. */
  readonly hits: readonly { readonly ref: string; readonly line: string }[];
  /** What the servers of the best hits offer besides, `server/tool` each. */
  readonly siblings: readonly string[];
}
