import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { parsePaste } from './parse-paste.ts';
import type { FeaturedLookup, PastedServer } from './paste.ts';

/** The fields that say what runs or is contacted. */
function essence({
  name,
  transport,
  command,
  args,
  env,
  cwd,
  url,
  headers,
  disabled,
  needs,
  ref,
}: PastedServer): Partial<PastedServer> {
  const all = { name, transport, command, args, env, cwd, url, headers, disabled, needs, ref };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function read(text: string): readonly Partial<PastedServer>[] {
  return parsePaste(text).servers.map(essence);
}

const NPX: Partial<PastedServer> = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', '@acme/mcp'],
  needs: [],
};
const FAR: Partial<PastedServer> = { transport: 'http', url: 'https://acme.test/mcp', needs: [] };
const base64 = (value: unknown): string => btoa(JSON.stringify(value));

const CLIENTS: Readonly<
  Record<string, readonly [text: string, format: string, ...servers: readonly Partial<PastedServer>[]]>
> = {
  'Claude Desktop': [
    '{"mcpServers":{"acme":{"command":"npx","args":["-y","@acme/mcp"]}}}',
    'mcp.json (mcpServers), 1 server',
    { name: 'acme', ...NPX },
  ],
  'Claude Code, with projects': [
    '{"mcpServers":{"a":{"type":"http","url":"https://acme.test/mcp"}},"projects":{"/home/ann/x":{"mcpServers":{"b":{"type":"sse","url":"https://b.test/x"}}}}}',
    'Claude Code .claude.json, 2 servers',
    { name: 'a', ...FAR },
    { name: 'b', transport: 'sse', url: 'https://b.test/x', needs: [] },
  ],
  Cursor: [
    '{"mcpServers":{"acme":{"url":"https://acme.test/mcp","headers":{"X-Key":"${env:ACME_KEY}"}}}}',
    'mcp.json (mcpServers), 1 server',
    { name: 'acme', ...FAR, headers: { 'X-Key': '${env:ACME_KEY}' }, needs: ['ACME_KEY'] },
  ],
  'VS Code': [
    '{"servers":{"acme":{"type":"stdio","command":"npx","args":["-y","@acme/mcp"],"env":{"K":"${input:key}"}},"b":{"type":"http","url":"https://acme.test/mcp"}},"inputs":[{"type":"promptString","id":"key","description":"Acme key","password":true}]}',
    'VS Code mcp.json, 2 servers',
    { name: 'acme', ...NPX, env: { K: '${input:key}' }, needs: ['key'] },
    { name: 'b', ...FAR },
  ],
  'VS Code settings, nested': [
    '{"mcp":{"servers":{"acme":{"command":"npx","args":["-y","@acme/mcp"]}}}}',
    'VS Code mcp.json, 1 server',
    { name: 'acme', ...NPX },
  ],
  'VS Code settings, dotted': [
    '{"mcp.servers":{"acme":{"command":"npx","args":["-y","@acme/mcp"]}}}',
    'VS Code settings.json, 1 server',
    { name: 'acme', ...NPX },
  ],
  'Gemini CLI': [
    '{"mcpServers":{"acme":{"httpUrl":"https://acme.test/sse","timeout":600000,"trust":false}}}',
    'Gemini CLI settings.json, 1 server',
    { name: 'acme', transport: 'http', url: 'https://acme.test/sse', needs: [] },
  ],
  Codex: [
    '[mcp_servers.acme]\ncommand = "npx"\nargs = ["-y", "@acme/mcp"]\nstartup_timeout_sec = 20\n\n[mcp_servers.far]\nurl = "https://acme.test/mcp"\nbearer_token_env_var = "ACME_TOKEN"\nenabled = false\n',
    'Codex config.toml, 2 servers',
    { name: 'acme', ...NPX },
    {
      name: 'far',
      ...FAR,
      headers: { Authorization: 'Bearer ${ACME_TOKEN}' },
      disabled: true,
      needs: ['ACME_TOKEN'],
    },
  ],
  opencode: [
    '{"mcp":{"acme":{"type":"local","command":["npx","-y","@acme/mcp"],"environment":{"K":"{env:ACME_KEY}"},"enabled":true}}}',
    'opencode.json, 1 server',
    { name: 'acme', ...NPX, env: { K: '{env:ACME_KEY}' }, disabled: false, needs: ['ACME_KEY'] },
  ],
  goose: [
    'extensions:\n  acme:\n    name: Acme\n    type: stdio\n    cmd: npx\n    args: [-y, "@acme/mcp"]\n    envs: {LEVEL: 1}\n    env_keys: [ACME_KEY]\n    enabled: true\n    timeout: 300\n  developer:\n    type: builtin\n    name: developer\n',
    'goose config.yaml, 1 server',
    { name: 'acme', ...NPX, env: { LEVEL: '1' }, disabled: false, needs: ['ACME_KEY'] },
  ],
  Zed: [
    '{"context_servers":{"acme":{"command":{"path":"npx","args":["-y","@acme/mcp"],"env":{}},"settings":{}}}}',
    'Zed settings.json, 1 server',
    { name: 'acme', ...NPX },
  ],
  Windsurf: [
    '{"mcpServers":{"acme":{"serverUrl":"https://acme.test/mcp"}}}',
    'Windsurf mcp_config.json, 1 server',
    { name: 'acme', ...FAR },
  ],
  Continue: [
    'name: Acme\nschema: v1\nmcpServers:\n  - name: acme\n    type: streamable-http\n    url: https://acme.test/mcp\n    requestOptions:\n      headers:\n        Authorization: Bearer ${{ secrets.ACME_KEY }}\n',
    'Continue config.yaml, 1 server',
    {
      name: 'acme',
      ...FAR,
      headers: { Authorization: 'Bearer ${{ secrets.ACME_KEY }}' },
      needs: ['ACME_KEY'],
    },
  ],
  LibreChat: [
    'mcpServers:\n  acme:\n    type: sse\n    url: https://acme.test/events\n    timeout: 60000\n',
    'LibreChat librechat.yaml, 1 server',
    { name: 'acme', transport: 'sse', url: 'https://acme.test/events', needs: [] },
  ],
  Cline: [
    '{"mcpServers":{"acme":{"type":"streamableHttp","url":"https://acme.test/mcp","disabled":true,"autoApprove":[]}}}',
    'Cline mcp settings, 1 server',
    { name: 'acme', ...FAR, disabled: true },
  ],
  Amp: [
    '{"amp.mcpServers":{"acme":{"command":"npx","args":["-y","@acme/mcp"]}}}',
    'Amp settings.json, 1 server',
    { name: 'acme', ...NPX },
  ],
  'mcp.el': [
    '(setq mcp-hub-servers \'(("acme" :command "npx" :args ("-y" "@acme/mcp")) ("far" :url "https://acme.test/mcp")))',
    'mcp.el (mcp-hub-servers), 2 servers',
    { name: 'acme', ...NPX },
    { name: 'far', ...FAR },
  ],
  'a list in an API request': [
    '{"mcp_servers":[{"type":"url","name":"acme","url":"https://acme.test/mcp","authorization_token":"<token>"}]}',
    'an API request with MCP servers, 1 server',
    { name: 'acme', ...FAR, headers: { Authorization: 'Bearer <token>' }, needs: ['token'] },
  ],
  'one bare entry': [
    '{"command":"npx","args":["-y","@acme/mcp"],"cwd":"/srv"}',
    'a server entry in JSON, 1 server',
    { name: null, ...NPX, cwd: '/srv' },
  ],
  'a bare map': [
    '{"acme":{"command":"npx -y @acme/mcp"}}',
    'a server entry in JSON, 1 server',
    { name: 'acme', ...NPX },
  ],
  "a registry's server.json": [
    '{"name":"io.github.acme/tools","version":"1.2.0","packages":[{"registryType":"npm","identifier":"@acme/mcp","version":"1.2.0"}]}',
    'a registry document, 1 server',
    {
      name: 'tools',
      ...NPX,
      args: ['-y', '@acme/mcp@1.2.0'],
      ref: { kind: 'mcp-registry', id: 'io.github.acme/tools', version: '1.2.0' },
    },
  ],
};

