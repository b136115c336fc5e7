import { toPlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { renderName } from '../../catalog/names.ts';
import { forMcp } from '../../catalog/providers/mcp.ts';
import type { ShownTool } from '../../catalog/providers/shown-tool.ts';
import { parseToolRef } from '../../catalog/tool.ts';
import { visibleTexts } from '../../catalog/visible-texts.ts';
import { shownTools } from '../../hub/decisions/render-tools.ts';
import type { ToolView } from '../../hub/hub.ts';
import { mapUris, namespacedUris } from '../uris.ts';
import { ShownTools } from './shown-tools.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { READ_RESULT, readResult, readResultTool } from './read-result.ts';

export function allSurface({ tools, names, scope, hub }: SurfaceParts): ModeSurface {
  const shown = perList(tools, (list) => {
    const rendered = shownTools(list.tools.toSorted(byServerAndName), names);
    return {
      definitions: [...rendered.map(shownTool), readResultTool],
      refs: new Map(rendered.map(({ name, tool }) => [name, tool.ref])),
      known: new ShownTools(list, (tool) => renderName(tool, names)),
    };
  });
  return {
    list: async () => (await shown()).definitions,
    mode: () => Promise.resolve('all'),
    shows: async (name) => name === READ_RESULT || (await shown()).refs.has(name),
    call: (name, args, make) =>
      whenShown(shown(), ({ refs, known }) => {
        const ref = refs.get(name);
        if (ref !== undefined) return make.call(ref, args);
        return name === READ_RESULT
          ? readResult(args, { results: hub.results, scope, known })
          : make.call(known.find(name), args);
      }),
  };
}

function shownTool(shown: ShownTool): JsonObject {
  const { server } = parseToolRef(shown.tool.ref);
  return mapUris(forMcp(shown), (uri) => namespacedUris.out(server, uri));
}

export function oneServerSurface({ tools, onlyServer = '' }: SurfaceParts): ModeSurface {
  const shown = perList(tools, (list) => ({
    definitions: list.tools.map(passedThrough),
    refs: new Map(list.tools.map(({ name, ref }) => [name, ref])),
    known: new ShownTools(list, ({ tool }) => tool),
  }));
  return {
    list: async () => (await shown()).definitions,
    mode: () => Promise.resolve('all'),
    shows: async (name) => (await shown()).refs.has(name),
    call: (name, args, make) =>
      whenShown(shown(), ({ refs, known }) =>
        make.call(refs.get(name) ?? known.findOf(onlyServer, name), args),
      ),
  };
}

/** Nearly every call finds the list ready. */
function whenShown<T>(shown: T | Promise<T>, call: (shown: T) => Promise<JsonObject>): Promise<JsonObject> {
  if (shown instanceof Promise) return shown.then(call);
  try {
    return call(shown);
  } catch (error) {
    return Promise.reject(toPlugError(error));
  }
}

/** Only schemas that hosts would refuse are fixed, and hidden characters removed. */
function passedThrough({ definition, schema, flags }: ToolView): JsonObject {
  const whole = schema ? { ...definition, inputSchema: schema } : definition;
  return flags.some(({ kind }) => kind === 'hidden_characters') ? visibleTexts(whole) : whole;
}

/** A stable order: hosts cache the start of their model's prompt. */
function byServerAndName(a: ToolView, b: ToolView): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
