import { remote, stdio, type ClientHome, type Folders } from './expected.ts';

const STORAGE = '.config/Code/User/globalStorage';

export function cline({ home }: Folders): ClientHome {
  const user = { client: 'cline', scope: 'user' } as const;
  return {
    files: {
      [`${home}/${STORAGE}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`]: JSON.stringify({
        mcpServers: {
          local: {
            command: 'node',
            args: ['/srv/server.js'],
            env: { API_KEY: '${env:LOCAL_KEY}' },
            autoApprove: ['read'],
            disabled: false,
            timeout: 60,
          },
          streamed: {
            type: 'streamableHttp',
            url: 'https://streamed.example/mcp',
            headers: { Authorization: 'Bearer ntn_5b7Qe2Zx9Lk4Wd8Rt1Yc' },
            disabled: true,
          },
          events: { type: 'sse', url: 'https://events.example/sse', timeout: 120 },
        },
      }),
      [`${home}/.cline/data/settings/cline_mcp_settings.json`]: JSON.stringify({
        mcpServers: { terminal: { command: 'npx', args: ['-y', 'terminal-mcp'], disabled: false } },
      }),
    },
    entries: [
      {
        ...user,
        id: 'local',
        endpoint: stdio('node', ['/srv/server.js'], { API_KEY: '${LOCAL_KEY}' }),
        timeouts: { callMs: 60_000 },
      },
      {
        ...user,
        id: 'streamed',
        endpoint: remote('http', 'https://streamed.example/mcp', {
          Authorization: 'Bearer ${vault:streamed/Authorization}',
        }),
        enabled: false,
        keys: ['headers.Authorization'],
      },
      {
        ...user,
        id: 'events',
        endpoint: remote('sse', 'https://events.example/sse'),
        timeouts: { callMs: 120_000 },
      },
      { ...user, id: 'terminal', endpoint: stdio('npx', ['-y', 'terminal-mcp']) },
    ],
  };
}

export function roo({ home, cwd }: Folders): ClientHome {
  const user = { client: 'roo', scope: 'user' } as const;
  return {
    files: {
      [`${home}/${STORAGE}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`]: JSON.stringify({
        mcpServers: {
          python: {
            command: 'python',
            args: ['/srv/python/server.py'],
            cwd: '/srv/python',
            alwaysAllow: ['tool1', 'tool2'],
            disabledTools: ['tool3'],
            timeout: 30,
            watchPaths: ['/srv/python'],
          },
          modern: {
            type: 'streamable-http',
            url: 'https://modern.example/mcp',
            headers: { 'X-API-Key': '${env:MODERN_KEY}' },
          },
          legacy: { type: 'sse', url: 'https://legacy.example/sse', disabled: true },
        },
      }),
      [`${cwd}/.roo/mcp.json`]: JSON.stringify({
        mcpServers: { shared: { command: 'npx', args: ['-y', 'shared-mcp'] } },
      }),
    },
    entries: [
      {
        ...user,
        id: 'python',
        endpoint: stdio('python', ['/srv/python/server.py'], {}, { cwd: '/srv/python' }),
        timeouts: { callMs: 30_000 },
        tools: { deny: ['tool3'] },
      },
      {
        ...user,
        id: 'modern',
        endpoint: remote('http', 'https://modern.example/mcp', { 'X-API-Key': '${MODERN_KEY}' }),
      },
      { ...user, id: 'legacy', endpoint: remote('sse', 'https://legacy.example/sse'), enabled: false },
      { client: 'roo', scope: 'project', id: 'shared', endpoint: stdio('npx', ['-y', 'shared-mcp']) },
    ],
  };
}

export function continueDev({ home, cwd }: Folders): ClientHome {
  const user = { client: 'continue', scope: 'user' } as const;
  const project = { client: 'continue', scope: 'project' } as const;
  return {
    files: {
      [`${home}/.continue/config.yaml`]: `name: My assistant
version: 1.0.0
schema: v1
mcpServers:
  # files
  - name: SQLite MCP
    command: npx
    args: ["-y", "mcp-sqlite", "/srv/data.db"]
    env:
      PORT: 8080
      API_KEY: \${{ secrets.SQLITE_KEY }}
    cwd: /srv
    connectionTimeout: 15000
  - name: remote
    type: streamable-http
    url: https://remote.example/mcp
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.REMOTE_TOKEN }}
  - name: events
    type: sse
    url: https://events.example/sse
`,
      [`${cwd}/.continue/mcpServers/browser.yaml`]: `name: Browser
version: 0.0.1
schema: v1
mcpServers:
  - name: Browser search
    type: stdio
    command: npx
    args: ["@playwright/mcp@latest"]
`,
      [`${cwd}/.continue/mcpServers/copied.json`]: JSON.stringify({
        mcpServers: { copied: { command: 'uvx', args: ['copied-mcp'] } },
      }),
    },
    entries: [
      {
        ...user,
        id: 'sqlite-mcp',
        endpoint: stdio(
          'npx',
          ['-y', 'mcp-sqlite', '/srv/data.db'],
          { PORT: '8080', API_KEY: '${vault:SQLITE_KEY}' },
          { cwd: '/srv' },
        ),
        timeouts: { startMs: 15_000 },
      },
      {
        ...user,
        id: 'remote',
        endpoint: remote('http', 'https://remote.example/mcp', {
          Authorization: 'Bearer ${vault:REMOTE_TOKEN}',
        }),
      },
      { ...user, id: 'events', endpoint: remote('sse', 'https://events.example/sse') },
      { ...project, id: 'browser-search', endpoint: stdio('npx', ['@playwright/mcp@latest']) },
      { ...project, id: 'copied', endpoint: stdio('uvx', ['copied-mcp']) },
    ],
  };
}