for (const [client, [text, format, ...servers]] of Object.entries(CLIENTS)) {
  verifies(['S8'], `a config of ${client} is understood as it stands`, () => {
    expect(read(text)).toEqual(servers);
    expect(parsePaste(text).format).toBe(format);
    expect(parsePaste(text).repair).toBeUndefined();
  });
}

const LINKS: Readonly<Record<string, readonly [string, Partial<PastedServer>]>> = {
  'Cursor, base64': [
    `cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=${base64({ url: 'https://acme.test/mcp' })}`,
    { name: 'acme', ...FAR },
  ],
  'Cursor, base64 without padding': [
    `https://cursor.com/en/install-mcp?name=acme&config=${base64({ command: 'npx -y @acme/mcp' }).replaceAll('=', '')}`,
    { name: 'acme', ...NPX },
  ],
  'Cursor, URL-safe base64': [
    `cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=${base64({
      command: 'npx',
      args: ['-y', '@acme/mcp'],
      note: '???>>>',
    })
      .replaceAll('+', '-')
      .replaceAll('/', '_')}`,
    { name: 'acme', ...NPX },
  ],
  'VS Code, the whole object': [
    `vscode:mcp/install?${encodeURIComponent('{"name":"acme","type":"http","url":"https://acme.test/mcp"}')}`,
    { name: 'acme', ...FAR },
  ],
  'VS Code, inside a redirect': [
    `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent('{"name":"acme","url":"https://acme.test/mcp"}')}`)}`,
    { name: 'acme', ...FAR },
  ],
  'VS Code, with inputs': [
    `https://insiders.vscode.dev/redirect/mcp/install?name=acme&config=${encodeURIComponent('{"command":"npx","args":["-y","@acme/mcp","${input:key}"]}')}&inputs=${encodeURIComponent('[{"id":"key","type":"promptString","password":true}]')}`,
    { name: 'acme', ...NPX, args: ['-y', '@acme/mcp', '${input:key}'], needs: ['key'] },
  ],
  'LM Studio': [
    `lmstudio://add_mcp?name=acme&config=${base64({ command: 'npx', args: ['-y', '@acme/mcp'] })}`,
    { name: 'acme', ...NPX },
  ],
  'goose, a command': [
    'goose://extension?cmd=npx&arg=-y&arg=%40acme%2Fmcp&id=acme&name=Acme%20Tools&env=ACME_KEY%3DAcme%20key',
    { name: 'Acme Tools', ...NPX, env: { ACME_KEY: 'Acme key' }, needs: ['ACME_KEY'] },
  ],
  'goose, an address': [
    'goose://extension?type=streamable_http&url=https%3A%2F%2Facme.test%2Fmcp&name=Acme&header=X-Key%3DYOUR_KEY',
    { name: 'Acme', ...FAR, headers: { 'X-Key': 'YOUR_KEY' }, needs: ['YOUR_KEY'] },
  ],
  LobeHub: [
    `lobehub://plugin/install?id=acme&schema=${encodeURIComponent('{"identifier":"acme","config":{"type":"http","url":"https://acme.test/mcp"}}')}`,
    { name: 'acme', ...FAR },
  ],
};

