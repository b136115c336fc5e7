import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { parsePaste } from './parse-paste.ts';

const WHOLE = { name: 'acme', transport: 'stdio', command: 'npx', args: ['-y', '@acme/mcp'] };
const ENTRY = '"acme": {"command": "npx", "args": ["-y", "@acme/mcp"]}';

/** Damage, with the line and the words in which it is explained. */
const DAMAGE: Readonly<Record<string, readonly [text: string, line: number, what: string]>> = {
  'no outer braces': [`"mcpServers": {${ENTRY}}`, 1, 'braces'],
  'an entry alone, with a comma behind it': [`${ENTRY},`, 1, 'braces'],
  'a trailing comma': [
    '{"mcpServers": {\n"acme": {"command": "npx",\n"args": ["-y", "@acme/mcp",]}}}',
    3,
    'one too many',
  ],
  'a missing comma': [
    '{"mcpServers": {"acme": {\n"command": "npx"\n"args": ["-y", "@acme/mcp"]}}}',
    2,
    'comma was missing',
  ],
  'curly quotes': [
    '{“mcpServers”: {“acme”: {“command”: “npx”, “args”: [“-y”, “@acme/mcp”]}}}',
    1,
    'curly quotes',
  ],
  'single quotes': [
    "{'mcpServers': {'acme': {'command': 'npx', 'args': ['-y', '@acme/mcp']}}}",
    1,
    'double quote',
  ],
  'a JavaScript object': [
    "export default {\n  mcpServers: {\n    acme: { command: 'npx', args: ['-y', '@acme/mcp'] },\n  },\n};",
    2,
    'no quotes',
  ],
  'a list that holds names': [`{"context_servers": [ ${ENTRY} ]}`, 1, 'was read as { }'],
  'a missing closing quote': [
    '{"mcpServers": {"acme": {\n"command": "npx,\n"args": ["-y", "@acme/mcp"]}}}',
    2,
    'closing quote',
  ],
  'a missing closing brace': [`{"mcpServers": {${ENTRY}}`, 1, 'closing }'],
  'escaped quotes': [
    '{\\"mcpServers\\": {\\"acme\\": {\\"command\\": \\"npx\\", \\"args\\": [\\"-y\\", \\"@acme/mcp\\"]}}}',
    1,
    'escaped',
  ],
  'quotes as HTML': [
    '{&quot;mcpServers&quot;: {&quot;acme&quot;: {&quot;command&quot;: &quot;npx&quot;, &quot;args&quot;: [&quot;-y&quot;, &quot;@acme/mcp&quot;]}}}',
    1,
    '&quot;',
  ],
  'every line a comment': [`// {\n//   "mcpServers": {\n//     ${ENTRY}\n//   }\n// }`, 1, '(//)'],
  'every line in a block comment': [` * {\n *   "mcpServers": {\n *     ${ENTRY}\n *   }\n * }`, 1, '(*)'],
  'every line quoted': [`> {"mcpServers": {\n> ${ENTRY}\n> }}`, 1, '(>)'],
  'line numbers': [`1 | {"mcpServers": {\n2 |   ${ENTRY}\n3 | }}`, 1, 'line numbers'],
  'a diff': [
    `@@ -1,3 +1,4 @@\n {\n   "mcpServers": {\n-    "old": {"command": "old"}\n+    ${ENTRY}\n+  \n   }\n }`,
    1,
    'diff',
  ],
  'an escaped code fence': [
    `Add:\n\n\\\`\\\`\\\`json\n{"mcpServers": {${ENTRY}}}\n\\\`\\\`\\\``,
    3,
    'escaped code fence',
  ],
  'special spaces': [`{\u00a0"mcpServers":\u00a0{${ENTRY}}}`, 1, 'special spaces'],
  'invisible characters': [`{"mcp\u200bServers": {${ENTRY}}}`, 1, 'invisible'],
  'curly quotes in TOML': [
    '[mcp_servers.acme]\ncommand = “npx”\nargs = ["-y", "@acme/mcp"]',
    2,
    'curly quotes',
  ],
  'tabs in YAML': ['mcpServers:\n\tacme:\n\t\tcommand: npx\n\t\targs: ["-y", "@acme/mcp"]', 1, 'tabs'],
};

