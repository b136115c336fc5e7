import { remote, stdio, type ClientHome, type Folders } from './expected.ts';

export function codex({ home, cwd }: Folders): ClientHome {
  const user = { client: 'codex', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.codex/config.toml`]: `model = "gpt-5"
approval_policy = "on-request"

# Documentation of libraries
[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN"]

[mcp_servers.context7.env]
LOG = "debug"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }

[mcp_servers.chrome_devtools]
url = "http://localhost:3000/mcp"
enabled_tools = ["open", "screenshot"]
disabled_tools = ["screenshot"]
startup_timeout_sec = 20
tool_timeout_sec = 45
enabled = false

[mcp_servers.tracker]
url = "https://tracker.example/mcp"
env_http_headers = { "X-Tracker-Key" = "TRACKER_KEY" }
required = true
default_tools_approval_mode = "writes"
scopes = ["read"]

[mcp_servers.here]
command = "python3"
args = ["server.py"]
cwd = "/srv/here"
startup_timeout_sec = 1.5
`,
      [`${cwd}/.codex/config.toml`]: '[mcp_servers.team]\ncommand = "team-mcp"\nargs = ["--stdio"]\n',
    },
    entries: [
      {
        ...user,
        id: 'context7',
        endpoint: stdio('npx', ['-y', '@upstash/context7-mcp'], {
          LOG: 'debug',
          LOCAL_TOKEN: '${LOCAL_TOKEN}',
        }),
      },
      {
        ...user,
        id: 'figma',
        endpoint: remote('http', 'https://mcp.figma.com/mcp', {
          'X-Figma-Region': 'us-east-1',
          Authorization: 'Bearer ${FIGMA_OAUTH_TOKEN}',
        }),
      },
      {
        ...user,
        id: 'chrome_devtools',
        endpoint: remote('http', 'http://localhost:3000/mcp'),
        enabled: false,
        timeouts: { startMs: 20_000, callMs: 45_000 },
        tools: { allow: ['open', 'screenshot'], deny: ['screenshot'] },
      },
      {
        ...user,
        id: 'tracker',
        endpoint: remote('http', 'https://tracker.example/mcp', { 'X-Tracker-Key': '${TRACKER_KEY}' }),
      },
      {
        ...user,
        id: 'here',
        endpoint: stdio('python3', ['server.py'], {}, { cwd: '/srv/here' }),
        timeouts: { startMs: 1_500 },
      },
      { client: 'codex', scope: 'project', id: 'team', endpoint: stdio('team-mcp', ['--stdio']) },
    ],
  };
}

export function opencode({ home, cwd }: Folders): ClientHome {
  const user = { client: 'opencode', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.config/opencode/opencode.jsonc`]: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    // The reference server
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-everything"],
      "environment": { "MY_VAR": "{env:MY_VAR}" },
      "enabled": true,
    },
    "jira": { "type": "remote", "url": "https://jira.example.com/mcp", "enabled": false },
    "context7": {
      "type": "remote",
      "url": "https://mcp.context7.com/mcp",
      "headers": { "CONTEXT7_API_KEY": "{env:CONTEXT7_API_KEY}" },
      "timeout": 10000,
    },
    "sentry": { "type": "remote", "url": "https://mcp.sentry.dev/mcp", "oauth": {} },
    "vaulted": {
      "type": "remote",
      "url": "https://vaulted.example/mcp",
      "oauth": false,
      "headers": { "Authorization": "Bearer {file:~/.secrets/vaulted}" },
    },
  },
}`,
      [`${cwd}/opencode.json`]: JSON.stringify({
        mcp: {
          servers: {
            lint: { type: 'local', command: ['bun', 'run', 'lint-mcp'], disabled: true },
            pages: { type: 'remote', url: 'https://pages.example/mcp' },
          },
        },
      }),
    },
    entries: [
      {
        ...user,
        id: 'everything',
        endpoint: stdio('npx', ['-y', '@modelcontextprotocol/server-everything'], { MY_VAR: '${MY_VAR}' }),
      },
      { ...user, id: 'jira', endpoint: remote('http', 'https://jira.example.com/mcp'), enabled: false },
      {
        ...user,
        id: 'context7',
        endpoint: remote('http', 'https://mcp.context7.com/mcp', {
          CONTEXT7_API_KEY: '${CONTEXT7_API_KEY}',
        }),
        timeouts: { startMs: 10_000 },
      },
      { ...user, id: 'sentry', endpoint: remote('http', 'https://mcp.sentry.dev/mcp') },
      {
        ...user,
        id: 'vaulted',
        endpoint: remote('http', 'https://vaulted.example/mcp', {
          Authorization: 'Bearer ${file:~/.secrets/vaulted}',
        }),
      },
      {
        client: 'opencode',
        scope: 'project',
        id: 'lint',
        endpoint: stdio('bun', ['run', 'lint-mcp']),
        enabled: false,
      },
      {
        client: 'opencode',
        scope: 'project',
        id: 'pages',
        endpoint: remote('http', 'https://pages.example/mcp'),
      },
    ],
  };
}

export function goose({ home }: Folders): ClientHome {
  const user = { client: 'goose', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.config/goose/config.yaml`]: `GOOSE_PROVIDER: anthropic
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  todo:
    type: platform
    name: todo
    enabled: true
  github:
    name: GitHub
    type: stdio
    cmd: npx
    args: ['-y', '@modelcontextprotocol/server-github']
    env_keys: [GITHUB_PERSONAL_ACCESS_TOKEN]
    envs:
      GITHUB_HOST: github.example.com
    enabled: true
    timeout: 300
    available_tools: []
  notion:
    name: notion
    type: streamable_http
    uri: https://mcp.notion.com/mcp
    headers:
      Authorization: Bearer $NOTION_TOKEN
    enabled: true
    available_tools:
      - search
      - fetch
  memory:
    name: memory
    type: stdio
    cmd: uvx
    args: [mcp-server-memory]
    enabled: false
    timeout: 60
  snippets:
    name: snippets
    type: inline_python
    code: |
      print("hello")
    enabled: true
`,
    },
    entries: [
      {
        ...user,
        id: 'github',
        endpoint: stdio('npx', ['-y', '@modelcontextprotocol/server-github'], {
          GITHUB_HOST: 'github.example.com',
          GITHUB_PERSONAL_ACCESS_TOKEN: '${GITHUB_PERSONAL_ACCESS_TOKEN}',
        }),
        timeouts: { callMs: 300_000 },
      },
      {
        ...user,
        id: 'notion',
        endpoint: remote('http', 'https://mcp.notion.com/mcp', { Authorization: 'Bearer ${NOTION_TOKEN}' }),
        tools: { allow: ['search', 'fetch'] },
      },
      {
        ...user,
        id: 'memory',
        endpoint: stdio('uvx', ['mcp-server-memory']),
        enabled: false,
        timeouts: { callMs: 60_000 },
      },
    ],
    leftOut: ['snippets'],
  };
}