for (const [link, [text, server]] of Object.entries(LINKS)) {
  verifies(['S8'], `an install link is decoded: ${link}`, () => {
    expect(read(text)).toEqual([server]);
    expect(read(`[Install](${text})`)).toEqual([server]);
  });
}

verifies(['S8', 'S9'], 'a link that was cut off says so instead of failing in silence', () => {
  const whole = `cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=${base64({ command: 'npx', args: ['-y', '@acme/mcp'], env: { LEVEL: 'info' } })}`;
  const cut = parsePaste(whole.slice(0, -12));
  expect(cut.servers.map(essence)).toEqual([{ name: 'acme', ...NPX }]);
  expect(cut.problems[0]).toMatchObject({
    severity: 'warning',
    owner: 'you',
    message: expect.stringContaining('cut off'),
  });
  const empty = parsePaste(whole.slice(0, whole.indexOf('config=') + 12));
  expect(empty.servers).toEqual([]);
  expect(empty.problems[0]).toMatchObject({ severity: 'error', message: expect.stringContaining('cut off') });
});

const COMMANDS: Readonly<Record<string, Partial<PastedServer>>> = {
  'npx -y @acme/mcp': { name: null, ...NPX },
  '$ ACME_KEY=your-key npx -y @acme/mcp': {
    name: null,
    ...NPX,
    env: { ACME_KEY: 'your-key' },
    needs: ['ACME_KEY'],
  },
  'uvx acme-mcp --root ~/x': {
    name: null,
    transport: 'stdio',
    command: 'uvx',
    args: ['acme-mcp', '--root', '~/x'],
    needs: [],
  },
  'docker run -i --rm -e ACME_KEY -e LEVEL=info acme/mcp': {
    name: null,
    transport: 'stdio',
    command: 'docker',
    args: ['run', '-i', '--rm', '-e', 'ACME_KEY', '-e', 'LEVEL=info', 'acme/mcp'],
    needs: ['ACME_KEY'],
  },
  'node /path/to/acme/index.js': {
    name: null,
    transport: 'stdio',
    command: 'node',
    args: ['/path/to/acme/index.js'],
    needs: ['/path/to/acme/index.js'],
  },
  'python -m acme_mcp': {
    name: null,
    transport: 'stdio',
    command: 'python',
    args: ['-m', 'acme_mcp'],
    needs: [],
  },
  'claude mcp add acme -- npx -y @acme/mcp': { name: 'acme', ...NPX },
  'claude mcp add acme npx -y @acme/mcp --env ACME_KEY=abc==': {
    name: 'acme',
    ...NPX,
    env: { ACME_KEY: 'abc==' },
  },
  'claude mcp add --transport sse acme https://acme.test/x --header "X-Key: a:b"': {
    name: 'acme',
    transport: 'sse',
    url: 'https://acme.test/x',
    headers: { 'X-Key': 'a:b' },
    needs: [],
  },
  'claude mcp add acme "npx -y @acme/mcp"': { name: 'acme', ...NPX },
  [`claude mcp add-json acme '{"type":"http","url":"https://acme.test/mcp"}' --scope user`]: {
    name: 'acme',
    ...FAR,
  },
  'claude mcp add acme \\\n  -s user \\\n  -- npx -y @acme/mcp': { name: 'acme', ...NPX },
  'claude mcp add acme `\n  -- npx -y @acme/mcp': { name: 'acme', ...NPX },
  'claude mcp add acme ^\n  -- npx -y @acme/mcp': { name: 'acme', ...NPX },
  'claude mcp add-json acme "{`"url`":`"https://acme.test/mcp`"}"': { name: 'acme', ...FAR },
  'codex mcp add acme --url https://acme.test/mcp --bearer-token-env-var ACME_TOKEN': {
    name: 'acme',
    ...FAR,
    headers: { Authorization: 'Bearer ${ACME_TOKEN}' },
    needs: ['ACME_TOKEN'],
  },
  'gemini mcp add -s user -e K=v acme npx -y @acme/mcp': { name: 'acme', ...NPX, env: { K: 'v' } },
  'opencode mcp add acme --url https://acme.test/mcp --header X-Key=abc': {
    name: 'acme',
    ...FAR,
    headers: { 'X-Key': 'abc' },
  },
  [`code --add-mcp '{"name":"acme","command":"npx","args":["-y","@acme/mcp"]}'`]: { name: 'acme', ...NPX },
  'code --add-mcp "{\\"name\\":\\"acme\\",\\"url\\":\\"https://acme.test/mcp\\"}"': { name: 'acme', ...FAR },
  'goose session --with-extension "K=v npx -y @acme/mcp"': { name: null, ...NPX, env: { K: 'v' } },
  'npx -y @smithery/cli install @acme/tools --client claude': {
    name: 'tools',
    transport: null,
    needs: [],
    ref: { kind: 'smithery', id: '@acme/tools' },
  },
  'smithery mcp add acme/tools': {
    name: 'tools',
    transport: null,
    needs: [],
    ref: { kind: 'smithery', id: 'acme/tools' },
  },
  'npx add-mcp https://acme.test/mcp --name acme': { name: 'acme', ...FAR },
  'npx @modelcontextprotocol/inspector npx -y @acme/mcp': { name: null, ...NPX },
  'docker mcp server enable acme': {
    name: 'acme',
    transport: null,
    needs: [],
    ref: { kind: 'docker-catalog', id: 'acme' },
  },
  'cd acme && npx -y @acme/mcp': { name: null, ...NPX },
  '$env:K = "v"; npx -y @acme/mcp': { name: null, ...NPX, env: { K: 'v' } },
};

