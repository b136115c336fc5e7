/** A server that starts only with `ACME_API_KEY` or `ACME_OAUTH_TOKEN`, and says so; a wrong one ends it. */
import { createInterface } from 'node:readline';

const key = process.env['ACME_API_KEY'] ?? process.env['ACME_OAUTH_TOKEN'];
if (key === undefined) {
  process.stderr.write('Either ACME_API_KEY or ACME_OAUTH_TOKEN is required\n');
  process.exit(1);
}
if (key.startsWith('wrong')) {
  process.stderr.write('Error: Invalid API key provided\n');
  process.exit(1);
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'acme', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'whoami', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
  },
  // Its end only: the hub masks the keys that it knows.
  'tools/call': { content: [{ type: 'text', text: `key ends with ${key.slice(-4)}` }] },
  ping: {},
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line) as { id?: number; method: string }; // sent by our own client
  if (id === undefined) return;
  const result = RESULTS[method];
  const error = { code: -32_601, message: 'Method not found' };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`);
});
