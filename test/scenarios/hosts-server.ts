/**
 * A server that shows what its host declared and answered: `node hosts-server.ts [key=value…]`.
 * `era=modern` speaks 2026-07-28, else 2025-11-25; `asks=roots` asks for roots as it starts;
 * `folder=1` names its folder in a description and has a tool of that folder alone;
 * `tasks=1` declares the tasks of 2025-11-25; it says of itself, and understands, what no revision knows.
 */
import { basename } from 'node:path';
import { parseParams } from '../servers/params.ts';
import { type Message, readLines, refuseMethod, writeLine } from '../servers/stdio/lines.ts';
import type { Obj } from '../servers/rich/tool.ts';

const params = parseParams(process.argv.slice(2));
const modern = params.text('era') === 'modern';
const META = 'io.modelcontextprotocol/';
const asked = new Map<string, (answer: unknown) => void>();
const roots: unknown[] = [];
const held: (() => void)[] = [];
const UNKNOWN = { example: { color: 'red' }, _meta: { 'example/colors': [1, 2] } };
/** When its call has ended at the other side, too. */
const MURMUR_MS = 100;
const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const capabilities = {
  tools: { listChanged: true },
  logging: {},
  resources: {},
  ...(params.flag('tasks') ? { tasks: TASKS } : {}),
};
/** Counted, as by careless servers: a host can guess the task of another one. */
let tasks = 0;
let declared: unknown;
let listed: unknown;
let level = 'none';
const version = params.text('version') ?? '1.0.0';
let added = false;

readLines((message) => {
  if (message.method === undefined) return settle(message);
  if (message.id === undefined) return hear(message.method);
  return answer(message);
});

function settle({ id, ...answer }: Message & { result?: unknown; error?: unknown }): void {
  asked.get(String(id))?.(answer.result ?? answer.error);
}

function hear(method: string): void {
  const wanted = method === 'notifications/initialized' ? params.text('asks') === 'roots' : false;
  if (wanted || method === 'notifications/roots/list_changed') {
    ask('roots/list', {}, (answer) => roots.push(answer));
  }
}

function ask(method: string, given: Obj, take: (answer: unknown) => void): void {
  const id = `q${asked.size + 1}`;
  asked.set(id, take);
  writeLine({ id, method, params: given });
}

function answer(message: Message): void {
  const { id, method, params: given = {} } = message;
  const meta = (given['_meta'] ?? {}) as Obj;
  const say = (result: Obj): void =>
    writeLine({ id, result: modern ? { resultType: 'complete', ...result } : result });
  switch (method) {
    case 'initialize': {
      if (modern) return writeLine({ id, error: { code: -32601, message: 'too old' } });
      declared = given['capabilities'];
      const serverInfo = { name: 'hosts', version };
      return say({ protocolVersion: '2025-11-25', capabilities, serverInfo, ...UNKNOWN });
    }
    case 'server/discover':
      if (!modern) return refuseMethod(message);
      return say({
        supportedVersions: ['2026-07-28'],
        capabilities,
        ...UNKNOWN,
        _meta: { ...UNKNOWN._meta, [`${META}serverInfo`]: { name: 'hosts', version } },
      });
    case 'subscriptions/listen':
      return undefined;
    case 'ping':
      return say({});
    case 'logging/setLevel':
      level = `${level} ${String(given['level'])}`;
      return say({});
    case 'tools/list':
      listed = meta[`${META}clientCapabilities`];
      return say({ tools: tools(), ttlMs: 0, cacheScope: 'private' });
    case 'resources/list':
      return say({ resources: [], ttlMs: 0 });
    case 'resources/templates/list':
      return say({ resourceTemplates: [], ttlMs: 0 });
    case 'tasks/get':
      return say({ method, given, taskId: given['taskId'], ...related(given['taskId']) });
    case 'tasks/list':
      return say({
        tasks: Array.from({ length: tasks }, (_, at) => ({ taskId: `t${at + 1}`, status: 'working' })),
      });
    case 'example/draw':
    case 'skills/list':
    case 'resources/directory/read':
      return say({ method, given });
    case 'tools/call':
      return call(
        message,
        (text) => say({ content: [{ type: 'text', text: JSON.stringify(text) ?? 'null' }] }),
        say,
      );
    case undefined:
    default:
      return refuseMethod(message);
  }
}