for (const [command, server] of Object.entries(COMMANDS)) {
  verifies(['S8'], `a command is understood: ${command}`, () => {
    expect(read(command)).toEqual([server]);
  });
}

const REFS: Readonly<Record<string, Partial<PastedServer>>> = {
  'https://www.npmjs.com/package/@acme/mcp': { name: 'mcp', ...NPX, ref: { kind: 'npm', id: '@acme/mcp' } },
  '@acme/mcp': { name: 'mcp', ...NPX, ref: { kind: 'npm', id: '@acme/mcp' } },
  'https://pypi.org/project/acme-mcp/': {
    name: 'acme-mcp',
    transport: 'stdio',
    command: 'uvx',
    args: ['acme-mcp'],
    needs: [],
    ref: { kind: 'pypi', id: 'acme-mcp' },
  },
  'https://github.com/acme/tools/tree/main/src/mail': {
    name: 'mail',
    transport: null,
    needs: [],
    ref: { kind: 'github', id: 'acme/tools' },
  },
  'git clone https://github.com/acme/tools.git': {
    name: 'tools',
    transport: null,
    needs: [],
    ref: { kind: 'github', id: 'acme/tools' },
  },
  'https://smithery.ai/server/@acme/tools': {
    name: 'tools',
    transport: null,
    needs: [],
    ref: { kind: 'smithery', id: '@acme/tools' },
  },
  'https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Ftools/versions/1.0.1': {
    name: 'tools',
    transport: null,
    needs: [],
    ref: { kind: 'mcp-registry', id: 'io.github.acme/tools', version: '1.0.1' },
  },
  'https://glama.ai/mcp/servers/acme/tools': {
    name: 'tools',
    transport: null,
    needs: [],
    ref: { kind: 'glama', id: 'acme/tools' },
  },
  'https://hub.docker.com/r/mcp/acme': {
    name: 'acme',
    transport: null,
    needs: [],
    ref: { kind: 'docker', id: 'mcp/acme' },
  },
};

