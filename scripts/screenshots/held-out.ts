import { json, type ScreenshotCase } from './cases.ts';

const shots: readonly ScreenshotCase[] = [
  json(
    'x-claude',
    { dark: true, font: 'JetBrains Mono', sizePx: 12, scale: 2, chrome: 'editor' },
    'mcpServers',
    {
      'river-log': {
        command: 'npx',
        args: ['-y', '@river/log-mcp', '--since=2026-01-01'],
        env: { RIVER_API_TOKEN: '${RIVER_API_TOKEN}' },
      },
    },
  ),
  json(
    'x-plain-12',
    { dark: false, font: 'Liberation Mono', sizePx: 12, scale: 2, chrome: 'plain' },
    'mcpServers',
    {
      jigsaw: { command: 'uvx', args: ['jigsaw-mcp', '--pieces', '500'] },
    },
  ),
  json('x-cursor', { dark: true, font: 'Hack', sizePx: 14, scale: 1, chrome: 'editor' }, 'mcpServers', {
    'bug-desk': { url: 'https://bugs.example.com/mcp/', headers: { Authorization: 'Bearer <token>' } },
  }),
  json(
    'x-vscode',
    { dark: false, font: 'DejaVu Sans Mono', sizePx: 13, scale: 1, chrome: 'editor' },
    'servers',
    {
      'code-lens': { type: 'stdio', command: 'node', args: ['${workspaceFolder}/dist/lens.js'] },
    },
  ),
  json('x-two', { dark: true, font: 'Fira Code', sizePx: 13, scale: 1, chrome: 'plain' }, 'mcpServers', {
    parcel: { command: 'npx', args: ['parcel-mcp', '--carrier', 'DHL'] },
    ruler: { command: 'uvx', args: ['ruler-mcp'], env: { RULER_UNIT: 'cm' } },
  }),
  json(
    'x-solar-dark',
    {
      dark: false,
      palette: 'solarized',
      font: 'JetBrains Mono',
      sizePx: 14,
      scale: 2,
      chrome: 'plain',
      inlineLists: true,
    },
    'mcpServers',
    {
      fresco: { command: 'docker', args: ['run', '-i', '--rm', 'fresco/mcp:1.0.7'] },
    },
  ),
  json(
    'x-jpeg',
    { dark: true, font: 'Hack', sizePx: 14, scale: 2, chrome: 'editor', image: 'jpg' },
    'mcpServers',
    {
      nimbus: { command: 'npx', args: ['-y', 'nimbus-mcp'], env: { NIMBUS_REGION: 'us-east-2' } },
    },
  ),
  json('x-readme', { dark: false, font: 'Hack', sizePx: 13, scale: 1, chrome: 'readme' }, 'mcpServers', {
    granite: { command: 'npx', args: ['-y', 'granite-mcp'] },
  }),
  json(
    'x-sidebar',
    { dark: true, font: 'Fira Code', sizePx: 14, scale: 2, chrome: 'editor', sidebar: true },
    'mcpServers',
    {
      lotus: { url: 'http://127.0.0.1:3845/mcp' },
    },
  ),
  json(
    'x-sans',
    { dark: false, font: 'DejaVu Sans', sizePx: 16, scale: 1, chrome: 'plain', inlineLists: true },
    'mcpServers',
    {
      pepper: { command: 'npx', args: ['pepper-mcp', '--hot'] },
    },
  ),
  {
    id: 'x-toml',
    group: 'held-out',
    look: { dark: false, font: 'DejaVu Sans Mono', sizePx: 14, scale: 1, chrome: 'plain', language: 'toml' },
    text: `[mcp_servers.ink-well]
command = "npx"
args = ["-y", "@inkwell/mcp@2.0.1"]

[mcp_servers.saddle]
url = "https://saddle.example.com/mcp"`,
    expected: [
      { name: 'ink-well', command: 'npx', args: ['-y', '@inkwell/mcp@2.0.1'] },
      { name: 'saddle', url: 'https://saddle.example.com/mcp' },
    ],
  },
  {
    id: 'x-yaml',
    group: 'held-out',
    look: { dark: true, font: 'Liberation Mono', sizePx: 14, scale: 2, chrome: 'editor', language: 'yaml' },
    text: `mcpServers:
  walnut:
    command: uvx
    args:
      - walnut-mcp
      - --shell=hard
  clover:
    type: streamable-http
    url: https://clover.example.com/mcp`,
    expected: [
      { name: 'walnut', command: 'uvx', args: ['walnut-mcp', '--shell=hard'] },
      { name: 'clover', url: 'https://clover.example.com/mcp' },
    ],
  },
  {
    id: 'x-shell',
    group: 'held-out',
    look: { dark: true, font: 'Hack', sizePx: 15, scale: 1, chrome: 'terminal', language: 'shell' },
    text: '$ claude mcp add --transport http cedar https://cedar.example.com/mcp',
    expected: [{ name: 'cedar', url: 'https://cedar.example.com/mcp' }],
  },
];

/** No rule was written against these: they tell whether the rules generalise. */
export const heldOutCases: readonly ScreenshotCase[] = shots.map((shot) => ({ ...shot, group: 'held-out' }));
