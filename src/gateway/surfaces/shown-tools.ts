import type { Remedy } from '../../base/remedy.ts';
import { PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { NameIndex, parseName } from '../../catalog/names-index.ts';
import type { ToolRef, WithheldTool } from '../../catalog/tool.ts';
import type { ToolList, ToolView } from '../../hub/hub.ts';
import { surfaceLimits } from './limits.ts';

/** A scope's tools by any form of their names, with reasons for missing ones. */
export class ShownTools {
  readonly list: ToolList;
  readonly servers: ReadonlySet<string>;
  readonly #nameOf: (tool: ToolRef) => string;
  readonly #byRef: ReadonlyMap<string, ToolView>;
  readonly #index: NameIndex;

  constructor(list: ToolList, nameOf: (tool: ToolRef) => string) {
    this.list = list;
    const all = [...list.tools, ...list.withheld, ...list.unavailable];
    this.servers = new Set(all.map(({ server }) => server));
    this.#nameOf = nameOf;
    this.#byRef = new Map(list.tools.map((tool) => [tool.ref, tool]));
    this.#index = new NameIndex(() => [...list.tools, ...list.withheld].map(partsOf));
  }

  tool(ref: string): ToolView | undefined {
    return this.#byRef.get(ref);
  }

  nameOf(tool: ToolView): string {
    return this.#nameOf(partsOf(tool));
  }

  /** Accepts any form of the name; throws why there is none. */
  find(name: string): string {
    const parsed = parseName(name, this.#index);
    if (parsed && this.#isCallable(parsed)) return refOf(parsed);
    throw this.#whyAbsent(name, parsed, this.list.tools);
  }

  /** Within one server, where its own names come first. */
  findOf(server: string, name: string, otherwise?: Remedy): string {
    const own = { server, tool: name };
    if (this.#isCallable(own)) return refOf(own);
    const parsed = parseName(name, this.#index);
    if (parsed?.server === server && this.#isCallable(parsed)) return refOf(parsed);
    const tools = this.list.tools.filter((tool) => tool.server === server);
    throw this.#whyAbsent(name, own, tools, otherwise);
  }

  /** Includes unavailable servers, whose state the hub explains, and read-only bars, which it records. */
  #isCallable(parsed: ToolRef): boolean {
    const ref = refOf(parsed);
    if (this.#byRef.has(ref)) return true;
    if (this.list.withheld.some((tool) => tool.ref === ref && tool.cause === 'read_only')) return true;
    const isMissing = this.list.unavailable.some(({ server }) => server === parsed.server);
    return isMissing && !this.list.withheld.some((tool) => tool.ref === ref);
  }

  #whyAbsent(
    name: string,
    parsed: ToolRef | undefined,
    among: readonly ToolView[],
    otherwise: Remedy = { do: 'say', text: 'Read the list of tools again: it may have changed.' },
  ): PlugError {
    const withheld = parsed && this.list.withheld.find((tool) => tool.ref === refOf(parsed));
    if (withheld) return withheldError(withheld);
    const shown = name.slice(0, surfaceLimits.nameCharsShown);
    const near = this.#near(name, parsed, among);
    return new PlugError('not_found', `There is no tool “${shown}” here. ${didYouMean(near)}`.trimEnd(), {
      owner: 'you',
      remedy: near.length > 0 ? { do: 'say', text: `Call ${near[0]}.` } : otherwise,
      details: { near },
    });
  }

  #near(name: string, parsed: ToolRef | undefined, among: readonly ToolView[]): readonly string[] {
    const asked = (parsed?.tool ?? name).toLowerCase();
    const words = asked.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length > 2);
    const isLikely = ({ server, name: own }: ToolView): boolean =>
      server === parsed?.server || words.some((word) => own.toLowerCase().includes(word));
    const likely = among.filter(isLikely);
    const candidates = (likely.length > 0 ? likely : among).slice(0, surfaceLimits.namesComparedMax);
    const names = candidates.map((tool) => this.nameOf(tool));
    const near = suggest(name, names);
    if (near.length > 0) return near;
    // The server may be wrong and the name right.
    const same = candidates.filter((tool) => tool.name.toLowerCase() === asked);
    return same.slice(0, SAME_SHOWN).map((tool) => this.nameOf(tool));
  }
}

export function partsOf({ server, name }: { readonly server: string; readonly name: string }): ToolRef {
  return { server, tool: name };
}

function withheldError({ ref, server, reason, remedy, cause }: WithheldTool): PlugError {
  const byServer = cause === 'changed' || cause === 'gone' || cause === 'bad_schema';
  return new PlugError(cause === 'changed' ? 'denied' : 'not_found', `${ref} is not offered: ${reason}`, {
    owner: byServer ? 'server' : 'you',
    server,
    remedy,
    details: { cause },
  });
}

function refOf({ server, tool }: ToolRef): string {
  return `${server}/${tool}`;
}

const SAME_SHOWN = 3;
