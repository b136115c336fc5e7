import { json, type ScreenshotCase } from './cases.ts';

/** Harder looks: smallest sizes, other colours, tight lines, JPEG, a selection, a list of files beside the code. */
export const hardCases: readonly ScreenshotCase[] = [
  json(
    'tiny',
    { dark: true, font: 'DejaVu Sans Mono', sizePx: 12, scale: 1, chrome: 'editor' },
    'mcpServers',
    {
      quarry: {
        command: 'npx',
        args: ['-y', '@quarry/mcp', '--limit=250'],
        env: { QUARRY_TOKEN: '${QUARRY_TOKEN}' },
      },
    },
  ),
  json(
    'solarized',
    { dark: false, palette: 'solarized', font: 'Hack', sizePx: 13, scale: 2, chrome: 'editor' },
    'servers',
    {
      'byte-press': { type: 'stdio', command: 'uvx', args: ['byte-press-mcp==0.9.1'] },
      gazette: { type: 'http', url: 'https://gazette.example.io/mcp/v2' },
    },
  ),
  json(
    'monokai-tight',
    {
      dark: true,
      palette: 'monokai',
      font: 'Fira Code',
      sizePx: 14,
      scale: 1,
      chrome: 'plain',
      lineHeight: 1.25,
    },
    'mcpServers',
    {
      junction: {
        command: 'node',
        args: ['build/index.js'],
        env: { JUNCTION_URL: 'http://localhost:8080', LOG_LEVEL: 'debug' },
      },
    },
  ),
  json(
    'jpeg',
    { dark: false, font: 'JetBrains Mono', sizePx: 15, scale: 2, chrome: 'plain', image: 'jpg' },
    'mcpServers',
    {
      kiosk: {
        command: 'docker',
        args: ['run', '--rm', '-i', 'ghcr.io/example/kiosk-mcp'],
        env: { KIOSK_ID: 'kx-4471' },
      },
    },
  ),
  json(
    'selected',
    { dark: true, font: 'JetBrains Mono', sizePx: 14, scale: 2, chrome: 'editor', selected: 3 },
    'mcpServers',
    {
      vault: { command: 'npx', args: ['-y', 'vault-mcp@3.0.0', '--read-only'] },
    },
  ),
  json(
    'sidebar',
    { dark: true, font: 'DejaVu Sans Mono', sizePx: 14, scale: 2, chrome: 'editor', sidebar: true },
    'servers',
    {
      orchid: { command: 'npx', args: ['orchid-mcp', '--stdio'] },
    },
  ),
  json(
    'random-key',
    { dark: false, font: 'DejaVu Sans Mono', sizePx: 14, scale: 2, chrome: 'plain' },
    'mcpServers',
    {
      mint: { command: 'npx', args: ['mint-mcp'], env: { MINT_KEY: 'mk_7Yq2ZbXw9RtP4hVd' } },
    },
  ),
  json(
    'serif-mono',
    { dark: false, font: 'Liberation Mono', sizePx: 16, scale: 1, chrome: 'editor' },
    'mcpServers',
    {
      'file-cabinet': { command: 'uv', args: ['--directory', '/home/kim/cabinet', 'run', 'server.py'] },
    },
  ),
  json(
    'one-line',
    { dark: true, font: 'Hack', sizePx: 15, scale: 1, chrome: 'plain', compact: true },
    'mcpServers',
    {
      whisper: { url: 'https://whisper.example.dev/mcp' },
    },
  ),
  json(
    'readme-wide',
    { dark: false, font: 'DejaVu Sans Mono', sizePx: 14, scale: 2, chrome: 'readme', inlineLists: true },
    'mcpServers',
    {
      bakery: { command: 'npx', args: ['-y', 'mcp-remote', 'https://bakery.example.com/sse'] },
    },
  ),
  json(
    'dejavu-sans',
    { dark: true, font: 'DejaVu Sans', sizePx: 14, scale: 2, chrome: 'plain', inlineLists: true },
    'mcpServers',
    {
      comet: { command: 'uvx', args: ['comet-mcp', '--mode', 'fast'] },
    },
  ),
  {
    id: 'toml-two',
    group: 'tuned',
    look: { dark: false, font: 'Hack', sizePx: 13, scale: 2, chrome: 'editor', language: 'toml' },
    text: `[mcp_servers.lantern]
command = "uvx"
args = ["lantern-mcp", "--port", "7331"]
env = { LANTERN_MODE = "dim" }

[mcp_servers.beacon]
url = "https://beacon.example.org/mcp"`,
    expected: [
      {
        name: 'lantern',
        command: 'uvx',
        args: ['lantern-mcp', '--port', '7331'],
        env: { LANTERN_MODE: 'dim' },
      },
      { name: 'beacon', url: 'https://beacon.example.org/mcp' },
    ],
  },
  {
    id: 'yaml-editor',
    group: 'tuned',
    look: { dark: true, font: 'Fira Code', sizePx: 14, scale: 1, chrome: 'editor', language: 'yaml' },
    text: `mcpServers:
  meadow:
    command: npx
    args: ["-y", "meadow-mcp", "--season", "spring"]
  thicket:
    url: https://thicket.example.com/mcp
    type: sse`,
    expected: [
      { name: 'meadow', command: 'npx', args: ['-y', 'meadow-mcp', '--season', 'spring'] },
      { name: 'thicket', url: 'https://thicket.example.com/mcp' },
    ],
  },
  {
    id: 'shell-gemini',
    group: 'tuned',
    look: {
      dark: true,
      font: 'JetBrains Mono',
      sizePx: 14,
      scale: 1,
      chrome: 'terminal',
      language: 'shell',
      palette: 'monokai',
    },
    text: '$ gemini mcp add willow uvx willow-mcp --depth 3',
    expected: [{ name: 'willow', command: 'uvx', args: ['willow-mcp', '--depth', '3'] }],
  },
  {
    id: 'shell-header',
    group: 'tuned',
    look: { dark: false, font: 'Fira Code', sizePx: 15, scale: 2, chrome: 'terminal', language: 'shell' },
    text: '$ claude mcp add --transport http onyx https://onyx.example.com/mcp --header "X-Team: blue"',
    expected: [{ name: 'onyx', url: 'https://onyx.example.com/mcp', headers: { 'X-Team': 'blue' } }],
  },
];
