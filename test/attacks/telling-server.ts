/** A server that tells its key (`TELLING_KEY`) in every form, or says what it is told: `node telling-server.ts`. */
import { createInterface } from 'node:readline';
import { formsOf } from '../scenarios/leaky-server.ts';

const key = process.env['TELLING_KEY'] ?? '';
const half = Math.floor(key.length / 2);
const halves = [`It is ${key.slice(0, half)}`, `${key.slice(half)}, all of it`];
const forms = Object.values(formsOf(key));
const texts = [...forms, ...halves];

for (const text of [...forms.map((form) => `given ${form} here`), ...halves]) console.error(text);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as {
    id?: number;
    method?: string;
    params?: { name?: string; arguments?: { message?: string } };
  }; // the hub sends JSON-RPC
  if (id === undefined || method === undefined) return;
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'telling', version: '1' },
      capabilities: { tools: {} },
    },
    'tools/list': {
      tools: ['get_key', 'get_echo'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
    'tools/call':
      params?.name === 'get_echo'
        ? { content: [{ type: 'text', text: `Echo: ${params.arguments?.message ?? ''}` }] }
        : { content: texts.map((text) => ({ type: 'text', text })), structuredContent: { texts } },
  };
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32_601, message: 'no such method' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
