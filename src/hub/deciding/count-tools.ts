import type { JsonObject } from '../../base/json.ts';
import { describeForModel } from '../../catalog/describe.ts';
import { renderName } from '../../catalog/names.ts';
import { riskOf } from '../../catalog/risk.ts';
import type { TokenCounter } from '../../catalog/tokens/token-counter.ts';
import { countToolTokens } from '../../catalog/tokens/tool-tokens.ts';
import type { RawTool } from '../../connections/manifest.ts';

/** What it costs a model to be shown each tool, as we would show it. */
export function countTools(
  counter: TokenCounter,
  server: string,
  tools: readonly RawTool[],
): Promise<readonly (number | undefined)[]> {
  return countToolTokens(
    counter,
    tools.map((tool) => shownAs(server, tool)),
  );
}

function shownAs(server: string, tool: RawTool): JsonObject {
  const { title, description, inputSchema = {} } = tool;
  const { risk } = riskOf(tool, { server });
  return {
    name: renderName({ server, tool: tool.name }, 'mcp__server__tool'),
    description: describeForModel({
      server,
      risk,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    }),
    parameters: inputSchema,
  };
}
