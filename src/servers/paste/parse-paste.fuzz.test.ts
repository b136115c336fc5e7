import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { patience } from '../../../test/suite/patience.ts';
import { shareOf } from '../../../test/suite/share-of.ts';
import { decodePayload } from './readers/deep-link.ts';
import { definitionFrom } from './definition-from.ts';
import { readLenientJson } from './lenient-json.ts';
import { parsePaste } from './parse-paste.ts';
import { Budget } from './view.ts';
import { readCommand } from './words.ts';

/** A paste that takes longer than this hangs, as a person sees it. */
const HANG_MS = patience(333);

/** Pieces of every format: put together at random they reach further than random letters. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '`',
  '“',
  '”',
  ':',
  ',',
  '\n',
  ' ',
  '\t',
  '\\',
  '//',
  '/*',
  '*/',
  '#',
  '=',
  '$',
  '${',
  '}}',
  '<',
  '>',
  '|',
  '&&',
  ';',
  '---',
  '- ',
  '```',
  '~~~',
  '%7B',
  '%',
  '...',
  '"mcpServers": {',
  '"acme": {',
  '"command": "npx"',
  '"args": ["-y", "acme"]',
  '"env": {"KEY": "your-key"}',
  '"url": "https://mcp.acme.test/mcp"',
  'servers:',
  'mcpServers:',
  'extensions:\n',
  '  acme:\n',
  '    cmd: npx\n',
  '[mcp_servers.acme]\n',
  'command = "npx"\n',
  'args = ["-y"]\n',
  'claude mcp add acme -- npx -y acme',
  'npx -y acme',
  'docker run -i --rm -e KEY acme',
  'uvx acme',
  '--env K=V',
  '-H "A: b"',
  'cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=',
  'vscode:mcp/install?',
  'goose://extension?cmd=npx&arg=-y',
  'https://',
  'https://github.com/acme/mcp',
  'eyJ1cmwiOiJodHRwczovL2FjbWUudGVzdC9tY3AifQ==',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '&a',
  '*a',
  '!!js',
  '<<:',
  '? ',
  '("acme" :command "npx"',
  'Name: `acme`',
  'URL: `https://acme.test/mcp`',
  '\u200b',
  '\u00a0',
  '\r\n',
  '\0',
  '🙂',
  '1. ',
  '> ',
  '+',
  '-',
  '@@',
];
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((parts) => parts.join(''));
const anything = fc.oneof(
  { weight: 3, arbitrary: pieces },
  { weight: 1, arbitrary: fc.string({ maxLength: 300, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
);

const VALID = [
  '{\n  "mcpServers": {\n    "acme": {\n      "command": "npx",\n      "args": ["-y", "@acme/mcp"],\n      "env": { "ACME_KEY": "your-key" }\n    },\n    "far": { "type": "sse", "url": "https://far.test/sse", "headers": { "Authorization": "Bearer ${TOKEN}" } }\n  }\n}',
  '[mcp_servers.acme]\ncommand = "npx"\nargs = ["-y", "acme"]\nstartup_timeout_sec = 20\n\n[mcp_servers.acme.env]\nKEY = "<key>"\n',
  'mcpServers:\n  - name: acme\n    command: npx\n    args:\n      - -y\n      - acme\n  - name: far\n    type: sse\n    url: https://far.test/sse\n',
  'extensions:\n  acme:\n    cmd: uvx\n    args: [acme]\n    envs: {A: 1}\n    env_keys: [KEY]\n    timeout: 300\n    type: stdio\n',
  'claude mcp add-json acme \'{"type":"http","url":"https://acme.test/mcp"}\' --scope user\n',
  'claude mcp add acme \\\n  --env KEY=abc= \\\n  -- docker run -i --rm -e KEY acme/mcp "two words"',
  'cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=eyJ1cmwiOiJodHRwczovL2FjbWUudGVzdC9tY3AifQ==',
  'https://vscode.dev/redirect/mcp/install?name=acme&config=%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22acme%22%5D%7D&inputs=%5B%5D',
  '# Acme\n\nAdd this:\n\n```json\n{"servers": {"acme": {"url": "https://acme.test/mcp"}}}\n```\n\nor run `npx -y acme`.\n\n| a | b |\n|---|---|\n| `x` | `uvx x-mcp` |\n',
  '(("acme" :command "npx" :args ("-y" "acme") :env (:KEY "x")))',
];

/** Cuts, flips, doubles and moves parts of what works. */
const damaged = fc
  .tuple(
    fc.constantFrom(...VALID),
    fc.array(fc.tuple(fc.nat(4), fc.nat(2_000), fc.nat(2_000), fc.constantFrom(...PIECES)), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, edits]) => edits.reduce(damage, text));

function damage(text: string, [kind, a, b, piece]: readonly [number, number, number, string]): string {
  const [from, to] = [a % (text.length + 1), b % (text.length + 1)].toSorted((x, y) => x - y) as [
    number,
    number,
  ]; // two numbers in, two out
  if (kind === 0) return text.slice(0, from);
  if (kind === 1) return text.slice(0, from) + text.slice(to);
  if (kind === 2) return text.slice(0, to) + text.slice(from);
  if (kind === 3) return text.slice(0, from) + piece + text.slice(from);
  return text.slice(0, from) + String.fromCharCode((text.charCodeAt(from) || 32) ^ 1) + text.slice(from + 1);
}

const PROTOTYPE = JSON.stringify(Object.getOwnPropertyNames(Object.prototype).toSorted());

/** Runs one input and holds what every input must keep: no throw, no hang, a clean prototype. */
function survive(read: () => void): void {
  // A busy machine may stall once; what hangs, hangs again.
  if (timeOf(read) > HANG_MS) expect(timeOf(read)).toBeLessThan(HANG_MS);
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype).toSorted())).toBe(PROTOTYPE);
}

