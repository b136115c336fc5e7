import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { hostWarning } from '../../base/host-warning.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { webAddress } from '../../base/web-address.ts';
import type { ChatMessage, HostOptions } from '../../hub/hub.ts';
import { userError } from '../failures.ts';
import { FAILED, faint, strong } from '../output.ts';
import { renderContent } from '../render/call-result.ts';
import { textOrJson } from '../render/text.ts';
import { askYesNo, type HubSession, type Session } from '../session.ts';
import type { Conversation } from './conversation.ts';
import { fieldsOf, readField, type FormField } from './form-field.ts';
import { stoppedBy } from './keyboard.ts';
import { chatLimits } from './limits.ts';
import type { Questions } from './questions.ts';

type Handlers = HostOptions['handlers'];
type Handler = NonNullable<Handlers['elicitation']>;

interface ServerQuestionsOptions {
  readonly session: HubSession;
  readonly questions: Questions;
  readonly conversation: Conversation;
  readonly stop: () => void;
}

export function serverQuestions(options: ServerQuestionsOptions): Handlers {
  const { questions, session, stop } = options;
  const asking =
    (answer: (server: string, params: JsonObject, session: HubSession) => Promise<JsonObject>): Handler =>
    ({ server, params }, { signal }) =>
      questions.ask(async () => {
        const until = AbortSignal.any([session.signal, signal]);
        until.throwIfAborted();
        try {
          return await answer(server, params, { ...session, signal: until });
        } catch (error) {
          if (stoppedBy(error) !== 'interrupt') throw error;
          stop();
          return { action: 'cancel' };
        }
      });
  return {
    elicitation: asking((server, params, here) =>
      params['mode'] === 'url' ? askToOpen(server, params, here) : askForm(server, params, here),
    ),
    sampling: asking((server, params, here) => sample({ ...options, session: here }, server, params)),
  };
}

/** The whole address is shown, and its host once more: a long address hides where it leads. */
async function askToOpen(server: string, params: JsonObject, session: Session): Promise<JsonObject> {
  const { out, hubs } = session;
  const address = webAddress(params['url']);
  // The hub has put the server's name in front of its words.
  out.quote(textOrJson(params['message']), { beside: true });
  if (address === undefined) {
    out.note(FAILED, `${server} gave no URL; it was declined.`);
    return { action: 'decline' };
  }
  const url = new URL(address);
  out.note(`  ${server} asks you to open `, url.href);
  out.note('  at ', strong(url.host), url.protocol === 'http:' ? ', unencrypted' : '');
  const warning = hostWarning(url.hostname);
  if (warning !== undefined) out.note({ style: 'warn', text: '  ⚠ ' }, warning);
  if (!(await agreed(session, `Open ${url.host}?`))) return { action: 'decline' };
  if (!(await hubs.openAddress(url.href))) out.note('No browser found here: open the URL yourself.');
  return { action: 'accept' };
}

async function sample(
  { session, conversation }: Pick<ServerQuestionsOptions, 'session' | 'conversation'>,
  server: string,
  params: JsonObject,
): Promise<JsonObject> {
  const { hub, out, signal } = session;
  const messages = messagesOf(params);
  const instructions = textOrJson(params['systemPrompt']);
  out.note(strong(server), ' wants the model to answer this:');
  if (instructions !== '') showPart('system', instructions, session);
  for (const { role, content } of messages) showPart(role, textOrJson(content), session);
  if (!(await agreed(session, `Let the model answer ${server}?`))) throw denied(server);
  const { model } = conversation.choices;
  const optional = defined({ model, instructions: instructions || undefined });
  const { text, usage } = await hub.chat.turn({ messages, servers: [], ...optional }, { signal });
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
    const role = message['role'] === 'assistant' ? 'assistant' : 'user';
    return { role, content: blocks.map(renderContent).join('\n') };
  });
  if (messages.length > 0) return messages;
  throw new PlugError('bad_arguments', 'The server’s request was empty.', { owner: 'server' });
}

function showPart(role: string, text: string, { out }: Session): void {
  const missing = text.length - chatLimits.samplingChars;
  out.quote(text.slice(0, chatLimits.samplingChars), { lead: [faint(`  ${role}  `)], beside: true });
  if (missing > 0) out.note({ style: 'warn', text: `  … ${missing} more characters that are not shown` });
}

function denied(server: string): PlugError {
  return userError('denied', `The person did not let ${server} use the model.`, { server });
}

/** A server's form, a field at a time. Esc declines it; nothing is sent before the last yes. */
async function askForm(server: string, params: JsonObject, session: Session): Promise<JsonObject> {
  const { out } = session;
  out.quote(textOrJson(params['message']), { beside: true });
  out.note(faint('  Esc declines. Your answers go to this server.'));
  const fields = fieldsOf(params['requestedSchema']);
  if (fields.length > chatLimits.formFieldsMax) {
    out.note(FAILED, `It wants ${fields.length} answers; it was declined.`);
    return { action: 'decline' };
  }
  try {
    const content: Record<string, Json> = {};
    for (const field of fields) {
      const value = await askField(field, session);
      if (value !== undefined) content[field.name] = value;
    }
    const isYes = await (fields.length === 0
      ? askYesNo(session, `Agree with ${server}?`, 'no')
      : askYesNo(session, `Send it to ${server}?`, 'yes'));
    return isYes ? { action: 'accept', content } : { action: 'decline' };
  } catch (error) {
    if (stoppedBy(error) !== 'escape') throw error;
    out.note('Declined.');
    return { action: 'decline' };
  }
}

async function askField(field: FormField, session: Session): Promise<Json | undefined> {
  const { out, terminal, signal } = session;
  describe(field, session);
  const question = `  ${field.title}${hintOf(field)}: `;
  for (;;) {
    const typed = await terminal[field.secret ? 'askHidden' : 'ask'](question, signal);
    if (typed.trim() === '') {
      if (field.preset !== undefined) return field.preset;
      if (!field.required) return undefined;
      out.note({ style: 'warn', text: '  It is needed. ' }, 'Esc declines the whole form.');
      continue;
    }
    const read = readField(field, typed);
    if ('value' in read) return read.value;
    out.note({ style: 'warn', text: `  ${read.problem}` });
  }
}

function describe({ description, secret, choices }: FormField, { out }: Session): void {
  if (description !== '') out.note(faint(`  ${description.slice(0, chatLimits.fieldTextChars)}`));
  const warning = 'This looks like a secret. A server should not ask for one here.';
  if (secret) out.note({ style: 'warn', text: '  ⚠ ' }, warning);
  choices.forEach(({ title }, index) => out.note(`    ${index + 1}  ${title}`));
}

function hintOf({ kind, required, preset, choices }: FormField): string {
  const hints = [
    ...(kind === 'yes-no' ? ['y or n'] : []),
    ...(kind === 'choice' ? [`1–${choices.length}`] : []),
    ...(kind === 'choices' ? ['such as 1,3'] : []),
    ...(required ? [] : ['optional']),
    ...(preset === undefined
      ? []
      : [`Enter for ${typeof preset === 'string' ? preset : JSON.stringify(preset)}`]),
  ];
  return hints.length === 0 ? '' : ` (${hints.join(', ')})`;
}
