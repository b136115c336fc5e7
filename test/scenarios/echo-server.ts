import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';

/** A server that declares tools and prompts, and answers every other request with the request itself. */
export function echoServer(id: string, era: 'legacy' | 'modern'): ServerDefinition {
  const args = [fileURLToPath(import.meta.url), era];
  return defineServer({ id, endpoint: { kind: 'stdio', command: process.execPath, args, env: {} } });
}

type Fields = Readonly<Record<string, unknown>>;

const SERVER = { name: 'echo', version: '1' };
const CAPABILITIES = { tools: {}, prompts: {} };
const EXTRA = { 'com.example/extra': 'kept' };

function answer(method: string, params: Fields, era: string): Fields | undefined {
  switch (method) {
    case 'initialize':
      if (era === 'modern') return undefined;
      return {
        protocolVersion: '2025-11-25',
        capabilities: CAPABILITIES,
        serverInfo: SERVER,
        _meta: EXTRA,
        motto: 'kept',
      };
    case 'server/discover': {
      if (era === 'legacy') return undefined;
      const _meta = { ...EXTRA, 'io.modelcontextprotocol/serverInfo': SERVER };
      return { supportedVersions: ['2026-07-28'], capabilities: CAPABILITIES, _meta, motto: 'kept' };
    }
    case 'tools/list':
      return {
        tools: [{ name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
      };
    case 'prompts/list':
      return { prompts: [{ name: 'greet' }] };
    case 'tools/call':
      return { content: [{ type: 'text', text: JSON.stringify(params) }] };
    case 'prompts/get':
      return { messages: [], params };
    case 'completion/complete':
      return { completion: { values: ['paris'] } };
    default:
      return method.startsWith('com.example/') ? { method, params } : undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) continue;
    const result = answer(method, params, process.argv[2] ?? '');
    const error = { code: -32601, message: `No ${method} here.`, data: { said: 'the server' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
  }
}