for (const [link, server] of Object.entries(REFS)) {
  verifies(['S8'], `a link to where a server is published is understood: ${link}`, () => {
    expect(read(link)).toEqual([server]);
  });
}

verifies(['S8'], 'an address is enough, alone or in a sentence', () => {
  expect(read('https://acme.test/mcp')).toEqual([{ name: null, ...FAR }]);
  expect(read('Please add this MCP server: `https://acme.test/sse`.')).toEqual([
    { name: null, transport: 'sse', url: 'https://acme.test/sse', needs: [] },
  ]);
  expect(read('wss://acme.test/ws')).toEqual([
    { name: null, transport: 'ws', url: 'wss://acme.test/ws', needs: [] },
  ]);
  expect(read('https://your-team.acme.test/mcp?key=YOUR_KEY')[0]?.needs).toEqual(['your-team', 'YOUR_KEY']);
});

verifies(['S8'], 'instructions for people are read like a form', () => {
  const text =
    '1. Open **Settings**\n2. Name: `acme`\n3. Transport: `Streamable HTTP`\n4. URL: `https://acme.test/mcp`\n5. Header: Authorization: Bearer <token>';
  expect(read(text)).toEqual([
    { name: 'acme', ...FAR, headers: { Authorization: 'Bearer <token>' }, needs: ['token'] },
  ]);
  expect(read('Name: `acme`\nCommand: `npx -y @acme/mcp`')).toEqual([{ name: 'acme', ...NPX }]);
  expect(read('Use `"command": "npx"` with `"args": ["-y", "@acme/mcp"]`.')).toEqual([
    { name: null, ...NPX },
  ]);
});

