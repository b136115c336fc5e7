/**
 * A server whose tools leave a mark: `node marker-server.ts FILE`. Each call appends the tool's name to
 * the file, so that it shows which of them really ran.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file = ''] = process.argv.slice(2);

const TOOLS = [
  { name: 'add_note', description: 'Adds a note.', inputSchema: { type: 'object' } },
  {
    name: 'delete_all',
    description: 'Deletes all notes.',
    inputSchema: { type: 'object' },
    annotations: { destructiveHint: true },
  },
];

interface Frame {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Frame; // the hub sends JSON-RPC
  if (id === undefined) return;
  const result = answerTo(method, params);
  const known = result ? { result } : { error: { code: -32_601, message: 'unknown' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...known })}\n`);
});

function answerTo(method: string | undefined, params: Frame['params']): object | undefined {
  if (method === 'initialize') {
    return {
      protocolVersion: params?.protocolVersion ?? '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'marker', version: '1.0.0' },
    };
  }
  if (method === 'tools/list') return { tools: TOOLS };
  if (method === 'ping') return {};
  if (method !== 'tools/call') return undefined;
  appendFileSync(file, `${params?.name ?? ''}\n`);
  return { content: [{ type: 'text', text: 'done' }] };
}
