import { describeForModel } from '../../catalog/describe.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { renderName } from '../../catalog/names.ts';
import type { ShownTool } from '../../catalog/providers/shown-tool.ts';
import type { Tool, ToolRef } from '../../catalog/tool.ts';
import { visibleTexts } from '../../catalog/visible-texts.ts';
import type { NameForm, RenderedTools, ToolFormat } from '../hub.ts';

export async function renderForModel(
  tools: readonly Tool[],
  { format, names }: { readonly format: ToolFormat; readonly names?: NameForm },
): Promise<RenderedTools> {
  const [{ renderTools }, { PROVIDER_LIMITS }] = await Promise.all([
    import('../../catalog/providers/render.ts'),
    import('../../catalog/providers/provider-limits.ts'),
  ]);
  const provider = format === 'openai-chat' ? 'openai' : format;
  const fits = (name: string): boolean => PROVIDER_LIMITS[provider].name.test(name);
  const openAi = format === 'openai-chat' ? 'chat' : 'responses';
  const rendering = renderTools(shownTools(tools, names, fits), provider, { openAi });
  const tokens = tools.reduce((sum, { tokens: count = 0 }) => sum + count, 0);
  return { ...rendering, tokens };
}

export function shownTools(
  tools: readonly Tool[],
  names: NameForm = 'mcp__server__tool',
  fits: (name: string) => boolean = () => true,
): readonly ShownTool[] {
  return tools.map(seenByPeople).map((tool) => ({
    tool,
    schema: schemaOf(tool),
    name: fittingName({ server: tool.server, tool: tool.name }, names, fits),
    description: describeForModel(tool),
  }));
}

/** What hides something is flagged: only there is anything to be taken out. */
function seenByPeople(tool: Tool): Tool {
  if (tool.flags.length === 0) return tool;
  const { definition, schema } = tool;
  return {
    ...tool,
    definition: visibleTexts(definition),
    ...(schema ? { schema: visibleTexts(schema) } : {}),
  };
}

/** A form that the provider does not take gives way to one that all of them do, and that is read back. */
function fittingName(ref: ToolRef, form: NameForm, fits: (name: string) => boolean): string {
  const wanted = renderName(ref, form);
  return fits(wanted) ? wanted : renderName(ref, 'mcp__server__tool');
}

function schemaOf({ schema, definition }: Tool): JsonObject {
  const own = definition['inputSchema'];
  // JSON came in, so an object is a JsonObject; a tool whose schema is none has a mended one.
  return schema ?? (isObject(own) ? own : { type: 'object' });
}
