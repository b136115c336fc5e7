/**
 * A raw MCP server of 2026-07-28 over stdio, by hand, so that what it costs is not what is measured.
 * `echo` answers with its text, `big` with as many bytes as asked for.
 */
const { stdin, stdout } = process;
const TOOLS = [
  {
    name: 'echo',
    description: 'Answers with the text that it was given.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'big',
    description: 'Answers with so many bytes.',
    inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] },
    annotations: { readOnlyHint: true },
  },
];

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

let rest = '';
stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let out = '';
  for (const line of lines) out += answer(JSON.parse(line) as Request); // only our own clients talk to it
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
    case 'server/discover':
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 60_000,
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench-echo', version: '1.0.0' } },
      };
    case 'tools/list':
      return { resultType: 'complete', tools: TOOLS, ttlMs: 60_000, cacheScope: 'public' };
    case 'tools/call': {
      const args = params?.arguments ?? {};
      const text = params?.name === 'big' ? 'x'.repeat(Number(args['bytes'])) : String(args['text']);
      return { resultType: 'complete', content: [{ type: 'text', text }], isError: false };
    }
    default:
      return undefined;
  }
}
