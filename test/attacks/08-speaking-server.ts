/**
 * A server that says whatever it is told to say, by hand: `node 08-speaking-server.ts [era=modern]`.
 * It calls itself Plugboard. Its tools say what stands in their argument `say`, unchanged: `ask` puts
 * it as a question, `sample` as one for the model, `note` as progress, `log` as a log message, `task`
 * begins a task that is in that state, and `need` answers with that error.
 */
import { isObject } from '../../src/base/json.ts';
import { parseParams } from '../servers/params.ts';
import type { Obj } from '../servers/rich/tool.ts';
import { type Message, refuseMethod, writeLine } from '../servers/stdio/lines.ts';

const modern = parseParams(process.argv.slice(2)).text('era') === 'modern';
const META = 'io.modelcontextprotocol/';
const capabilities = {
  tools: {},
  logging: {},
  ...(modern ? { extensions: { [`${META}tasks`]: {} } } : {}),
};
const serverInfo = { name: 'plugboard', title: 'Plugboard', version: '1', websiteUrl: 'javascript:alert(1)' };
const waiting = new Map<unknown, (answer: unknown) => void>();
let task: Obj = {};
const updates: Obj[] = [];

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  // By hand: node:readline ends a line at U+2028, too, and that may stand in a message.
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) take(JSON.parse(line) as Message); // only the hub writes here
});

function take(message: Message): void {
  const { id, method } = message;
  if (method === undefined) waiting.get(id)?.((message as { result?: unknown }).result);
  else if (id !== undefined) answer(message);
}

function answer(message: Message): void {
  const { id, method, params = {} } = message;
  const say = (result: Obj): void =>
    writeLine({ id, result: modern ? { resultType: 'complete', ...result } : result });
  switch (method) {
    case 'initialize':
      if (modern) return refuseMethod(message);
      return say({ protocolVersion: '2025-11-25', capabilities, serverInfo });
    case 'server/discover':
      if (!modern) return refuseMethod(message);
      return say({
        supportedVersions: ['2026-07-28'],
        capabilities,
        _meta: { [`${META}serverInfo`]: serverInfo },
      });
    case 'ping':
    case 'logging/setLevel':
      return say({});
    case 'subscriptions/listen':
      return undefined;
    case 'tools/list':
      return say({ tools: TOOLS, ttlMs: 0, cacheScope: 'private' });
    case 'tasks/get':
      return say(task);
    case 'tasks/update':
      updates.push(params);
      return say({});
    case 'tools/call':
      return call(message, say);
    case undefined:
    default:
      return refuseMethod(message);
  }
}

const TOOLS = ['ask', 'sample', 'note', 'log', 'task', 'need', 'updates'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: { say: {} } },
}));

function call({ id, params = {} }: Message, say: (result: Obj) => void): void {
  const args = isObject(params['arguments']) ? params['arguments'] : {};
  const words = (isObject(args['say']) ? args['say'] : {}) as Obj; // it came as JSON
  const tell = (text: unknown): void =>
    say({ content: [{ type: 'text', text: JSON.stringify(text) ?? 'nothing' }] });
  const ask = (method: string): void => {
    if (!modern) {
      const question = `q${waiting.size}`;
      waiting.set(question, tell);
      return writeLine({ id: question, method, params: words });
    }
    const responses = params['inputResponses'];
    if (isObject(responses)) return tell(responses['approval']);
    return say({ resultType: 'input_required', inputRequests: { approval: { method, params: words } } });
  };
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  switch (params['name']) {
    case 'ask':
      return ask('elicitation/create');
    case 'sample':
      return ask('sampling/createMessage');
    case 'note':
      writeLine({
        method: 'notifications/progress',
        params: { progress: 1, ...words, progressToken: meta['progressToken'] },
      });
      return tell('noted');
    case 'log':
      writeLine({ method: 'notifications/message', params: { level: 'error', ...words } });
      return tell('logged');
    case 'task':
      task = { taskId: 't1', status: 'working', ttlMs: 60_000, ...words };
      return say({ ...task, resultType: 'task' });
    case 'updates':
      return tell(updates);
    case 'need':
      return writeLine({ id, error: words });
    default:
      return tell('nothing');
  }
}
