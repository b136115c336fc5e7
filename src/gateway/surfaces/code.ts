import { defined } from '../../base/defined.ts';
import { systemClock } from '../../base/clock.ts';
import { renderName } from '../../catalog/names.ts';
import type { ToolView } from '../../hub/hub.ts';
import { codeLimits } from '../code/limits.ts';
import { ShownTools } from './shown-tools.ts';
import { surfaceLimits } from './limits.ts';
import { type ModeSurface, type SurfaceParts, perList } from './parts.ts';
import { READ_RESULT, readResult } from './read-result.ts';

export function codeSurface(parts: SurfaceParts): ModeSurface {
  const { hub, scope, tools, names, search, clock = systemClock } = parts;
  const limits = { ...codeLimits, ...defined({ ownMs: parts.scriptOwnMs }) };
  const shown = perList(tools, async (list) => {
    const { codeTool, declarationsWithin } = await loaded();
    const declarations = declarationsWithin(list.tools, surfaceLimits.declarationsCharsMax);
    return {
      definitions: [codeTool(declarations)],
      known: new ShownTools(list, (tool) => renderName(tool, names)),
    };
  });
  return {
    list: async () => (await shown()).definitions,
    mode: () => Promise.resolve('code'),
    shows: async (name) => name === (await loaded()).CODE_TOOL_NAME,
    call: async (name, args, make) => {
      const [{ CODE_TOOL_NAME, runCodeTool }, { known }] = await Promise.all([loaded(), shown()]);
      if (name === READ_RESULT) return readResult(args, { results: hub.results, scope, known });
      // A host that saw another list may call a tool by name.
      if (name !== CODE_TOOL_NAME) return make.call(known.find(name), args);
      return runCodeTool(args, {
        tools: () => Promise.resolve(known.list.tools),
        search: async (query, limit): Promise<readonly ToolView[]> => {
          const asked = { queries: [query], limit, within: known.list, ...defined({ host: make.host }) };
          const { hits } = await search.search(asked);
          return hits.flatMap(({ ref }) => known.tool(ref) ?? []);
        },
        call: (ref, input, signal) => make.call(ref, input, { signal, whole: true }),
        clock,
        limits,
        signal: make.signal,
        onProgress: ({ message }) => {
          if (message !== undefined) make.note(message);
        },
      });
    },
  };
}

/** Loaded with the first host of code mode. */
function loaded(): Promise<typeof import('../code/code-tool.ts')> {
  return import('../code/code-tool.ts');
}
