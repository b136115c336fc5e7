import { isObject } from '../../base/json.ts';
import type { Hub, Offered } from '../../hub/hub.ts';
import { splitPair } from '../arguments.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderContent } from '../render/call-result.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { withServerName, type Session } from '../session.ts';
import { textOf } from '../render/text.ts';

/** `plug prompts [SERVER]`: what servers can phrase. */
export async function listPrompts(hub: Hub, server: string | undefined, { out }: Session): Promise<ExitCode> {
  const { prompts } = await withServerName(hub, server ?? '', async () => {
    if (server !== undefined) await hub.servers.get(server);
    return await hub.prompts.list(server === undefined ? {} : { server });
  });
  out.document({ prompts: prompts.map((prompt) => ({ ...prompt.definition, server: prompt.server })) });
  if (out.json) return exitCodes.ok;
  if (prompts.length === 0) out.line('No prompts are known.');
  else {
    const columns = [
      { title: 'SERVER' },
      { title: 'PROMPT' },
      { title: 'ARGUMENTS', flexible: true },
      { title: 'DESCRIPTION', flexible: true },
    ];
    for (const line of renderTable({ columns, rows: prompts.map(rowOf), width: out.width }))
      out.line(...line);
  }
  return exitCodes.ok;
}

export interface PromptArgs {
  readonly server: string;
  readonly name: string;
  readonly pairs: readonly string[];
}

/** `plug prompts SERVER NAME key=value…`: the messages of one prompt. */
export async function getPrompt(hub: Hub, request: PromptArgs, { out, signal }: Session): Promise<ExitCode> {
  const { server, name } = request;
  const args = Object.fromEntries(request.pairs.map(splitPair).map(({ key, value }) => [key, value]));
  const result = await withServerName(hub, server, () => hub.prompts.get({ server, name, args }, { signal }));
  out.document(result);
  const messages = Array.isArray(result['messages']) ? (result['messages'] as readonly unknown[]) : [];
  for (const message of messages) {
    if (!isObject(message)) continue;
    out.line({ style: 'faint', text: `${textOf(message['role'])}: ` }, renderContent(message['content']));
  }
  return exitCodes.ok;
}

function rowOf({ server, definition }: Offered): readonly Cell[] {
  const args = Array.isArray(definition['arguments']) ? (definition['arguments'] as readonly unknown[]) : [];
  const names = args.filter(isObject).map((arg) => `${textOf(arg['name'])}${arg['required'] ? '' : '?'}`);
  return [
    { text: server, style: 'strong' },
    { text: textOf(definition['name']) },
    { text: names.join(' ') },
    { text: textOf(definition['description'] ?? '') },
  ];
}
