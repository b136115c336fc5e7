import type { JsonObject } from '../../base/json.ts';
import { appUri, isForAppOnly } from '../../catalog/app-tools.ts';
import { shownTools } from '../../hub/decisions/render-tools.ts';
import type { ToolList, ToolView } from '../../hub/hub.ts';
import { byServerAndName, LISTED, passedThrough, shownTool } from './listed-tools.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { READ_RESULT, readResultTool } from './read-result.ts';

/**
 * Hosts find an app by the listed tool that it belongs to. So a host that shows apps gets those tools in
 * every mode, beside what the mode shows. Tools for apps alone are listed to such a host, which keeps
 * them from its model, and to no other.
 */
export function withApps(open: (parts: SurfaceParts) => ModeSurface, parts: SurfaceParts): ModeSurface {
  const surface = open({ ...parts, tools: forModels(parts.tools) });
  const withTheirs = perList(parts.tools, async ({ tools }): Promise<ShownApps> => {
    const own = await surface.list();
    const names = new Set(own.map(({ name }) => name));
    const offered = tools.filter(({ definition }) => isForAppOnly(definition) || appUri(definition));
    const beside = listed(offered, parts).filter(({ definition }) => !names.has(definition['name']));
    // Their results may be cut, which a script's are not.
    const reader = beside.length === 0 || names.has(READ_RESULT) ? [] : [readResultTool];
    return {
      definitions: [...own, ...beside.map(({ definition }) => definition), ...reader],
      refs: new Map(beside.map(({ definition, ref }) => [definition['name'], ref])),
    };
  });
  return {
    ...surface,
    list: async (host) => (host?.showsApps ? (await withTheirs()).definitions : surface.list()),
    shows: async (name) => (await surface.shows(name)) || (await withTheirs()).refs.has(name),
    call: (name, args, make) => {
      const call = ({ refs }: ShownApps): Promise<JsonObject> => {
        const ref = refs.get(name);
        return ref === undefined ? surface.call(name, args, make) : make.call(ref, args, LISTED);
      };
      const shown = withTheirs();
      return shown instanceof Promise ? shown.then(call) : call(shown);
    },
  };
}

interface ShownApps {
  readonly definitions: readonly JsonObject[];
  /** Of the tools that only a host with apps is shown. */
  readonly refs: ReadonlyMap<unknown, string>;
}

function listed(tools: readonly ToolView[], { onlyServer, names }: SurfaceParts) {
  return onlyServer === undefined
    ? shownTools(tools.toSorted(byServerAndName), names).map((shown) => ({
        definition: shownTool(shown),
        ref: shown.tool.ref,
      }))
    : tools.map((tool) => ({ definition: passedThrough(tool), ref: tool.ref }));
}

/** The same promise for the same promise, so that what is made for a list is found again. */
function forModels(tools: SurfaceParts['tools']): SurfaceParts['tools'] {
  let last: { readonly of: Promise<ToolList>; readonly made: Promise<ToolList> } | undefined;
  return () => {
    const of = tools();
    if (last?.of !== of) last = { of, made: of.then(withoutAppOnly) };
    return last.made;
  };
}

/** The same list for the same list. */
export function withoutAppOnly(list: ToolList): ToolList {
  const known = filtered.get(list);
  if (known) return known;
  const tools = list.tools.filter(({ definition }) => !isForAppOnly(definition));
  const made = tools.length === list.tools.length ? list : { ...list, tools };
  filtered.set(list, made);
  return made;
}

const filtered = new WeakMap<ToolList, ToolList>();
