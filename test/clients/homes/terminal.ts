import { remote, stdio, type ClientHome, type Folders } from './expected.ts';

export function claudeCode({ home, cwd }: Folders): ClientHome {
  const user = { client: 'claude-code', scope: 'user' } as const;
  const local = { client: 'claude-code', scope: 'local' } as const;
  const project = { client: 'claude-code', scope: 'project' } as const;
  return {
    files: {
      [`${home}/.claude.json`]: JSON.stringify({
        numStartups: 41,
        mcpServers: {
          github: {
            type: 'http',
            url: 'https://api.githubcopilot.com/mcp/',
            headers: { Authorization: 'Bearer ${GITHUB_PAT}' },
          },
          airtable: {
            type: 'stdio',
            command: 'npx',
            args: ['-y', 'airtable-mcp-server'],
            env: { AIRTABLE_API_KEY: 'patK2n8Qx7LmZ4vB1c.9f3ad0e7b6c5d4e3f2a1' },
          },
          asana: { type: 'sse', url: 'https://mcp.asana.com/sse' },
          sentry: {
            type: 'http',
            url: 'https://mcp.sentry.dev/mcp',
            oauth: { clientId: 'plain-client', callbackPort: 8080 },
          },
          weather: {
            type: 'http',
            url: '${API_BASE_URL:-https://api.example.com}/mcp',
            headers: { 'X-API-Key': '${WEATHER_KEY}' },
          },
          windows: { command: 'cmd', args: ['/c', 'npx', '-y', '@some/package'] },
          quiet: { type: 'stdio', command: 'quiet-mcp', args: [] },
        },
        projects: {
          [cwd]: {
            allowedTools: [],
            mcpServers: {
              'notes-db': {
                type: 'stdio',
                command: 'uvx',
                args: ['mcp-server-sqlite', '--db-path', '/srv/notes.db'],
                env: {},
              },
            },
            enabledMcpjsonServers: ['postgres'],
            disabledMcpjsonServers: ['refused'],
            disabledMcpServers: ['quiet'],
          },
          '/srv/other': { mcpServers: { stripe: { type: 'http', url: 'https://mcp.stripe.com' } } },
        },
      }),
      [`${cwd}/.mcp.json`]: JSON.stringify({
        mcpServers: {
          postgres: {
            command: 'npx',
            args: ['-y', 'pg-mcp', '${DATABASE_URL:-postgresql://localhost/app}'],
            env: { CACHE: '${CACHE_DIR:-/tmp}' },
          },
          refused: { command: 'npx', args: ['-y', 'refused-mcp'] },
          unwanted: { type: 'http', url: 'https://unwanted.example/mcp' },
        },
      }),
      [`${cwd}/.claude/settings.local.json`]: JSON.stringify({
        permissions: { allow: ['mcp__postgres__query'] },
        disabledMcpjsonServers: ['unwanted'],
      }),
    },
    entries: [
      {
        ...user,
        id: 'github',
        endpoint: remote('http', 'https://api.githubcopilot.com/mcp/', {
          Authorization: 'Bearer ${GITHUB_PAT}',
        }),
      },
      {
        ...user,
        id: 'airtable',
        endpoint: stdio('npx', ['-y', 'airtable-mcp-server'], {
          AIRTABLE_API_KEY: '${vault:airtable/AIRTABLE_API_KEY}',
        }),
        keys: ['env.AIRTABLE_API_KEY'],
      },
      { ...user, id: 'asana', endpoint: remote('sse', 'https://mcp.asana.com/sse') },
      { ...user, id: 'sentry', endpoint: remote('http', 'https://mcp.sentry.dev/mcp') },
      {
        ...user,
        id: 'weather',
        endpoint: remote('http', '${API_BASE_URL:-https://api.example.com}/mcp', {
          'X-API-Key': '${WEATHER_KEY}',
        }),
      },
      { ...user, id: 'windows', endpoint: stdio('npx', ['-y', '@some/package']) },
      { ...user, id: 'quiet', endpoint: stdio('quiet-mcp'), enabled: false },
      {
        ...local,
        id: 'notes-db',
        endpoint: stdio('uvx', ['mcp-server-sqlite', '--db-path', '/srv/notes.db']),
      },
      { ...local, id: 'stripe', endpoint: remote('http', 'https://mcp.stripe.com') },
      {
        ...project,
        id: 'postgres',
        endpoint: stdio('npx', ['-y', 'pg-mcp', '${DATABASE_URL:-postgresql://localhost/app}'], {
          CACHE: '${CACHE_DIR:-/tmp}',
        }),
      },
      { ...project, id: 'refused', endpoint: stdio('npx', ['-y', 'refused-mcp']), enabled: false },
      {
        ...project,
        id: 'unwanted',
        endpoint: remote('http', 'https://unwanted.example/mcp'),
        enabled: false,
      },
    ],
  };
}

