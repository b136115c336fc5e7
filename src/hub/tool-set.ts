import type { ToolSet } from 'ai';
import { aiSdkTools } from '../catalog/providers/ai-sdk.ts';
import { shownTools } from './deciding/render-tools.ts';
import type { Hub, NameForm, ToolQuery } from './hub.ts';

export interface ToolSetOptions extends ToolQuery {
  readonly names?: NameForm;
  /** Default `wait`: a call that needs an approval waits for a person. */
  readonly approval?: 'wait' | 'refuse';
}

/**
 * Every tool that is offered, as the AI SDK runs them: `generateText({ tools: await toolSet(hub) })`.
 * Each call goes the way of all calls, and its result is marked as what a server said.
 */
export async function toolSet(hub: Hub, options: ToolSetOptions = {}): Promise<ToolSet> {
  const { names, approval = 'wait', ...query } = options;
  const { tools } = await hub.tools.list(query);
  return aiSdkTools(shownTools(tools, names), async (tool, args, { signal }) => {
    const { result } = await hub.tools.call(
      { tool, args, approval, forModel: true },
      signal ? { signal } : {},
    );
    return result;
  });
}
