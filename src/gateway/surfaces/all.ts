import { toPlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { renderName } from '../../catalog/names.ts';
import { shownTools } from '../../hub/decisions/render-tools.ts';
import { byServerAndName, LISTED, passedThrough, shownTool } from './listed-tools.ts';
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
        if (ref !== undefined) return make.call(ref, args, LISTED);
        return name === READ_RESULT
          ? readResult(args, { results: hub.results, scope, known })
          : make.call(known.find(name), args, LISTED);
      }),
  };
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
