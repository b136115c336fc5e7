import type { Look } from './page.ts';

/** What a screenshot shows, how it looks, and the definitions that must be read from it. */
export interface ScreenshotCase {
  readonly id: string;
  /** Rules are written against the first kind only; the second tells whether they generalise. */
  readonly group: 'tuned' | 'held-out';
  readonly text: string;
  readonly look: Look;
  readonly expected: readonly Expected[];
}

export interface Expected {
  readonly name?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const tunedCases: readonly ScreenshotCase[] = [
  json(
    'claude-desktop',
    { dark: true, font: 'DejaVu Sans Mono', sizePx: 14, scale: 1, chrome: 'editor' },
    'mcpServers',
    {
      harbor: { command: 'npx', args: ['-y', '@harbor-labs/mcp-server@1.4.2', '--root', '/srv/data'] },
    },
  ),
  json(
    'claude-env',
    { dark: false, font: 'Liberation Mono', sizePx: 14, scale: 2, chrome: 'plain' },
    'mcpServers',
    {
      weather: {
        command: 'npx',
        args: ['-y', 'weather-mcp'],
        env: { WEATHER_API_KEY: '<your-api-key>', UNITS: 'metric' },
      },
    },
  ),
  json(
    'cursor-remote',
    { dark: true, font: 'JetBrains Mono', sizePx: 13, scale: 2, chrome: 'editor' },
    'mcpServers',
    {
      ledger: { url: 'https://mcp.ledger.example/mcp', headers: { Authorization: 'Bearer ${LEDGER_TOKEN}' } },
    },
  ),
  json('vscode-http', { dark: true, font: 'Fira Code', sizePx: 15, scale: 1, chrome: 'editor' }, 'servers', {
    'issue-tracker': { type: 'http', url: 'https://tracker.example.com/api/mcp' },
  }),
  json('two-servers', { dark: false, font: 'Hack', sizePx: 14, scale: 1, chrome: 'editor' }, 'mcpServers', {
    notes: { command: 'uvx', args: ['mcp-notes', '--db', '/home/ana/notes.db'] },
    maps: {
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'MAPS_KEY', 'example/maps-mcp:2.1'],
      env: { MAPS_KEY: '${MAPS_KEY}' },
    },
  }),
  json(
    'readme',
    { dark: false, font: 'Liberation Mono', sizePx: 13, scale: 1, chrome: 'readme' },
    'mcpServers',
    {
      'pdf-tools': {
        command: 'uvx',
        args: ['--from', 'git+https://github.com/example/pdf-tools', 'pdf-tools-mcp'],
      },
    },
  ),
  json('windsurf', { dark: true, font: 'Hack', sizePx: 16, scale: 1, chrome: 'plain' }, 'mcpServers', {
    search: { serverUrl: 'https://search.example.org/sse' },
  }),
  json(
    'zed',
    { dark: false, font: 'JetBrains Mono', sizePx: 16, scale: 1, chrome: 'plain' },
    'context_servers',
    {
      'graph-memory': {
        source: 'custom',
        command: 'node',
        args: ['/opt/graph/dist/index.js', '--stdio'],
        env: {},
      },
    },
  ),
  json(
    'inline-args',
    { dark: true, font: 'DejaVu Sans Mono', sizePx: 13, scale: 2, chrome: 'plain', inlineLists: true },
    'mcpServers',
    {
      browser: {
        command: 'npx',
        args: ['@example/browser-mcp@latest', '--headless', '--viewport-size=1280x720'],
      },
      files: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/sam/Desktop'],
      },
    },
  ),
  json(
    'long-three',
    { dark: true, font: 'Fira Code', sizePx: 14, scale: 2, chrome: 'editor', inlineLists: true },
    'mcpServers',
    {
      postgres: { command: 'npx', args: ['-y', 'pg-mcp', 'postgresql://reader@localhost:5432/shop'] },
      sentinel: { url: 'https://mcp.sentinel.example/v1/mcp', headers: { 'X-Api-Key': '${SENTINEL_KEY}' } },
      timekeeper: { command: 'python3', args: ['-m', 'timekeeper.server', '--local-timezone=Europe/Lisbon'] },
    },
  ),
  json(
    'windows',
    { dark: false, font: 'DejaVu Sans Mono', sizePx: 15, scale: 1, chrome: 'plain' },
    'mcpServers',
    {
      archive: { command: 'cmd', args: ['/c', 'npx', '-y', 'archive-mcp'] },
    },
  ),
  json(
    'sans',
    { dark: false, font: 'Liberation Sans', sizePx: 15, scale: 2, chrome: 'plain' },
    'mcpServers',
    {
      tickets: {
        command: 'bunx',
        args: ['tickets-mcp', '--project', 'ALPHA'],
        env: { TICKETS_URL: 'https://tickets.example.com' },
      },
    },
  ),
  {
    id: 'codex-toml',
    group: 'tuned',
    look: { dark: true, font: 'JetBrains Mono', sizePx: 14, scale: 1, chrome: 'editor', language: 'toml' },
    text: `[mcp_servers.context-bank]
command = "npx"
args = ["-y", "@context-bank/mcp"]

[mcp_servers.context-bank.env]
BANK_REGION = "eu-west-1"`,
    expected: [
      {
        name: 'context-bank',
        command: 'npx',
        args: ['-y', '@context-bank/mcp'],
        env: { BANK_REGION: 'eu-west-1' },
      },
    ],
  },
  {
    id: 'codex-toml-url',
    group: 'tuned',
    look: { dark: false, font: 'Fira Code', sizePx: 14, scale: 2, chrome: 'plain', language: 'toml' },
    text: `[mcp_servers.figures]
url = "https://figures.example.com/mcp"
bearer_token_env_var = "FIGURES_TOKEN"`,
    expected: [
      {
        name: 'figures',
        url: 'https://figures.example.com/mcp',
        headers: { Authorization: 'Bearer ${FIGURES_TOKEN}' },
      },
    ],
  },
  {
    id: 'yaml-extensions',
    group: 'tuned',
    look: { dark: true, font: 'DejaVu Sans Mono', sizePx: 14, scale: 2, chrome: 'editor', language: 'yaml' },
    text: `mcpServers:
  garden:
    command: uvx
    args:
      - garden-mcp
      - --zone
      - north
    env:
      GARDEN_KEY: \${GARDEN_KEY}`,
    expected: [
      {
        name: 'garden',
        command: 'uvx',
        args: ['garden-mcp', '--zone', 'north'],
        env: { GARDEN_KEY: '${GARDEN_KEY}' },
      },
    ],
  },
  {
    id: 'yaml-light',
    group: 'tuned',
    look: { dark: false, font: 'Hack', sizePx: 15, scale: 1, chrome: 'plain', language: 'yaml' },
    text: `mcpServers:
  radio:
    type: streamable-http
    url: https://radio.example.net/mcp
    headers:
      X-Station: alpha-nine`,
    expected: [
      { name: 'radio', url: 'https://radio.example.net/mcp', headers: { 'X-Station': 'alpha-nine' } },
    ],
  },
  {
    id: 'shell-claude',
    group: 'tuned',
    look: {
      dark: true,
      font: 'DejaVu Sans Mono',
      sizePx: 14,
      scale: 1,
      chrome: 'terminal',
      language: 'shell',
    },
    text: '$ claude mcp add linen -- npx -y @linen/mcp-server --verbose',
    expected: [{ name: 'linen', command: 'npx', args: ['-y', '@linen/mcp-server', '--verbose'] }],
  },
  {
    id: 'shell-claude-http',
    group: 'tuned',
    look: { dark: true, font: 'Hack', sizePx: 13, scale: 2, chrome: 'terminal', language: 'shell' },
    text: '$ claude mcp add --transport http atlas https://mcp.atlas.example/mcp',
    expected: [{ name: 'atlas', url: 'https://mcp.atlas.example/mcp' }],
  },
  {
    id: 'shell-env',
    group: 'tuned',
    look: {
      dark: false,
      font: 'Liberation Mono',
      sizePx: 15,
      scale: 1,
      chrome: 'terminal',
      language: 'shell',
    },
    text: '$ claude mcp add --env PANTRY_KEY=abc123 pantry -- uvx pantry-mcp',
    expected: [{ name: 'pantry', command: 'uvx', args: ['pantry-mcp'], env: { PANTRY_KEY: 'abc123' } }],
  },
  {
    id: 'shell-codex',
    group: 'tuned',
    look: { dark: true, font: 'Fira Code', sizePx: 16, scale: 1, chrome: 'terminal', language: 'shell' },
    text: '$ codex mcp add ferry -- docker run -i --rm ferry/mcp:latest',
    expected: [{ name: 'ferry', command: 'docker', args: ['run', '-i', '--rm', 'ferry/mcp:latest'] }],
  },
];

interface JsonEntry extends Expected {
  readonly type?: string;
  readonly serverUrl?: string;
  readonly source?: string;
}

export function json(
  id: string,
  look: Omit<Look, 'language'> & { readonly inlineLists?: boolean; readonly compact?: boolean },
  root: string,
  entries: Readonly<Record<string, JsonEntry>>,
): ScreenshotCase {
  let text = JSON.stringify({ [root]: entries }, undefined, look.compact === true ? 0 : 2);
  if (look.inlineLists === true)
    text = text.replaceAll(
      /\[\s+([^\]]*?)\s+\]/g,
      (_all, items: string) => `[${items.replaceAll(/,\s+/g, ', ')}]`,
    );
  const expected = Object.entries(entries).map(
    ([name, { type: _type, source: _source, serverUrl, ...entry }]) => ({
      name,
      ...entry,
      ...(serverUrl === undefined ? {} : { url: serverUrl }),
    }),
  );
  return { id, group: 'tuned', text, look: { ...look, language: 'json' }, expected };
}
