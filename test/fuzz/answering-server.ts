import { fileURLToPath } from 'node:url';

/** Stand for the id of the request and for a long text, wherever a message has them. */
export const ID = '@ID@';
export const MUCH = '@MUCH@';

/** What a server writes, and whether the last of it breaks off. */
export interface Written {
  readonly messages: readonly Buffer[];
  readonly end: 'whole' | 'half' | 'exit';
  readonly status: number;
  readonly type: string;
}

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

/** The arguments of a call: messages in base 64. */
type Asked = Omit<Written, 'messages'> & { readonly messages: readonly string[]; readonly much: number };

const TOOLS = [
  { name: 'loose', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  {
    name: 'shaped',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  },
  { name: 'good', inputSchema: { type: 'object' } },
];
const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: 'fuzzed', version: '1' },
  },
  'tools/list': { resultType: 'complete', tools: TOOLS, ttlMs: 0, cacheScope: 'private' },
  ping: {},
};
/** What makes a server modern. */
const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  serverInfo: { name: 'fuzzed', version: '1' },
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fuzzed', version: '1' } },
  ttlMs: 0,
  cacheScope: 'private',
};

/** A server that answers a call with the bytes that its arguments ask for, and everything else as it should. */
export function answerTo(text: string, era: 'legacy' | 'modern'): Written | undefined {
  const { id, method, params } = JSON.parse(text) as Request; // the hub writes nothing else
  if (id === undefined || method === undefined) return undefined;
  const plain = (body: object): Written => {
    const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    return { messages: [message], end: 'whole', status: 200, type: 'application/json' };
  };
  if (method !== 'tools/call') {
    const isDiscovery = era === 'modern' && method === 'server/discover';
    const result = isDiscovery ? DISCOVERED : RESULTS[method];
    return plain(result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result });
  }
  if (params?.name === 'good') {
    const good = plain({ result: { resultType: 'complete', content: [{ type: 'text', text: 'good' }] } });
    // An empty line ends the half one that an answer before it may have left.
    return { ...good, messages: [Buffer.alloc(0), ...good.messages] };
  }
  // As the test wrote it.
  const asked = params?.arguments as unknown as Asked;
  return { ...asked, messages: asked.messages.map((each) => filled(each, String(id), asked.much)) };
}

/** Latin 1 keeps every byte as it is. */
function filled(base64: string, id: string, much: number): Buffer {
  const text = Buffer.from(base64, 'base64')
    .toString('latin1')
    .replaceAll(ID, id)
    .replaceAll(MUCH, 'x'.repeat(much))
    .replaceAll(/@DEEP (\d+) (arrays|objects)@/g, (_, depth: string, kind: string) =>
      kind === 'arrays'
        ? '['.repeat(Number(depth)) + ']'.repeat(Number(depth))
        : `${'{"a":'.repeat(Number(depth))}1${'}'.repeat(Number(depth))}`,
    );
  return Buffer.from(text, 'latin1');
}

function write({ messages, end }: Written): void {
  for (const [at, message] of messages.entries()) {
    const isCut = end !== 'whole' && at === messages.length - 1;
    const line = Buffer.concat([message, NEWLINE]);
    process.stdout.write(isCut ? line.subarray(0, message.length / 2) : line);
  }
  if (end === 'exit') process.stdout.end(() => process.exit(1));
}

const NEWLINE = Buffer.from('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const written = answerTo(line, process.argv[2] === 'modern' ? 'modern' : 'legacy');
      if (written) write(written);
    }
  });
}
