import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import { type Asked, capabilitiesOf, type FixtureTool, text, tool } from './tool.ts';

const STEP_MS = 50;

/** Tools that say something while they work, or change what the server offers. */
export const flowTools: readonly FixtureTool[] = [
  tool('test_tool_with_logging', 'Writes three log messages.', async (asked) => {
    await log(asked, 'Tool execution started');
    await sleep(STEP_MS);
    await log(asked, 'Tool processing data');
    await sleep(STEP_MS);
    await log(asked, 'Tool execution completed');
    return text('Logged three messages.');
  }),
  tool('test_logging_tool', 'Writes a log message to a host that wants one.', async (asked) => {
    await log(asked, 'A message for those who asked for messages');
    return text('Logged.');
  }),
  tool('test_tool_with_progress', 'Reports progress.', async (asked) => {
    await progress(asked, 0);
    await sleep(STEP_MS);
    await progress(asked, 50);
    await sleep(STEP_MS);
    await progress(asked, 100);
    return text('Done in three steps.');
  }),
  tool('test_missing_capability', "Needs the host's model.", (asked) => {
    if (!capabilitiesOf(asked).sampling) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    return text('The host has a model.');
  }),
  tool('test_streaming_elicitation', 'Reports progress and then asks the person.', async (asked) => {
    if (asked.ctx.mcpReq.inputResponses?.['answer'] !== undefined) return text('Answered.');
    await progress(asked, 1);
    const requestedSchema = {
      type: 'object' as const,
      properties: { answer: { type: 'string' as const } },
    };
    const answer = inputRequired.elicit({ message: 'Say something.', requestedSchema });
    return inputRequired({ inputRequests: { answer } });
  }),
  tool('test_trigger_tool_change', 'Lets a tool come or go.', ({ world }) => {
    world.extraTool = !world.extraTool;
    for (const listener of world.listeners) listener.toolsChanged();
    return text('The tools have changed.');
  }),
  tool('test_trigger_prompt_change', 'Lets a prompt come or go.', ({ world }) => {
    world.extraPrompt = !world.extraPrompt;
    for (const listener of world.listeners) listener.promptsChanged();
    return text('The prompts have changed.');
  }),
];

async function log({ ctx }: Asked, message: string): Promise<void> {
  await ctx.mcpReq.log('info', message, 'fixture');
}

async function progress({ ctx }: Asked, done: number): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await ctx.mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken, progress: done, total: 100 },
  });
}