function timeOf(read: () => void): number {
  const started = performance.now();
  read();
  return performance.now() - started;
}

function wellFormed(text: string): void {
  const paste = parsePaste(text);
  if (paste.servers.length === 0 && paste.problems.length === 0 && paste.notMcp === undefined)
    throw new Error(`Nothing was said about ${JSON.stringify(text)}`);
  for (const server of paste.servers) {
    if (server.transport === null && server.ref === undefined)
      throw new Error('A server must say how it is reached or where it is published.');
    if (server.command !== undefined || server.url !== undefined)
      definitionFrom(server, { source: { kind: 'manual' } });
  }
}

const RUNS = { numRuns: shareOf(20_000, 3_000), interruptAfterTimeLimit: 50_000 };

verifies(
  ['S8'],
  'whatever is pasted, the answer comes, and it says something',
  () => {
    fc.assert(
      fc.property(anything, (text) => survive(() => wellFormed(text))),
      RUNS,
    );
  },
  60_000,
);

verifies(
  ['S9'],
  'a config that was cut, flipped or doubled at random never breaks the parser',
  () => {
    fc.assert(
      fc.property(damaged, (text) => survive(() => wellFormed(text))),
      RUNS,
    );
  },
  60_000,
);

test('the tolerant JSON reader survives anything', () => {
  fc.assert(
    fc.property(anything, fc.boolean(), (text, members) =>
      survive(() => readLenientJson(text, 0, { members, budget: new Budget() })),
    ),
    RUNS,
  );
});

test('the config of a link survives anything', () => {
  fc.assert(
    fc.property(fc.oneof(anything, fc.base64String()), (text) =>
      survive(() => decodePayload(text, new Budget())),
    ),
    RUNS,
  );
});

test('the command reader survives anything and never loses a word of plain text', () => {
  fc.assert(
    fc.property(anything, (text) => survive(() => readCommand(text, 0, text.length))),
    RUNS,
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z0-9@./-]{1,12}$/), { minLength: 1 }), (words) => {
      expect(readCommand(words.join(' '), 0, 10_000).words.map(({ text }) => text)).toEqual(words);
    }),
  );
});

/** Texts that make careless patterns and parsers take for ever. */
const BOMBS: Readonly<Record<string, string>> = {
  braces: '{'.repeat(500_000),
  brackets: '['.repeat(500_000),
  'open members': '{"a":'.repeat(200_000),
  'open lists': '"a": [ "b": '.repeat(80_000),
  quotes: '"'.repeat(900_000),
  'lines of quotes': `npx '"\n`.repeat(140_000),
  backticks: '`a'.repeat(400_000),
  'nested dashes': '- '.repeat(400_000),
  'yaml keys': 'mcpServers:\n' + ' a:\n'.repeat(200_000),
  'yaml aliases': `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i ? `b${i - 1}` : 'a'},*${i ? `b${i - 1}` : 'a'},*${i ? `b${i - 1}` : 'a'}]`).join('\n')}\nmcpServers: *b29\n`,
  'toml headers': '[mcp_servers.a]\n'.repeat(60_000),
  'toml arrays': `[a]\nb = ${'['.repeat(100_000)}`,
  spaces: ' '.repeat(1_000_000) + 'x',
  'open comments': '/*'.repeat(400_000),
  'angle brackets': '<'.repeat(900_000),
  addresses: 'https://a.test/mcp '.repeat(50_000),
  'one long address': `https://a.test/${'your-'.repeat(190_000)}`,
  links: 'cursor://x/mcp/install?config='.repeat(30_000),
  'add commands': 'claude mcp add a -- b\n'.repeat(45_000),
  'add commands with other variables': Array.from(
    { length: 25_000 },
    (_, i) => `claude mcp add a -e K=${i} -- b`,
  ).join('\n'),
  'long value': JSON.stringify({ mcpServers: { a: { command: 'x', args: ['x'.repeat(900_000)] } } }),
  'long words': `{"mcpServers":{"a":{"command":"x","env":{"K":"${'put with '.repeat(90_000)}"}}}}`,
  carets: '^'.repeat(900_000),
  dollars: '${'.repeat(450_000),
  lisp: '("a" :b '.repeat(120_000),
  labels: 'name: url: command: '.repeat(45_000),
  'many servers': JSON.stringify({
    mcpServers: Object.fromEntries(
      Array.from({ length: 9_000 }, (_, i) => [`s${i}`, { command: 'npx', args: ['-y', `p${i}`] }]),
    ),
  }),
};

for (const [name, bomb] of Object.entries(BOMBS)) {
  test(`a million characters of ${name} are answered in time`, () => {
    const started = performance.now();
    const paste = parsePaste(bomb);
    expect(paste.format).not.toBe('');
    // Reading stops at its budget; what surrounds it, and a busy machine, get some more.
    expect(performance.now() - started).toBeLessThan(4 * HANG_MS);
  }, 20_000);
}
