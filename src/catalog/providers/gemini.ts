import type { JsonObject } from '../../base/json.ts';
import { geminiParameters } from './gemini-schema.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool } from './shown-tool.ts';

/** One entry of `functionDeclarations`. */
export interface GeminiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters?: JsonObject;
}

/** Google, reference of `FunctionDeclaration`. */
export function forGemini({ tool, name, description, schema }: ShownTool): GeminiFunction {
  const { parameters, lost } = geminiParameters(schema);
  return {
    name: fitName(name, tool.ref, PROVIDER_LIMITS.gemini),
    description: [description, ...lost].join(' '),
    ...(parameters ? { parameters } : {}),
  };
}