function tools(): readonly Obj[] {
  const names = [
    'declared',
    'listed',
    'level',
    'roots',
    'meta',
    'given',
    'wonder',
    'page',
    'hold',
    'release',
    'log',
    'murmur',
    'long',
    'add',
    'status',
  ];
  const here = params.flag('folder')
    ? [`only-in-${basename(process.cwd())}`, ...(added ? ['added'] : [])]
    : [];
  return [...names, ...here].map((name) => ({
    name,
    description: params.flag('folder') && name === 'hold' ? `Works in ${process.cwd()}.` : name,
    inputSchema: { type: 'object' },
  }));
}

function call(message: Message, tell: (text: unknown) => void, say: (result: Obj) => void): void {
  const { params: given = {} } = message;
  const meta = (given['_meta'] ?? {}) as Obj;
  switch (given['name']) {
    case 'declared':
      return tell(modern ? meta[`${META}clientCapabilities`] : declared);
    case 'listed':
      return tell(listed);
    case 'level':
      return tell(modern ? meta[`${META}logLevel`] : level);
    case 'roots':
      return tell(roots);
    case 'meta':
      return tell(meta);
    case 'given':
      return tell(given);
    case 'wonder':
      return wonder(given, tell, say);
    case 'page':
      return ask('elicitation/create', { mode: 'url', message: 'Open', url: 'https://example.com' }, tell);
    case 'hold':
      return void held.push(() => tell('released'));
    case 'release':
      for (const release of held.splice(0)) release();
      return tell('done');
    case 'log':
      for (const each of ['debug', 'info', 'error']) {
        writeLine({
          method: 'notifications/message',
          params: { level: each, logger: 'l', data: `a ${each}` },
        });
      }
      return tell('logged');
    case 'murmur':
      tell('soon');
      setTimeout(
        () => writeLine({ method: 'notifications/message', params: { level: 'info', data: 'a murmur' } }),
        MURMUR_MS,
      );
      return undefined;
    case 'add':
      added = true;
      writeLine({ method: 'notifications/tools/list_changed' });
      return tell('added');
    case 'long': {
      tasks += 1;
      const task = { taskId: `t${tasks}`, status: 'working', ttl: null, createdAt: '', lastUpdatedAt: '' };
      if (modern) return say({ ...task, resultType: 'task' });
      return given['task'] ? say({ task, asked: given['task'] }) : tell('at once');
    }
    case 'status': {
      const { taskId } = given['arguments'] as Obj;
      writeLine({
        method: 'notifications/tasks/status',
        params: { taskId, status: 'working', statusMessage: 'half' },
      });
      return tell('sent');
    }
    default:
      return tell(given['name']);
  }
}

function related(taskId: unknown): Obj {
  return taskId === undefined ? {} : { _meta: { [`${META}related-task`]: { taskId } } };
}

/** Asks two questions at once: an old server by requests, a modern one by its result. */
function wonder(given: Obj, tell: (text: unknown) => void, say: (result: Obj) => void): void {
  const question = (message: string): Obj => ({
    message,
    requestedSchema: { type: 'object', properties: {} },
  });
  const { task } = (given['arguments'] ?? {}) as Obj;
  if (!modern) return ask('elicitation/create', { ...question('Who?'), ...related(task) }, tell);
  if (given['inputResponses'] !== undefined) return tell(given['inputResponses']);
  const inputRequests = {
    one: { method: 'elicitation/create', params: question('One?') },
    two: { method: 'elicitation/create', params: question('Two?') },
  };
  return say({ resultType: 'input_required', inputRequests, requestState: 'state' });
}
