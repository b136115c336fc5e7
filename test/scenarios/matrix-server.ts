/**
 * Everything that a server can want of its host, one tool each: `node matrix-server.ts era=legacy|modern`.
 * Written by hand, so that no SDK decides for it what may pass.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { isObject } from '../../src/base/json.ts';
import { parseParams } from '../servers/params.ts';
import type { Obj } from '../servers/rich/tool.ts';
import { type Message, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';

const modern = parseParams(process.argv.slice(2)).text('era') === 'modern';
const META = 'io.modelcontextprotocol/';
const ROWS = Array.from({ length: 3_000 }, (_, id) => ({ id, name: 'n'.repeat(80) }));
const WATCHED = 'test://watched';
const LOOK_MS = 20;
const added: string[] = [];
const asked = new Map<unknown, (answer: unknown) => void>();
const hanging = new Map<unknown, string>();
/** Listening requests of modern links, and the kinds that each wants. */
const listening = new Map<unknown, Obj>();
const polls = new Map<unknown, number>();

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  logging: {},
  ...(modern
    ? { extensions: { [`${META}tasks`]: {}, [`${META}ui`]: {} } }
    : { tasks: { cancel: {}, requests: { tools: { call: {} } } }, extensions: { [`${META}ui`]: {} } }),
};

const form = {
  mode: 'form',
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const url = { mode: 'url', message: 'Open this page.', url: 'https://example.com/consent' };
const messages = [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }];

const QUESTIONS: Readonly<Record<string, { readonly method: string; readonly params: Obj }>> = {
  form: { method: 'elicitation/create', params: form },
  url: { method: 'elicitation/create', params: modern ? url : { ...url, elicitationId: 'page-1' } },
  sample: { method: 'sampling/createMessage', params: { messages, maxTokens: 50 } },
  roots: { method: 'roots/list', params: {} },
};

const TOOLS: readonly Obj[] = [
  ...['echo', 'work', 'hang', 'touch', 'log', 'add', ...Object.keys(QUESTIONS)].map((name) => ({
    name,
  })),
  // Only servers before 2026 say so.
  { name: 'long', ...(modern ? {} : { execution: { taskSupport: 'required' } }) },
  {
    name: 'rows',
    outputSchema: {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object', required: ['id', 'name'] } } },
      required: ['rows'],
    },
  },
  { name: 'app', _meta: { ui: { resourceUri: 'ui://app/index.html' } } },
].map((each) => ({ inputSchema: { type: 'object' }, description: 'A tool.', ...each }));

readLines((message) => {
  const { id, method, params = {} } = message;
  if (method === undefined) {
    asked.get(id)?.((message as Obj)['result'] ?? (message as Obj)['error']);
  } else if (id !== undefined) answer(message, params);
  else if (method === 'notifications/cancelled') cancelled(params['requestId']);
});

function cancelled(id: unknown): void {
  const file = hanging.get(id);
  if (file !== undefined) appendFileSync(file, 'cancelled\n');
  listening.delete(id);
}

function answer(message: Message, params: Obj): void {
  const { id, method } = message;
  const say = (result: Obj): void =>
    writeLine({ id, result: modern ? { resultType: 'complete', ...result } : result });
  switch (method) {
    case 'initialize':
      if (modern) return refuseMethod(message);
      return say({
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: 'matrix', version: '1' },
      });
    case 'server/discover':
      if (!modern) return refuseMethod(message);
      return say({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' });
    case 'subscriptions/listen':
      return listen(id, params['notifications'] as Obj); // as specified
    case 'ping':
    case 'logging/setLevel':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return say({});
    case 'tools/list':
      return say({
        tools: [...TOOLS, ...added.map((name) => ({ name, inputSchema: { type: 'object' } }))],
        ttlMs: 0,
        cacheScope: 'private',
      });
    case 'resources/list':
      return say({ resources: [{ uri: WATCHED, name: 'watched' }], ttlMs: 0, cacheScope: 'private' });
    case 'resources/templates/list':
      return say({ resourceTemplates: [], ttlMs: 0, cacheScope: 'private' });
    case 'resources/read': {
      const mimeType = 'text/html;profile=mcp-app';
      return say({ contents: [{ uri: params['uri'], mimeType, text: '<p>app</p>' }], ttlMs: 0 });
    }
    case 'tools/call':
      return call(id, params, say);
    case 'tasks/get':
      return getTask(params['taskId'], say);
    case 'tasks/result':
      return say(text('the task is done'));
    case undefined:
    default:
      return refuseMethod(message);
  }
}

function listen(id: unknown, wanted: Obj): void {
  listening.set(id, wanted);
  const _meta = { [`${META}subscriptionId`]: id };
  writeLine({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: wanted, _meta },
  });
}