verifies(['S8'], 'a README gives each distinct definition once, in order', () => {
  const readme = `# Acme\n\n[Install](cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=${base64({ command: 'npx', args: ['-y', '@acme/mcp'] })})\n\n\`\`\`json\n{"mcpServers":{"acme":{"command":"npx","args":["-y","@acme/mcp"]}}}\n\`\`\`\n\nOr with Docker:\n\n\`\`\`json\n"acme": {"command": "docker", "args": ["run", "-i", "--rm", "acme/mcp"]}\n\`\`\`\n\n\`\`\`bash\nclaude mcp add acme -- npx -y @acme/mcp\nnpm install\n\`\`\`\n\nSee https://github.com/acme/mcp and https://acme.test/docs.\n`;
  expect(read(readme)).toEqual([
    { name: 'acme', ...NPX },
    {
      name: 'acme',
      transport: 'stdio',
      command: 'docker',
      args: ['run', '-i', '--rm', 'acme/mcp'],
      needs: [],
    },
  ]);
});

test('two accounts of the same server in one file stay two', () => {
  const text =
    '{"mcpServers":{"work":{"url":"https://acme.test/mcp"},"home":{"url":"https://acme.test/mcp"}}}';
  expect(read(text).map(({ name }) => name)).toEqual(['work', 'home']);
});

verifies(['S8'], 'plain words are looked up in the built-in table, and nowhere else', () => {
  const featured: FeaturedLookup = {
    find: (words) =>
      words === 'acme mail'
        ? { id: 'acme-mail', name: 'Acme Mail', url: 'https://mail.acme.test/mcp' }
        : undefined,
  };
  const paste = parsePaste('please connect me to Acme Mail', { featured });
  expect(paste.servers.map(essence)).toEqual([
    {
      name: 'Acme Mail',
      transport: 'http',
      url: 'https://mail.acme.test/mcp',
      needs: [],
      ref: { kind: 'featured', id: 'acme-mail' },
    },
  ]);
  expect(paste.format).toBe('plain words, 1 server');
  expect(parsePaste('please connect me to Acme Mail').servers).toEqual([]);
});

verifies(['S8'], "a registry's name is that server, whatever well-known words it is made of", () => {
  const featured: FeaturedLookup = {
    find: (words) => (words === 'files' ? { id: 'filesystem', name: 'Filesystem' } : undefined),
  };
  const refs = (text: string): readonly unknown[] =>
    parsePaste(text, { featured }).servers.map(({ ref }) => ref);
  const acme = { kind: 'mcp-registry', id: 'io.github.acme/files' };
  expect(refs('io.github.acme/files')).toEqual([acme]);
  expect(refs(' io.github.acme/files@1.2.3\n')).toEqual([{ ...acme, version: '1.2.3' }]);
  expect(refs('please add io.github.acme/files')).toEqual([acme]);
  expect(refs('com.acme/mcp')).toEqual([{ kind: 'mcp-registry', id: 'com.acme/mcp' }]);
  // Somebody's server of that name is not the well-known one either.
  expect(refs('acme/files')).toEqual([]);
  expect(refs('files')).toEqual([{ kind: 'featured', id: 'filesystem' }]);
  expect(parsePaste('app.acme.com/mcp', { featured }).servers).toMatchObject([
    { url: 'https://app.acme.com/mcp' },
  ]);
});

verifies(['S8'], 'nine of ten entries are read, and the tenth is named', () => {
  const entries = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`s${index}`, { command: 'npx', args: [`p${index}`] }]),
  );
  const paste = parsePaste(JSON.stringify({ mcpServers: { ...entries, broken: { disabled: true } } }));
  expect(paste.servers).toHaveLength(9);
  expect(paste.problems).toEqual([
    expect.objectContaining({
      severity: 'error',
      owner: 'you',
      message: expect.stringContaining('“broken”'),
    }),
  ]);
});