export function copilotCli({ home, cwd }: Folders): ClientHome {
  const user = { client: 'copilot-cli', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.copilot/mcp-config.json`]: JSON.stringify({
        mcpServers: {
          playwright: {
            type: 'local',
            command: 'npx',
            args: ['@playwright/mcp@latest'],
            env: {},
            tools: ['*'],
          },
          context7: {
            type: 'http',
            url: 'https://mcp.context7.com/mcp',
            headers: { CONTEXT7_API_KEY: 'ctx7sk-4f1d2a7b-93c8-4e21-8d55-0a6be1f7c2d9' },
            tools: ['resolve-library-id', 'get-library-docs'],
          },
          cloud: { type: 'sse', url: 'https://docs.mcp.cloudflare.com/sse', tools: ['*'] },
        },
      }),
      [`${cwd}/.github/mcp.json`]: JSON.stringify({
        mcpServers: {
          repo: { type: 'stdio', command: 'node', args: ['tools/mcp.js'], tools: ['*'] },
        },
      }),
    },
    entries: [
      { ...user, id: 'playwright', endpoint: stdio('npx', ['@playwright/mcp@latest']) },
      {
        ...user,
        id: 'context7',
        endpoint: remote('http', 'https://mcp.context7.com/mcp', {
          CONTEXT7_API_KEY: '${vault:context7/CONTEXT7_API_KEY}',
        }),
        tools: { allow: ['resolve-library-id', 'get-library-docs'] },
        keys: ['headers.CONTEXT7_API_KEY'],
      },
      { ...user, id: 'cloud', endpoint: remote('sse', 'https://docs.mcp.cloudflare.com/sse') },
      {
        client: 'copilot-cli',
        scope: 'project',
        id: 'repo',
        endpoint: stdio('node', ['tools/mcp.js']),
      },
    ],
  };
}

export function geminiCli({ home, cwd }: Folders): ClientHome {
  const user = { client: 'gemini-cli', scope: 'user' } as const;
  const extension = `${home}/.gemini/extensions/maps`;
  return {
    files: {
      [`${home}/.gemini/settings.json`]: `{
  // What may run at all.
  "mcp": { "excluded": ["Banned"] },
  "mcpServers": {
    "python-tools": {
      "command": "python",
      "args": ["-m", "my_mcp_server", "--port", "8080"],
      "cwd": "/srv/mcp/python",
      "env": { "DATABASE_URL": "$DB_CONNECTION_STRING", "API_KEY": "\${EXTERNAL_API_KEY}" },
      "timeout": 15000
    },
    "http-server": {
      "httpUrl": "https://http.example/mcp",
      "headers": { "X-Custom": "plain" },
      "timeout": 30000,
      "trust": true,
      "includeTools": ["safe_tool", "file_reader"],
      "excludeTools": ["dangerous_tool"]
    },
    "typed-sse": { "url": "https://sse.example/sse", "type": "sse" },
    "untyped": { "url": "https://untyped.example/mcp" },
    "run-app": {
      "httpUrl": "https://my-server.run.app/mcp",
      "authProviderType": "google_credentials",
      "oauth": { "scopes": ["https://www.googleapis.com/auth/userinfo.email"] }
    },
    "banned": { "command": "banned-mcp" },
    "Slow": { "command": "slow-mcp", "description": "takes long" }
  }
}`,
      [`${home}/.gemini/mcp-server-enablement.json`]: JSON.stringify({
        slow: { enabled: false },
        'ext:maps:tiles': { enabled: false },
      }),
      [`${extension}/gemini-extension.json`]: JSON.stringify({
        name: 'maps',
        version: '1.2.0',
        mcpServers: {
          routes: {
            command: 'node',
            args: ['${extensionPath}${/}dist${/}server.js'],
            cwd: '${extensionPath}',
          },
          tiles: { command: 'node', args: ['${extensionPath}/tiles.js'] },
        },
        contextFileName: 'GEMINI.md',
      }),
      [`${home}/.gemini/extensions/retired/gemini-extension.json`]: JSON.stringify({
        name: 'retired',
        version: '0.1.0',
        mcpServers: { elder: { command: 'elder-mcp' } },
      }),
      [`${home}/.gemini/extensions/extension-enablement.json`]: JSON.stringify({
        retired: { overrides: [`!${home}/*`] },
      }),
      [`${cwd}/.gemini/settings.json`]: JSON.stringify({
        mcpServers: { docker: { command: 'docker', args: ['run', '-i', '--rm', 'mcp/time'] } },
      }),
    },
    entries: [
      {
        ...user,
        id: 'python-tools',
        endpoint: stdio(
          'python',
          ['-m', 'my_mcp_server', '--port', '8080'],
          { DATABASE_URL: '${DB_CONNECTION_STRING}', API_KEY: '${EXTERNAL_API_KEY}' },
          { cwd: '/srv/mcp/python' },
        ),
        timeouts: { callMs: 15_000 },
      },
      {
        ...user,
        id: 'http-server',
        endpoint: remote('http', 'https://http.example/mcp', { 'X-Custom': 'plain' }),
        timeouts: { callMs: 30_000 },
        tools: { allow: ['safe_tool', 'file_reader'], deny: ['dangerous_tool'] },
      },
      { ...user, id: 'typed-sse', endpoint: remote('sse', 'https://sse.example/sse') },
      { ...user, id: 'untyped', endpoint: remote('http', 'https://untyped.example/mcp') },
      {
        ...user,
        id: 'run-app',
        endpoint: remote('http', 'https://my-server.run.app/mcp'),
        warns: /Google/,
      },
      { ...user, id: 'banned', endpoint: stdio('banned-mcp'), enabled: false },
      { ...user, id: 'slow', endpoint: stdio('slow-mcp'), enabled: false },
      {
        ...user,
        id: 'routes',
        endpoint: stdio('node', [`${extension}/dist/server.js`], {}, { cwd: extension }),
      },
      { ...user, id: 'tiles', endpoint: stdio('node', [`${extension}/tiles.js`]), enabled: false },
      { ...user, id: 'elder', endpoint: stdio('elder-mcp'), enabled: false },
      {
        client: 'gemini-cli',
        scope: 'project',
        id: 'docker',
        endpoint: stdio('docker', ['run', '-i', '--rm', 'mcp/time']),
      },
    ],
  };
}
