import { searchLimits } from './limits.ts';
import type { Hit } from './rank.ts';
import { searchMany, type SearchManyOptions } from './search-many.ts';
import type { ToolIndex } from './tool-index.ts';

export interface NamedTool {
  readonly id: string;
  readonly name: string;
}

export interface Siblings {
  readonly server: string;
  readonly tools: readonly NamedTool[];
  readonly more: number;
}

/** Other tools of the best servers, so that a model needs no second search. */
export function siblings(
  index: ToolIndex,
  hits: readonly Hit[],
  options: SearchManyOptions,
): readonly Siblings[] {
  const found = new Set(hits.map(({ document }) => document.id));
  // A foreign list may have tools without a server.
  const servers = [...new Set(hits.map(({ document }) => document.server))].filter((id) => id !== '');
  const queues = servers.slice(0, searchLimits.siblingServersMax).map((server) => ({
    server,
    waiting: othersOf(index, server, options).filter(({ id }) => !found.has(id)),
    tools: [] as NamedTool[],
  }));
  let room: number = searchLimits.siblingCharsMax;
  // First each server leaves room for the next; the rest goes to the best.
  for (const share of [FIRST_SHARE, 1]) {
    for (const { waiting, tools } of queues) {
      const until = room * (1 - share);
      for (let next = waiting[0]; next && room - next.name.length - 2 >= until; next = waiting[0]) {
        tools.push(next);
        room -= next.name.length + 2;
        waiting.shift();
      }
    }
  }
  return queues
    .filter(({ tools }) => tools.length > 0)
    .map(({ server, tools, waiting }) => ({ server, tools, more: waiting.length }));
}

/** Matches first, then the rest by name; only visible ones. */
function othersOf(index: ToolIndex, server: string, options: SearchManyOptions): NamedTool[] {
  const { allowed, risk } = options;
  const fitting = searchMany(index, { ...options, server, limit: searchLimits.hitsMax });
  const rest = index
    .toolsOf(server)
    .filter((document) => (allowed?.(document) ?? true) && (risk === undefined || document.risk === risk));
  const all = new Map([...fitting.map(({ document }) => document), ...rest].map((one) => [one.id, one]));
  return [...all.values()].map(({ id, name }) => ({ id, name }));
}

const FIRST_SHARE = 0.5;
