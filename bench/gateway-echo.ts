/**
 * A raw MCP server of both eras over stdio with one tool, `echo`, by hand: every gateway of the
 * benchmark stands before the same one, and what it costs is not what is measured.
 */
const TOOL = {
  name: 'echo',
  description: 'Answers with the text that it was given.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};
const CACHE = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' };
const INFO = { name: 'bench-echo', version: '1.0.0' };

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly text?: string } };
}

const { stdin, stdout } = process;
let rest = '';
stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let out = '';
  for (const line of lines) out += answer(JSON.parse(line) as Request); // whoever stands before it speaks JSON-RPC
  if (out !== '') stdout.write(out);
});

function answer({ id, method, params }: Request): string {
  if (id === undefined) return '';
  const result = resultOf(method, params);
  const outcome = result ? { result } : { error: { code: -32601, message: `There is no ${method}.` } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`;
}

function resultOf(method: string, params: Request['params']): object | undefined {
  switch (method) {
    case 'tools/call':
      return { resultType: 'complete', content: [{ type: 'text', text: params?.arguments?.text ?? '' }] };
    case 'tools/list':
      return { ...CACHE, tools: [TOOL] };
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion ?? '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: INFO,
      };
    case 'server/discover':
      return {
        ...CACHE,
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
      };
    case 'ping':
      return {};
    default:
      return undefined;
  }
}
