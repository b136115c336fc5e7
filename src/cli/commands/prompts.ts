import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import type { Hub, Offered } from '../../hub/hub.ts';
import { splitPair } from '../arguments.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderContent } from '../render/call-result.ts';
import { flexible, printTable } from '../render/table.ts';
import { listOf, withServerName, type OfServer, type Session } from '../session.ts';
import { textOrJson } from '../render/text.ts';
import { faint, strong, type Piece } from '../output.ts';

interface PromptsArgs extends OfServer {
  readonly name?: string;
  readonly pairs: readonly string[];
}

/** `plug prompts [SERVER]`: what servers can phrase; with a name and key=value…, its messages. */
export async function prompts(hub: Hub, args: PromptsArgs, session: Session): Promise<ExitCode> {
  const { server, name, pairs } = args;
  if (server !== undefined && name !== undefined)
    return await getPrompt(hub, { server, name, pairs }, session);
  return await listPrompts(hub, defined({ server }), session);
}

async function listPrompts(hub: Hub, of: OfServer, { out }: Session): Promise<ExitCode> {
  const { prompts: found } = await listOf(hub, of, () => hub.prompts.list(of));
  out.document({ prompts: found.map((prompt) => ({ ...prompt.definition, server: prompt.server })) });
  if (out.json) return exitCodes.ok;
  if (found.length === 0) out.line('No prompts are known.');
  else {
    const columns = ['SERVER', 'PROMPT', flexible('ARGUMENTS'), flexible('DESCRIPTION')];
    printTable(out, columns, found.map(rowOf));
  }
  return exitCodes.ok;
}

interface PromptArgs {
  readonly server: string;
  readonly name: string;
  readonly pairs: readonly string[];
}

async function getPrompt(hub: Hub, request: PromptArgs, { out, signal }: Session): Promise<ExitCode> {
  const { server, name } = request;
  const args = Object.fromEntries(request.pairs.map(splitPair).map(({ key, value }) => [key, value]));
  const result = await withServerName(hub, server, () => hub.prompts.get({ server, name, args }, { signal }));
  out.document(result);
  const messages = Array.isArray(result['messages']) ? (result['messages'] as readonly unknown[]) : [];
  for (const message of messages) {
    if (!isObject(message)) continue;
    out.quote(renderContent(message['content']), {
      lead: [faint(`${textOrJson(message['role'])}: `)],
    });
  }
  return exitCodes.ok;
}

function rowOf({ server, definition }: Offered): readonly Piece[] {
  const args = Array.isArray(definition['arguments']) ? (definition['arguments'] as readonly unknown[]) : [];
  const names = args.filter(isObject).map((arg) => `${textOrJson(arg['name'])}${arg['required'] ? '' : '?'}`);
  return [
    strong(server),
    textOrJson(definition['name']),
    names.join(' '),
    textOrJson(definition['description'] ?? ''),
  ];
}
