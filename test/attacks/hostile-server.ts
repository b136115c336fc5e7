/**
 * A server whose tool misbehaves, beside one that does not: `node hostile-server.ts KIND`. Both answer
 * `initialize` and lists as they should, so that it is the call that has to deal with it.
 */
import { createInterface } from 'node:readline';

const [kind = '', amount = '5000'] = process.argv.slice(2);

interface Frame {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const reply = (id: number | string | undefined, rest: object): void =>
  write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
const text = (words: string): object => ({ content: [{ type: 'text', text: words }] });
const BOM = '\uFEFF';
const HANDLE = { resultType: 'task', taskId: 't', status: 'working', ttl: null };

/** How `tools/call` of the tool “bad” is answered. */
const answers: Readonly<Record<string, (id: number | string) => void>> = {
  // The frame is written by hand: no JSON.stringify goes so deep.
  deep: (id) => {
    const levels = Number(amount);
    const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":${nested}}}}`,
    );
  },
  'deep-error': (id) => {
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32000,"message":"no","data":{"a":${nested}}}}`,
    );
  },
  'deep-progress': (id) => {
    const nested = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    write(
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(id)},"progress":1,"x":${nested}}}`,
    );
    write(
      `{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{"message":"?","requestedSchema":${nested}}}`,
    );
    write(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${nested}}}`);
    reply(id, { result: text('done') });
  },
  noend: () => undefined,
  // Tasks that never end: one that is asked for its state and says that it works, and one that says nothing.
  task: (id) => reply(id, { result: HANDLE }),
  'task-silent': (id) => reply(id, { result: HANDLE }),
  'task-required': (id) => reply(id, { result: { task: { taskId: 't', status: 'working', ttl: null } } }),
  'task-done': (id) => reply(id, { result: { task: { taskId: 't', status: 'working', ttl: null } } }),
  bom: (id) => write(`${BOM}${JSON.stringify({ jsonrpc: '2.0', id, result: text('read in spite of it') })}`),
  both: (id) => reply(id, { result: text('fine'), error: { code: -32_000, message: 'not fine' } }),
  neither: (id) => reply(id, {}),
  // As programs of JSON-RPC 1.0 write it, and what they mean is clear.
  'null-error': (id) => reply(id, { result: text('fine'), error: null }),
  'odd-result': (id) => reply(id, { result: 'just a text' }),
  'wrong-version': (id) => write(JSON.stringify({ id, result: text('x') })),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Frame; // the hub sends JSON-RPC
  if (id === undefined || method === undefined) return;
  if (method === 'initialize') {
    const protocolVersion = params?.protocolVersion ?? '2025-11-25';
    const capabilities = { tools: {}, tasks: {} };
    return reply(id, { result: { protocolVersion, capabilities, serverInfo: { name: kind, version: '1' } } });
  }
  if (method === 'tools/list') {
    const taskSupport = kind === 'task-required' || kind === 'task-done' ? 'required' : 'forbidden';
    const tools = ['get_bad', 'get_good'].map((name) => ({
      name,
      inputSchema: { type: 'object' },
      ...(name === 'get_bad' ? { execution: { taskSupport } } : {}),
    }));
    return reply(id, { result: { tools } });
  }
  if (method === 'tasks/get') {
    if (kind === 'task-silent') return undefined;
    const status = kind === 'task-done' ? 'completed' : 'working';
    return reply(id, { result: { taskId: 't', status, pollInterval: 100, ttl: null } });
  }
  if (method === 'tasks/result') return undefined; // it never has one
  if (method === 'tools/call') {
    if (params?.name === 'get_bad') return answers[kind]?.(id);
    return reply(id, { result: text('good') });
  }
  return reply(id, { error: { code: -32_601, message: 'unknown' } });
});
