import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { resultValue } from '../catalog/learned/result-value.ts';
import type { Hub, NameForm, ToolQuery } from './hub.ts';
import { aiSdkTools } from '../catalog/providers/ai-sdk.ts';
import { shownTools } from './decisions/render-tools.ts';

export interface TypedCallOptions {
  readonly signal?: AbortSignal;
  /** Default: the server's default account. */
  readonly account?: string;
  readonly timeoutMs?: number;
  /** `wait`: until a person has answered. Default: as the hub was opened. */
  readonly approval?: 'wait' | 'refuse';
}

/**
 * `servers.github.create_issue({ title })`, typed by `plug types`. Answers with the structured content, else
 * with the text where that is JSON, else with the content. A tool's own error is thrown.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the caller knows the type
export function typedClient<Servers extends object>(hub: Pick<Hub, 'tools'>): Servers {
  const servers = new Map<string, object>();
  const methodsOf = (server: string): object =>
    named((tool) => (args?: JsonObject, options?: TypedCallOptions) => {
      return callTool(hub, `${server}/${tool}`, args, options);
    });
  const serverOf = (server: string): object => {
    const known = servers.get(server) ?? methodsOf(server);
    servers.set(server, known);
    return known;
  };
  return named(serverOf) as Servers; // the type says which of the names there are
}

async function callTool(
  hub: Pick<Hub, 'tools'>,
  tool: string,
  args: JsonObject = {},
  { signal, ...asked }: TypedCallOptions = {},
): Promise<unknown> {
  // A preview would not have the type that was promised.
  const request = { tool, args, whole: true, ...asked };
  const { result, isError, server, hint } = await hub.tools.call(request, signal ? { signal } : {});
  if (!isError) return resultValue(result, Number.POSITIVE_INFINITY);
  throw new PlugError('server_error', `${tool} reported an error: ${resultText(result)}`, {
    owner: 'server',
    server,
    remedy: hint?.remedy ?? { do: 'call', tool },
    details: { result },
  });
}

function resultText({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? (content as readonly JsonObject[]) : [];
  const texts = blocks.map(({ text }) => text).filter((text) => typeof text === 'string');
  return texts.join(' ').slice(0, ERROR_CHARS_MAX);
}

const ERROR_CHARS_MAX = 1_000;

/** Any name is there. `then` is not, so that the object can be awaited; nor are symbols. */
function named(valueOf: (name: string) => unknown): object {
  return new Proxy(Object.freeze({}), {
    get: (_target, name) => (typeof name === 'symbol' || name === 'then' ? undefined : valueOf(name)),
    has: (_target, name) => typeof name === 'string' && name !== 'then',
  });
}

export interface ToolSetOptions extends ToolQuery {
  readonly names?: NameForm;
  /** Default `wait`: a call that needs an approval waits for a person. */
  readonly approval?: 'wait' | 'refuse';
}

/** The AI SDK's `ToolSet` by its shape: whoever uses the library without the SDK needs none of its types. */
export type ToolSet = Record<string, AiSdkTool>;

/* oxlint-disable typescript/no-explicit-any -- each must fit what any version of the SDK declares */
interface AiSdkTool {
  type: 'dynamic';
  description?: string;
  inputSchema: any;
  execute: (input: any, options: any) => Promise<any>;
  toModelOutput?: (options: any) => any;
}
/* oxlint-enable typescript/no-explicit-any */

/** Every offered tool as the AI SDK runs it: `generateText({ tools: await toolSet(hub) })`. */
export async function toolSet(hub: Hub, options: ToolSetOptions = {}): Promise<ToolSet> {
  const { names, approval = 'wait', ...query } = options;
  const { tools } = await hub.tools.list(query);
  const set = await aiSdkTools(shownTools(tools, names), async (tool, args, { signal }) => {
    const request = { tool, args, approval, forModel: true };
    const { result } = await hub.tools.call(request, signal ? { signal } : {});
    return result;
  });
  return set as ToolSet; // dynamic tools, each with a function that runs it
}