for (const [damage, [text, line, what]] of Object.entries(DAMAGE)) {
  verifies(
    ['S9'],
    `${damage}: repaired, with the line and the reason, and the corrected text is sound`,
    () => {
      const { servers, repair } = parsePaste(text);
      expect(servers).toMatchObject([WHOLE]);
      expect(repair?.changes).toContainEqual({ line, what: expect.stringContaining(what) });
      const again = parsePaste(repair?.text ?? '');
      expect(again.servers).toMatchObject([WHOLE]);
      expect(again.repair).toBeUndefined();
    },
  );
}

verifies(['S9'], 'a config that ends in the middle gives what was complete, and says that it was cut', () => {
  const { servers, problems, repair } = parsePaste(`{"mcpServers": {\n${ENTRY},\n"next": {"command": "np`);
  expect(servers).toMatchObject([WHOLE]);
  expect(problems).toContainEqual(
    expect.objectContaining({ severity: 'warning', message: expect.stringContaining('ends in the middle') }),
  );
  expect(JSON.parse(repair?.text ?? '')).toMatchObject({ mcpServers: { next: {} } });
  expect(repair?.text).not.toContain('"np"');
});

verifies(['S9'], 'single backslashes in a Windows path are kept, even where they look like escapes', () => {
  const { servers, repair } = parsePaste(
    String.raw`{"mcpServers": {"acme": {"command": "C:\tools\node.exe", "args": ["D:\new\acme.js"]}}}`,
  );
  expect(servers).toMatchObject([
    { command: String.raw`C:\tools\node.exe`, args: [String.raw`D:\new\acme.js`] },
  ]);
  expect(repair?.changes[0]?.what).toContain('backslashes');
  expect(JSON.parse(repair?.text ?? '')).toMatchObject({
    mcpServers: { acme: { command: String.raw`C:\tools\node.exe` } },
  });
});

verifies(['S9'], 'two documents in one text are both read', () => {
  const { servers, repair } = parsePaste(
    `// one\n{"servers": {${ENTRY}}}\n\n// two\n{"mcpServers": {"far": {"url": "https://acme.test/mcp"}}}`,
  );
  expect(servers.map(({ name }) => name)).toEqual(['acme', 'far']);
  // Nothing is wrong with that, so there is nothing to agree to.
  expect(repair).toBeUndefined();
});

verifies(['S9'], 'comments are no damage, and neither is a word left above the code', () => {
  const paste = parsePaste(
    `json\n// .vscode/mcp.json\n{\n  /* mine */ "servers": {${ENTRY}} // end\n}\nUse it well.`,
  );
  expect(paste.servers).toMatchObject([WHOLE]);
  expect(paste.repair).toBeUndefined();
});

/** Pastes with a mistake, the same without it, and the lines that differ. */
const MENDED: readonly (readonly [text: string, mended: string, ...lines: readonly number[]])[] = [
  [
    '{\n  // mine\n  "mcpServers": {\n    "acme": {\n      "command": "npx"\n      "args": ["-y", "@acme/mcp"],\n    }\n  }\n}\n',
    '{\n  // mine\n  "mcpServers": {\n    "acme": {\n      "command": "npx",\n      "args": ["-y", "@acme/mcp"]\n    }\n  }\n}\n',
    5,
    6,
  ],
  [
    '# Acme\n\nPut this in:\n\n```json\n"acme": {\n  "command": "npx",\n  "args": ["-y", “@acme/mcp”]\n},\n```\nThen restart.',
    '# Acme\n\nPut this in:\n\n```json\n{"acme": {\n  "command": "npx",\n  "args": ["-y", "@acme/mcp"]\n}}\n```\nThen restart.',
    6,
    8,
    9,
  ],
  [
    '{"servers": {\n  acme: {"command" = "npx",\n   "args": ["-y" "@acme/mcp"}}}',
    '{"servers": {\n  "acme": {"command" : "npx",\n   "args": ["-y", "@acme/mcp"]}}}',
    2,
    3,
  ],
];

for (const [text, mended, ...lines] of MENDED) {
  verifies(['S9'], `only the lines with a mistake change: ${lines.join(', ')}`, () => {
    const { servers, repair } = parsePaste(text);
    expect(servers).toMatchObject([WHOLE]);
    expect(repair?.text).toBe(mended);
    expect(repair?.lines.map(({ line }) => line)).toEqual(lines);
    const [before, after] = [text.split('\n'), mended.split('\n')];
    expect(repair?.lines).toEqual(
      lines.map((line) => ({ line, before: before[line - 1], after: after[line - 1] })),
    );
    expect(parsePaste(mended).repair).toBeUndefined();
  });
}
