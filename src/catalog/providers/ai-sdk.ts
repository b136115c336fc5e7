import type { JSONSchema7, ToolSet } from 'ai';
import { isObject, type JsonObject } from '../../base/json.ts';
import { restoreArguments } from './field-names.ts';
import { forAiSdk } from './render.ts';
import { modelOutput } from './ai-sdk-output.ts';
import type { ShownTool } from './shown-tool.ts';

/** Makes the call; answers with the MCP result. */
export type ExecuteCall = (
  ref: string,
  args: JsonObject,
  options: { readonly toolCallId: string; readonly signal?: AbortSignal },
) => Promise<JsonObject>;

/**
 * Tools that the AI SDK can run by itself. The SDK is large and loaded here, at its first use; a
 * hub that renders nothing is without it.
 */
export async function aiSdkTools(shown: readonly ShownTool[], execute: ExecuteCall): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await import('ai');
  const entries = shown.map((each) => {
    const { name, description, inputSchema } = forAiSdk(each);
    const tool = dynamicTool({
      description,
      // Every JSON Schema is one to the SDK, which does not look into it.
      inputSchema: jsonSchema(inputSchema as JSONSchema7),
      execute: (input, { toolCallId, abortSignal }) =>
        // Arguments of a model are JSON; what is no object is for the check of arguments to refuse.
        execute(each.tool.ref, restoreArguments(each.schema, (isObject(input) ? input : {}) as JsonObject), {
          toolCallId,
          ...(abortSignal ? { signal: abortSignal } : {}),
        }),
      toModelOutput: ({ output }) => modelOutput(output),
    });
    return [name, tool] as const;
  });
  return Object.fromEntries(entries);
}
