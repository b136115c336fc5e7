import { PlugError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ChatMessage, Hub } from '../../hub/hub.ts';
import { faint, strong, type Piece } from '../output.ts';
import { renderContent } from '../render/call-result.ts';
import { textOrJson } from '../render/text.ts';
import { askYesNo, type Session } from '../session.ts';
import { stoppedBy } from './chat-terminal.ts';
import type { Conversation } from './conversation.ts';
import { chatLimits } from './limits.ts';

export interface SamplingOptions {
  readonly hub: Hub;
  readonly session: Session;
  readonly conversation: Conversation;
}

/** A server wants the model's words: shown first, then asked, then answered without any tool. */
export async function sample(
  { hub, session, conversation }: SamplingOptions,
  server: string,
  params: JsonObject,
): Promise<JsonObject> {
  const { out, signal } = session;
  const messages = messagesOf(params);
  const instructions = textOrJson(params['systemPrompt']);
  out.note(strong(server), ' wants the model to answer this:');
  if (instructions !== '') showPart('system', instructions, session);
  for (const { role, content } of messages) showPart(role, textOrJson(content), session);
  if (!(await agreed(session, `Let the model answer ${server}?`))) throw denied(server);
  const { model } = conversation.choices;
  const { text, usage } = await hub.chat.turn(
    {
      messages,
      servers: [],
      ...(model === undefined ? {} : { model }),
      ...(instructions === '' ? {} : { instructions }),
    },
    { signal },
  );
  const name = model ?? 'default';
  conversation.usages = [...conversation.usages, { model: name, usage }];
  showPart('assistant', text, session);
  if (!(await agreed(session, `Send this answer to ${server}?`))) throw denied(server);
  return { role: 'assistant', model: name, content: { type: 'text', text }, stopReason: 'endTurn' };
}

async function agreed(session: Session, question: string): Promise<boolean> {
  try {
    return await askYesNo(session, question, 'no');
  } catch (error) {
    if (stoppedBy(error) !== 'escape') throw error;
    return false;
  }
}

function messagesOf(params: JsonObject): readonly ChatMessage[] {
  const given = Array.isArray(params['messages']) ? (params['messages'] as readonly unknown[]) : [];
  const messages = given.filter(isObject).map((message): ChatMessage => {
    const { content } = message;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
    return {
      role: message['role'] === 'assistant' ? 'assistant' : 'user',
      content: blocks.map(renderContent).join('\n'),
    };
  });
  if (messages.length > 0) return messages;
  throw new PlugError('bad_arguments', 'The server asked the model for nothing.', { owner: 'server' });
}

function showPart(role: string, text: string, { out }: Session): void {
  const missing = text.length - chatLimits.samplingChars;
  const lead: Piece = faint(`  ${role}  `);
  out.quote(text.slice(0, chatLimits.samplingChars), { lead: [lead], beside: true });
  if (missing > 0) out.note({ style: 'warn', text: `  … ${missing} more characters that are not shown` });
}

function denied(server: string): PlugError {
  return new PlugError('denied', `The person did not let ${server} use the model.`, { owner: 'you', server });
}
