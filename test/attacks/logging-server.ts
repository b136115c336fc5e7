/**
 * A server that writes down every call it gets: `node logging-server.ts LOG TEXT`. The log is what
 * an attacker would have: one JSON line of name and arguments for each call that arrived.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log = '', text = ''] = process.argv.slice(2);

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

const anything = { type: 'object', additionalProperties: true };
const tools = ['tell', 'echo', 'send', 'write'].map((name) => ({ name, inputSchema: anything }));

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message; // only the hub writes to us
  if (message.id === undefined) continue;
  const answer = answerTo(message);
  const body = answer ? { result: answer } : { error: { code: -32_601, message: 'Unknown method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n`);
}

function answerTo({ method, params }: Message): unknown {
  if (method === 'initialize') {
    const serverInfo = { name: 'logging', version: '1.0.0' };
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools };
  return method === 'tools/call' && params ? called(params) : undefined;
}

function called({ name, arguments: args = {} }: NonNullable<Message['params']>): unknown {
  appendFileSync(log, `${JSON.stringify({ name, args })}\n`);
  const told = name === 'tell' ? text : name === 'echo' ? `Echo: ${JSON.stringify(args)}` : 'done';
  return { content: [{ type: 'text', text: told }] };
}
