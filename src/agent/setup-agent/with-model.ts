import { toPlugError } from '../../base/errors.ts';
import type { ChatEvent, ChatMessage, ConfiguringOutcome, OpenModel } from '../../hub/hub.ts';
import { readConversation, messageText } from '../conversation.ts';
import { Events, type LoopParts } from '../parts.ts';
import { Loop, type LoopOutcome } from '../loop.ts';
import { languageModel, toolSet } from '../model.ts';
import { errorResult } from '../run-call.ts';
import { setupInstructions } from './instructions.ts';
import { setupLimits } from './limits.ts';
import { noteOf, type Setup, type SetupTool } from './setup.ts';
import { readNote, withNote, withoutNote, type Note } from './state.ts';
import { runTool } from './run-tool.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { markText } from '../../calls/external-text/mark.ts';

export async function answerWithModel(setup: Setup, open: OpenModel): Promise<ConfiguringOutcome> {
  const { agent, signal, proposals } = setup;
  const { clock, ids } = agent;
  const limits = { ...agent.limits, stepsMax: setupLimits.stepsMax };
  const events = new Events(agent, teller(setup));
  const turn: LoopParts = { clock, ids, limits, view: open.view, events, signal, counts: { calls: 0 } };
  const { name: model } = open.view;
  try {
    const shown = toolSet(setupTools);
    const told = await toldMessages(setup);
    const outcome = await new Loop({
      turn,
      model: await languageModel(open),
      instructions: await setupInstructions(setup),
      messages: readConversation(told).messages,
      tools: shown.tools,
      maker: {
        make: (call) => {
          turn.counts.calls += 1;
          events.flush();
          const own = shown.own(call.name, call.args);
          return runTool(setup, { ...call, name: own.name, args: own.args });
        },
        refuse: (_call, error) => errorResult(error),
      },
    }).run();
    return { ...result(setup, outcome), model, usage: outcome.usage };
  } catch (thrown) {
    return {
      messages: [],
      text: '',
      proposals: proposals.all,
      done: [],
      model,
      error: toPlugError(thrown).toView(),
    };
  }
}

function result(setup: Setup, { messages, text, error }: LoopOutcome): ConfiguringOutcome {
  const kept = noted(messages, noteOf(setup));
  return { messages: kept, text, proposals: setup.proposals.all, done: [], ...(error ? { error } : {}) };
}

/** Notes are ours: what a provider may have put in their place goes. */
function noted(messages: readonly ChatMessage[], note: Note): readonly ChatMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.map((message, index) => {
    const own = withoutNote(message);
    return index === last ? withNote(own, note) : own;
  });
}

/** Only text is for this conversation; its tools have rows of their own. */
function teller({ tell }: Setup): (event: ChatEvent) => void {
  return (event) => {
    if (event.kind === 'text') tell({ kind: 'text', text: event.text });
    if (event.kind === 'note') tell({ kind: 'text', text: `\n\n${event.text}` });
  };
}

/** The newest messages, the person's numbered, without keys; pictures may show keys and are left out. */
async function toldMessages(setup: Setup): Promise<readonly ChatMessage[]> {
  const { messages } = setup.request;
  let number = 0;
  const numbered = messages.flatMap((message) => {
    if (message.role === 'system') return [];
    if (message.role === 'user') number += 1;
    return [{ message, number }];
  });
  const newest = numbered.slice(-setupLimits.messagesMax);
  // A result without its call would be refused.
  const from = newest.findIndex(({ message }) => message.role === 'user');
  const told = newest.slice(Math.max(0, from)).map((each) => toldMessage(setup, each));
  const texts = new Set<string>();
  withTexts(told, (text) => {
    texts.add(text);
    return text;
  });
  const hidden = await setup.mask.hideAll([...texts]);
  return withTexts(told, (text) => hidden.get(text) ?? '') as readonly ChatMessage[];
}

function toldMessage({ mask, agent }: Setup, { message, number }: { message: ChatMessage; number: number }) {
  if (message.role === 'user') {
    const text = mask.said(messageText(message));
    const max = setupLimits.messageCharsMax;
    const shown = text.length > max ? `${text.slice(0, max)}\n[cut here; the tools read all of it]` : text;
    return { role: 'user', content: `(message ${number})\n${shown}` };
  }
  if (readNote(message)?.plain !== true) return withoutNote(message);
  // It quotes registries and servers without the marks of a tool result.
  const source = { server: 'plug', tool: 'answer', boundary: agent.ids.next('ext') };
  return { role: 'assistant', content: [{ type: 'text', text: markText(messageText(message), source) }] };
}

function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: Json) => withTexts(each, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, withTexts(each ?? null, change)]));
}

const PASTE = {
  type: 'integer',
  description:
    'Number of the person’s message that holds it, word for word, keys included. Use this whenever the person pasted something.',
};

const ONE_SERVER = { server: { type: 'string', description: 'Its id' } };

function tool(name: SetupTool, description: string, properties: JsonObject, required?: readonly string[]) {
  const needed = required ? { required: [...required] } : {};
  return { name, description, inputSchema: { type: 'object', properties, ...needed } };
}

const setupTools: readonly JsonObject[] = [
  tool(
    'search_registry',
    'Searches the registries and the featured servers for a service or a need.',
    { query: { type: 'string', description: 'One or two words, such as “notion”' } },
    ['query'],
  ),
  tool(
    'probe_endpoint',
    'Tells whether an address speaks MCP, and what sign-in it wants. Only for addresses that the person named.',
    { url: { type: 'string' }, paste: PASTE },
  ),
  tool(
    'parse_config',
    'Reads a config, a command, a link or an address: which servers are in it, what is missing, what is damaged and how it would be right.',
    { paste: PASTE, text: { type: 'string', description: 'A text of your own, without keys' } },
  ),
  tool(
    'save_server',
    'Puts a server before the person, who agrees on a card and types keys there. Doesn’t save it.',
    {
      paste: PASTE,
      text: {
        type: 'string',
        description: 'A name from search_registry, an address or a command, without keys',
      },
      only: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of the servers to take, when there are several in the text',
      },
    },
  ),
  tool('list_servers', 'The servers that the person has, with their states and latest errors.', {}),
  tool(
    'test_connection',
    'Connects now: to a server that the person has, or to a remote one that they pasted.',
    { server: { type: 'string', description: 'Id of a server that is there' }, paste: PASTE },
  ),
  tool(
    'remove_server',
    'Asks the person whether a server may be removed, and names the keys that would be forgotten. Doesn’t remove it.',
    ONE_SERVER,
    ['server'],
  ),
  tool('enable_server', 'Asks the person whether a server may be turned on.', ONE_SERVER, ['server']),
  tool(
    'disable_server',
    'Asks the person whether a server may be turned off. It can be turned on again at any time.',
    ONE_SERVER,
    ['server'],
  ),
  tool('sign_in', 'Offers the person the sign-in page of a server that they have.', ONE_SERVER, ['server']),
  tool(
    'give_key',
    'Offers the person a field for the key of a server that they have. You do not see the key.',
    ONE_SERVER,
    ['server'],
  ),
  tool('undo', 'Tells what was changed last in this conversation and how the person takes it back.', {}),
];