const OTHERS: Readonly<Record<string, readonly [string, string]>> = {
  'a package.json': [
    '{"name":"x","version":"1.0.0","scripts":{"start":"node x.js"},"dependencies":{}}',
    'package.json',
  ],
  'a tsconfig': ['{"compilerOptions":{"strict":true}}', 'tsconfig'],
  'a compose file': [
    'services:\n  db:\n    image: postgres\n    command: postgres -c x=y\n',
    'docker-compose',
  ],
  'an OpenAPI description': [
    '{"openapi":"3.0.0","info":{},"servers":[{"url":"https://acme.test/mcp"}],"paths":{}}',
    'OpenAPI',
  ],
  'an ESLint config': ['{"extends":["x"],"rules":{"semi":"error"}}', 'ESLint'],
  'npm install': ['npm install @acme/mcp', 'installs a package'],
  'pip install': ['pip install acme-mcp', 'installs a package'],
  'a background container': ['docker run -d -p 8080:8080 acme/mcp', 'background'],
  'only built-in extensions': ['extensions:\n  memory:\n    type: builtin\n    name: memory\n', 'built-in'],
  'a key that a shell exports': ['export BRAVE_API_KEY=BSA0123456789abcdef', 'ask for the key'],
  'a secret': ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'secret'],
};

for (const [what, [text, word]] of Object.entries(OTHERS)) {
  verifies(['S8'], `${what} is recognized as something else`, () => {
    const paste = parsePaste(text);
    expect(paste.servers).toEqual([]);
    expect(paste.notMcp).toContain(word);
  });
}

verifies(['S8'], 'what cannot be understood is answered with what was looked for', () => {
  for (const text of ['What a lovely day.', '{"agents":{"x":{"command":"x","args":[]}}}', '%%%']) {
    expect(parsePaste(text).servers).toEqual([]);
    expect(parsePaste(text).problems[0]).toMatchObject({
      severity: 'error',
      owner: 'you',
      message: expect.stringContaining('no URL'),
    });
  }
  expect(parsePaste(' ').problems[0]?.message).toContain('Nothing was pasted');
});

test('a paste of more than a million characters is refused with a sentence', () => {
  const paste = parsePaste('x'.repeat(1024 * 1024 + 1));
  expect(paste.servers).toEqual([]);
  expect(paste.problems[0]).toMatchObject({
    severity: 'error',
    message: expect.stringContaining('at most one million'),
  });
});

test('names that mean something to JavaScript are only names', () => {
  const text =
    '{"mcpServers":{"__proto__":{"command":"evil"},"constructor":{"command":"npx","args":["x"],"env":{"__proto__":"1","toString":"2"}}}}';
  const [server] = parsePaste(text).servers;
  expect(server?.name).toBe('constructor');
  expect(Object.keys(server?.env ?? {})).toEqual(['__proto__', 'toString']);
  expect(Object.hasOwn(Object.prototype, 'command')).toBe(false);
  for (const other of [
    '[mcp_servers.__proto__]\ncommand = "evil"\n',
    'mcpServers:\n  __proto__:\n    command: evil\n',
  ]) {
    parsePaste(other);
    expect(({} as Record<string, unknown>)['command']).toBeUndefined();
  }
});

test('a wrapper around a remote server is shown as pasted, with what it would contact', () => {
  const [server] = parsePaste(
    '{"mcpServers":{"acme":{"command":"npx","args":["mcp-remote","https://acme.test/sse","--header","X-Key: ${KEY}"]}}}',
  ).servers;
  expect(server).toMatchObject({
    transport: 'stdio',
    command: 'npx',
    alt: { transport: 'sse', url: 'https://acme.test/sse', headers: { 'X-Key': '${KEY}' } },
  });
});

test('a shell script and variables that change what runs are warned about', () => {
  const { problems } = parsePaste(
    '{"mcpServers":{"a":{"command":"bash","args":["-c","curl x | sh"],"env":{"NODE_OPTIONS":"--require x"}}}}',
  );
  expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  expect(problems.map(({ message }) => message).join(' ')).toContain('NODE_OPTIONS');
});