/** To everybody on a legacy link; to those who listen on a modern one. */
function change(method: string, params: Obj): void {
  if (!modern) return writeLine({ method, params });
  for (const id of listening.keys()) {
    writeLine({ method, params: { ...params, _meta: { [`${META}subscriptionId`]: id } } });
  }
}

function call(id: unknown, params: Obj, say: (result: Obj) => void): void {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const args = isObject(params['arguments']) ? params['arguments'] : {};
  const tell = (value: unknown): void => say(text(JSON.stringify(value) ?? 'null'));
  const name = String(params['name']);
  const question = QUESTIONS[name];
  if (question) return ask(params, question, say, tell);
  switch (name) {
    case 'echo':
      if (typeof args['file'] === 'string') appendFileSync(args['file'], 'called\n');
      return tell(args);
    case 'work': {
      const [first] = Object.values(QUESTIONS);
      if (!first) return tell('nothing to ask');
      return ask(params, first, say, () => {
        const progressToken = meta['progressToken'];
        for (const progress of progressToken === undefined ? [] : [1, 2, 3, 4]) {
          writeLine({ method: 'notifications/progress', params: { progressToken, progress, total: 4 } });
        }
        // Both SDKs lose progress that comes in one piece with the answer: it waits until they have it.
        const file = String(args['file']);
        const waiting = setInterval(() => {
          if (!existsSync(file)) return;
          clearInterval(waiting);
          tell('worked');
        }, LOOK_MS);
      });
    }
    case 'hang':
      hanging.set(id, String(args['file']));
      return appendFileSync(String(args['file']), 'begun\n');
    case 'touch':
      change('notifications/resources/updated', { uri: WATCHED });
      return tell('touched');
    case 'log':
      writeLine({ method: 'notifications/message', params: { level: 'info', logger: 'l', data: 'a line' } });
      return tell('logged');
    case 'add':
      added.push(String(args['name']));
      change('notifications/tools/list_changed', {});
      return tell('added');
    case 'long':
      return beginTask(params, say);
    case 'rows':
      return say({ ...text('many rows'), structuredContent: { rows: ROWS } });
    default:
      return tell(name);
  }
}

/** By a request of our own, or by the result of this one. */
function ask(params: Obj, question: Obj, say: (result: Obj) => void, tell: (answer: unknown) => void): void {
  if (!modern) {
    const id = `q${asked.size}`;
    asked.set(id, tell);
    return writeLine({ id, ...question });
  }
  const responses = params['inputResponses'];
  if (isObject(responses) && params['requestState'] === 'the state') return tell(responses['it']);
  return say({ resultType: 'input_required', inputRequests: { it: question }, requestState: 'the state' });
}

const TASK = { ttl: 60_000, createdAt: '2026-07-28T00:00:00Z', lastUpdatedAt: '2026-07-28T00:00:00Z' };

function beginTask(params: Obj, say: (result: Obj) => void): void {
  const task = { taskId: `t${polls.size}`, status: 'working', pollInterval: 20, ...TASK };
  polls.set(task.taskId, 0);
  if (modern) return say({ ...task, resultType: 'task' });
  return say(params['task'] ? { task } : { ...text('not as a task'), isError: true });
}

function getTask(taskId: unknown, say: (result: Obj) => void): void {
  const count = (polls.get(taskId) ?? 0) + 1;
  polls.set(taskId, count);
  const status = count < 2 ? 'working' : 'completed';
  const result = modern && count >= 2 ? { result: text('the task is done') } : {};
  return say({ taskId, status, pollInterval: 20, ...TASK, ...result });
}

function text(value: string): Obj {
  return { content: [{ type: 'text', text: value }] };
}
