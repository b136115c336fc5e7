import { sentenceOf } from '../base/remedy-sentence.ts';
import type { JsonObject } from '../base/json.ts';
import { textAnswer, textArgument } from '../gateway/surfaces/answers.ts';
import type { TurnParts } from './parts.ts';
import { suggestServers } from './suggest.ts';

export const SUGGEST_SERVER = 'suggest_server';

/** For what no tool here can do. Every word costs every turn. */
export const suggestServerTool: JsonObject = {
  name: SUGGEST_SERVER,
  description: 'When no tool here can do something: names servers that the person could connect for it.',
  inputSchema: {
    type: 'object',
    properties: { need: { type: 'string', description: 'The service, such as “Jira”' } },
    required: ['need'],
  },
};

export async function suggestServer(
  { hub, events }: Pick<TurnParts, 'hub' | 'events'>,
  args: JsonObject,
): Promise<JsonObject> {
  const suggestions = await suggestServers(hub, textArgument(args, 'need', SUGGEST_SERVER), { isNeed: true });
  if (suggestions.length === 0)
    return textAnswer('No server is known for that. The user can search for one.');
  events.tell({ kind: 'suggestion', suggestions });
  const lines = suggestions.map(({ name, why, remedy }) => `- ${name}: ${why} ${sentenceOf(remedy)}`);
  return textAnswer(`Tell the person about these; you cannot connect them yourself.\n${lines.join('\n')}`);
}
