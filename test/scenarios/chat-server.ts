/**
 * A server for chats: `node chat-server.ts FOLDER`. Its tools write what happens to them into the
 * folder, and ask their host for forms, pages and the model's words.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';
import type { Obj } from '../servers/rich/tool.ts';

const [folder = '.'] = process.argv.slice(2);
const asked = new Map<string, (answer: unknown) => void>();
const held = new Map<string, string>();

const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const TOOLS = ['write_note', 'hold', 'fail', 'form', 'page', 'think', 'roots'].map((name) => ({
  name,
  description: `Does ${name}.`,
  inputSchema,
  annotations: { readOnlyHint: false, destructiveHint: false },
}));

const FORM = {
  type: 'object',
  required: ['city', 'count'],
  properties: {
    city: { type: 'string', title: 'City', description: 'Where it goes.', enum: ['Rome', 'Oslo'] },
    count: { type: 'integer', title: 'Count', minimum: 1, maximum: 9 },
    note: { type: 'string', title: 'Note', default: 'none' },
    api_token: { type: 'string', title: 'Token', default: 'prefilled-canary' },
  },
};

readLines((message) => {
  if (message.method === undefined) return asked.get(String(message.id))?.(resultOf(message));
  if (message.id === undefined) return hear(message);
  return answer(message);
});

function resultOf(message: Message): unknown {
  const { result, error } = message as { readonly result?: unknown; readonly error?: unknown };
  return result ?? error;
}

function hear({ method, params }: Message): void {
  const request = String(params?.['requestId']);
  if (method === 'notifications/cancelled' && held.has(request)) log(`cancelled ${held.get(request)}`);
}

function answer(message: Message): void {
  const { id, method, params = {} } = message;
  if (method === 'initialize') {
    const serverInfo = { name: 'chat', version: '1.0.0' };
    return writeLine({
      id,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    });
  }
  if (method === 'tools/list') return writeLine({ id, result: { tools: TOOLS } });
  if (method === 'ping') return writeLine({ id, result: {} });
  if (method !== 'tools/call') return refuseMethod(message);
  const say = (text: string, isError = false): void =>
    writeLine({ id, result: { content: [{ type: 'text', text }], isError } });
  const { text = '' } = (params['arguments'] ?? {}) as { readonly text?: string }; // as our schema says
  switch (params['name']) {
    case 'write_note':
      log(`wrote ${text}`);
      return say(`wrote ${text}`);
    case 'hold':
      held.set(String(id), text);
      return log(`holding ${text}`);
    case 'fail':
      return say('The disk is full.', true);
    case 'form':
      return ask('elicitation/create', { message: 'Where to?', requestedSchema: FORM }, say);
    case 'page':
      return ask(
        'elicitation/create',
        { mode: 'url', message: 'Sign in.', url: `http://127.0.0.1:9/x?${text}`, elicitationId: 'e1' },
        say,
      );
    case 'think':
      return ask(
        'sampling/createMessage',
        { messages: [{ role: 'user', content: { type: 'text', text: `What is ${text}?` } }], maxTokens: 50 },
        say,
      );
    default:
      return ask('roots/list', {}, say);
  }
}

function ask(method: string, params: Obj, say: (text: string) => void): void {
  const id = `q${asked.size + 1}`;
  asked.set(id, (given) => {
    log(JSON.stringify(given));
    say(JSON.stringify(given));
  });
  writeLine({ id, method, params });
}

function log(line: string): void {
  appendFileSync(join(folder, 'log.txt'), `${line}\n`);
}
