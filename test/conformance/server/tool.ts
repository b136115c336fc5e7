import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { World } from './world.ts';

/** One request to the fixture, with all that an answer may depend on. */
export interface Asked {
  readonly args: Readonly<Record<string, unknown>>;
  readonly ctx: ServerContext;
  readonly server: Server;
  readonly world: World;
}

type Answer<R> = R | InputRequiredResult | Promise<R | InputRequiredResult>;

export interface FixtureTool {
  readonly definition: Tool;
  readonly run: (asked: Asked) => Answer<CallToolResult>;
}

export interface FixturePrompt {
  readonly definition: Prompt;
  readonly run: (asked: Asked) => Answer<GetPromptResult>;
}

/** The suite prescribes names and answers; the arguments, where there are any, are JSON Schema properties. */
export function tool(
  name: string,
  description: string,
  run: FixtureTool['run'],
  properties: Readonly<Record<string, { readonly type: 'string' }>> = {},
): FixtureTool {
  const inputSchema = { type: 'object' as const, properties, required: Object.keys(properties) };
  return { definition: { name, description, inputSchema }, run };
}

export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

/** What the host of this request can do: said with the request since 2026, with `initialize` before. */
export function capabilitiesOf({ ctx, server }: Asked): ClientCapabilities {
  // The envelope's type does not name its keys; the SDK has checked this one.
  const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared ?? server.getClientCapabilities() ?? {};
}
