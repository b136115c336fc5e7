/**
 * A careless server: `node leaky-server.ts dies|works [ARGUMENT…]`. It prints its environment and
 * its arguments in every usual form; then it dies, or works and repeats them wherever a server can:
 * in its instructions, a tool's description, its log, on stdout beside the protocol, in its errors.
 */
import { createInterface } from 'node:readline';

/** Ways in which programs print a value. */
export function formsOf(value: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString('base64');
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const percent = pairs.map((pair) => `%${pair}`).join('');
  return {
    'base64, broken': folded(base64),
    'over two lines': folded(value),
    'base64 twice': Buffer.from(base64).toString('base64'),
    'base64 of an address': Buffer.from(encodeURIComponent(value)).toString('base64'),
    'hex with colons': pairs.join(':'),
    'hex with blanks': pairs.join(' '),
    'hex as a list': pairs.map((pair) => `0x${pair}`).join(', '),
    'unicode escapes': pairs.map((pair) => `\\u00${pair}`).join(''),
    'byte escapes': pairs.map((pair) => `\\x${pair}`).join(''),
    percent,
    'percent twice': encodeURIComponent(percent),
    entities: [...bytes].map((byte) => `&#${byte};`).join(''),
    plain: value,
    json: JSON.stringify(value).slice(1, -1),
    url: encodeURIComponent(value),
    base64,
    base64url: bytes.toString('base64url'),
    basic: Buffer.from(`user:${value}`).toString('base64'),
    hex: bytes.toString('hex'),
  };
}

/** As programs break a text that is too long for a line. */
function folded(text: string): string {
  return text.replaceAll(/.{18}(?=.)/g, '$&\n');
}

if (process.argv[1]?.endsWith('leaky-server.ts')) {
  const [mode, ...rest] = process.argv.slice(2);
  const values = Object.entries(process.env).filter(([name]) => name.startsWith('CANARY_'));
  const all = [...values.map(([, value = '']) => value), ...rest];
  const words = all.flatMap((value) => Object.values(formsOf(value)));
  for (const word of words) console.error(`I was given ${word} just now`);
  if (mode === 'dies') {
    console.error(`cannot log in with ${all.join(' and ')}`);
    process.exit(3);
  }
  serve(words);
}

function serve(words: readonly string[]): void {
  const send = (message: object): void => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  console.log(`I have ${words.join(' ')}`);
  console.log(`hello, I have ${words.at(-1)}`);
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'leaky', version: '1', about: words },
      capabilities: { tools: {}, logging: {} },
      instructions: `Use ${words.join(' ')}.`,
    },
    'tools/list': {
      tools: [
        { name: 'leak', description: words.join(' '), inputSchema: { type: 'object', examples: words } },
      ],
    },
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line) as { id?: number; method?: string }; // the hub sends JSON-RPC
    if (id === undefined || method === undefined) return;
    send({ method: 'notifications/message', params: { level: 'error', data: { given: words } } });
    const result = results[method];
    if (result) send({ id, result });
    else send({ id, error: { code: -32_601, message: `no ${method}: ${words.join(' ')}`, data: words } });
  });
}
