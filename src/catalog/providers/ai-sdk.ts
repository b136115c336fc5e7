import type { JSONSchema7, ToolSet } from 'ai';
import { isObject, type JsonObject } from '../../base/json.ts';
import { restoreArguments } from './field-names.ts';
import { forAiSdk } from './render.ts';
import { modelOutput } from './ai-sdk-output.ts';
import type { ShownTool } from './shown-tool.ts';

export type ExecuteCall = (
  ref: string,
  args: JsonObject,
  options: { readonly toolCallId: string; readonly signal?: AbortSignal },
) => Promise<JsonObject>;

/** The AI SDK is large and loaded on first use. */
export async function aiSdkTools(shown: readonly ShownTool[], execute: ExecuteCall): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await import('ai');
  const entries = shown.map((each) => {
    const { name, description, inputSchema } = forAiSdk(each);
    const tool = dynamicTool({
      description,
      // The SDK accepts every JSON Schema.
      inputSchema: jsonSchema(inputSchema as JSONSchema7),
      execute: (input, { toolCallId, abortSignal }) =>
        // Non-objects are refused by the argument check.
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
