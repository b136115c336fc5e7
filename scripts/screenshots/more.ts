import { json, type ScreenshotCase } from './cases.ts';

/** More of the same: JPEG at small sizes, four servers, serif letters, a selection on white. */
export const moreCases: readonly ScreenshotCase[] = [
  json(
    'small-light',
    { dark: false, font: 'DejaVu Sans Mono', sizePx: 12, scale: 1, chrome: 'editor' },
    'mcpServers',
    {
      'bird-watch': { command: 'npx', args: ['-y', '@birds/watch-mcp@0.12.3', '--region', 'PT-11'] },
    },
  ),
  json('small-hack', { dark: true, font: 'Hack', sizePx: 12, scale: 1, chrome: 'plain' }, 'mcpServers', {
    glacier: {
      command: 'uvx',
      args: ['glacier-mcp', '--cache-dir', '/tmp/glacier'],
      env: { GLACIER_API_KEY: 'YOUR_API_KEY' },
    },
  }),
  json(
    'monokai',
    {
      dark: true,
      palette: 'monokai',
      font: 'JetBrains Mono',
      sizePx: 13,
      scale: 1,
      chrome: 'editor',
      lineHeight: 1.3,
    },
    'mcpServers',
    {
      kettle: {
        url: 'https://kettle.example.com/api/v3/mcp',
        headers: { 'X-Kettle-Key': '${env:KETTLE_KEY}' },
      },
    },
  ),
  json(
    'solar',
    { dark: false, palette: 'solarized', font: 'Fira Code', sizePx: 16, scale: 1, chrome: 'plain' },
    'servers',
    {
      'quiz-box': {
        type: 'stdio',
        command: 'python',
        args: ['-m', 'quiz_box.server'],
        env: { QUIZ_LANG: 'fr' },
      },
    },
  ),
  json(
    'jpeg-dark',
    { dark: true, font: 'DejaVu Sans Mono', sizePx: 15, scale: 1, chrome: 'editor', image: 'jpg' },
    'mcpServers',
    {
      zephyr: { command: 'npx', args: ['zephyr-mcp@latest'] },
    },
  ),
  json(
    'jpeg-small',
    { dark: false, font: 'Liberation Mono', sizePx: 13, scale: 1, chrome: 'plain', image: 'jpg' },
    'mcpServers',
    {
      umbra: { command: 'node', args: ['./umbra.js', '--quiet'] },
    },
  ),
  json(
    'many',
    { dark: true, font: 'Hack', sizePx: 13, scale: 2, chrome: 'editor', inlineLists: true },
    'mcpServers',
    {
      github: {
        command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/example/github-mcp'],
        env: { GITHUB_TOKEN: '<token>' },
      },
      slides: { command: 'npx', args: ['-y', 'slides-mcp'] },
      jobs: { url: 'https://jobs.example.com/mcp' },
      exif: { command: 'uvx', args: ['--python', '3.12', 'exif-mcp'] },
    },
  ),
  json(
    'sidebar-light',
    { dark: false, font: 'JetBrains Mono', sizePx: 13, scale: 2, chrome: 'editor', sidebar: true },
    'mcpServers',
    {
      fjord: { command: 'npx', args: ['-y', 'fjord-mcp', '--bbox=10,59,11,60'] },
    },
  ),
  json(
    'selected-light',
    { dark: false, font: 'Fira Code', sizePx: 14, scale: 1, chrome: 'editor', selected: 5 },
    'mcpServers',
    {
      waltz: { command: 'npx', args: ['-y', 'waltz-mcp'], env: { WALTZ_BPM: '180' } },
    },
  ),
  json(
    'remote',
    { dark: true, font: 'Liberation Mono', sizePx: 15, scale: 2, chrome: 'plain' },
    'mcpServers',
    {
      quasar: {
        command: 'npx',
        args: ['mcp-remote', 'https://quasar.example.com/mcp', '--header', 'Authorization:${AUTH}'],
      },
    },
  ),
  json(
    'serif',
    { dark: false, font: 'Liberation Serif', sizePx: 18, scale: 2, chrome: 'plain', inlineLists: true },
    'mcpServers',
    {
      sonnet: { command: 'uvx', args: ['sonnet-mcp', '--lines', '14'] },
    },
  ),
  json(
    'sans-dark',
    { dark: true, font: 'DejaVu Sans', sizePx: 15, scale: 2, chrome: 'plain' },
    'mcpServers',
    {
      drum: { url: 'https://drum.example.com/mcp' },
    },
  ),
  {
    id: 'toml',
    group: 'tuned',
    look: {
      dark: true,
      font: 'DejaVu Sans Mono',
      sizePx: 13,
      scale: 1,
      chrome: 'editor',
      language: 'toml',
      palette: 'monokai',
    },
    text: `[mcp_servers.night_owl]
command = "npx"
args = ["-y", "night-owl-mcp", "--wake", "06:30"]
startup_timeout_sec = 20

[mcp_servers.night_owl.env]
OWL_HOME = "/var/lib/owl"`,
    expected: [
      {
        name: 'night_owl',
        command: 'npx',
        args: ['-y', 'night-owl-mcp', '--wake', '06:30'],
        env: { OWL_HOME: '/var/lib/owl' },
      },
    ],
  },
  {
    id: 'yaml',
    group: 'tuned',
    look: { dark: false, font: 'JetBrains Mono', sizePx: 13, scale: 2, chrome: 'readme', language: 'yaml' },
    text: `mcpServers:
  - name: Tide Tables
    command: npx
    args:
      - -y
      - tide-tables-mcp
    env:
      TIDE_PORT: Lisboa`,
    expected: [
      { name: 'Tide Tables', command: 'npx', args: ['-y', 'tide-tables-mcp'], env: { TIDE_PORT: 'Lisboa' } },
    ],
  },
  {
    id: 'shell-many',
    group: 'tuned',
    look: {
      dark: true,
      font: 'Liberation Mono',
      sizePx: 14,
      scale: 1,
      chrome: 'terminal',
      language: 'shell',
    },
    text: `$ claude mcp add violet -- npx -y violet-mcp@2
$ claude mcp add --transport sse amber https://amber.example.com/sse`,
    expected: [
      { name: 'violet', command: 'npx', args: ['-y', 'violet-mcp@2'] },
      { name: 'amber', url: 'https://amber.example.com/sse' },
    ],
  },
  {
    id: 'shell-json',
    group: 'tuned',
    look: { dark: false, font: 'Hack', sizePx: 14, scale: 2, chrome: 'terminal', language: 'shell' },
    text: `$ code --add-mcp '{"name":"plover","command":"uvx","args":["plover-mcp"]}'`,
    expected: [{ name: 'plover', command: 'uvx', args: ['plover-mcp'] }],
  },
];
