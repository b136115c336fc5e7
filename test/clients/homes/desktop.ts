import { remote, stdio, type ClientHome, type Folders } from './expected.ts';

export function claudeDesktop({ home }: Folders): ClientHome {
  const user = { client: 'claude-desktop', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.config/Claude/claude_desktop_config.json`]: JSON.stringify({
        globalShortcut: 'Ctrl+Space',
        mcpServers: {
          filesystem: {
            command: 'npx',
            args: [
              '-y',
              '@modelcontextprotocol/server-filesystem',
              '/home/ada/Desktop',
              '/home/ada/My Files',
            ],
          },
          'brave-search': {
            command: 'npx',
            args: ['-y', '@modelcontextprotocol/server-brave-search'],
            env: { BRAVE_API_KEY: 'BSAk3Jq9Zt7Wn2Xv5Lp8Rb1Dc4Fg' },
          },
          through: { command: 'npx', args: ['-y', 'mcp-remote', 'https://through.example/mcp'] },
        },
      }),
    },
    entries: [
      {
        ...user,
        id: 'filesystem',
        endpoint: stdio('npx', [
          '-y',
          '@modelcontextprotocol/server-filesystem',
          '/home/ada/Desktop',
          '/home/ada/My Files',
        ]),
      },
      {
        ...user,
        id: 'brave-search',
        endpoint: stdio('npx', ['-y', '@modelcontextprotocol/server-brave-search'], {
          BRAVE_API_KEY: '${vault:brave-search/BRAVE_API_KEY}',
        }),
        keys: ['env.BRAVE_API_KEY'],
      },
      { ...user, id: 'through', endpoint: remote('http', 'https://through.example/mcp') },
    ],
  };
}

export function lmStudio({ home }: Folders): ClientHome {
  const user = { client: 'lm-studio', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.lmstudio/mcp.json`]: JSON.stringify({
        mcpServers: {
          'hf-mcp-server': {
            url: 'https://huggingface.co/mcp',
            headers: { Authorization: 'Bearer <YOUR_HF_TOKEN>' },
          },
          calculator: { command: 'python3', args: ['/srv/calc.py'] },
        },
      }),
    },
    entries: [
      {
        ...user,
        id: 'hf-mcp-server',
        endpoint: remote('http', 'https://huggingface.co/mcp', {
          Authorization: 'Bearer ${input:YOUR_HF_TOKEN}',
        }),
        warns: /headers\.Authorization/,
      },
      { ...user, id: 'calculator', endpoint: stdio('python3', ['/srv/calc.py']) },
    ],
  };
}

export function libreChat({ cwd }: Folders): ClientHome {
  const project = { client: 'librechat', scope: 'project' } as const;
  return {
    files: {
      [`${cwd}/librechat.yaml`]: `version: 1.2.1
mcpServers:
  everything:
    type: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-everything"]
    env:
      TOKEN: \${EVERYTHING_TOKEN}
    timeout: 60000
    initTimeout: 150000
    serverInstructions: true
  puppeteer:
    type: sse
    url: http://my-puppeteer-server:3001/sse
  per-user:
    type: streamable-http
    url: https://per-user.example/mcp/
    headers:
      Authorization: "Bearer {{PER_USER_KEY}}"
    customUserVars:
      PER_USER_KEY:
        title: Key
        description: Your own key
    startup: false
  socket:
    type: websocket
    url: ws://localhost:8080
`,
    },
    entries: [
      {
        ...project,
        id: 'everything',
        endpoint: stdio('npx', ['-y', '@modelcontextprotocol/server-everything'], {
          TOKEN: '${EVERYTHING_TOKEN}',
        }),
        timeouts: { startMs: 150_000, callMs: 60_000 },
      },
      { ...project, id: 'puppeteer', endpoint: remote('sse', 'http://my-puppeteer-server:3001/sse') },
      {
        ...project,
        id: 'per-user',
        endpoint: remote('http', 'https://per-user.example/mcp/', {
          Authorization: 'Bearer ${input:PER_USER_KEY}',
        }),
      },
      { ...project, id: 'socket', endpoint: remote('ws', 'ws://localhost:8080') },
    ],
  };
}

export function mcpJson({ home, cwd }: Folders): ClientHome {
  const user = { client: 'mcp-json', scope: 'user' } as const;
  return {
    files: {
      [`${cwd}/mcp.json`]: `{
  // Shared with the team
  "mcpServers": {
    "plain": { "command": "npx", "args": ["-y", "plain-mcp"], "env": { "TOKEN": "\${PLAIN_TOKEN}" } },
  },
}`,
      [`${home}/.config/mcp/mcp.json`]: JSON.stringify({
        mcpServers: {
          sample: { command: 'npx', args: ['-y', 'sample-mcp'], env: { API_TOKEN: '<YOUR_TOKEN>' } },
          web: { type: 'http', url: 'https://web.example/mcp', disabled: true },
        },
      }),
      [`${home}/.mcp-inspector/mcp.json`]: JSON.stringify({
        mcpServers: { inspected: { type: 'sse', url: 'https://inspected.example/sse' } },
      }),
    },
    entries: [
      {
        client: 'mcp-json',
        scope: 'project',
        id: 'plain',
        endpoint: stdio('npx', ['-y', 'plain-mcp'], { TOKEN: '${PLAIN_TOKEN}' }),
      },
      {
        ...user,
        id: 'sample',
        endpoint: stdio('npx', ['-y', 'sample-mcp'], { API_TOKEN: '${input:API_TOKEN}' }),
        warns: /env\.API_TOKEN/,
      },
      { ...user, id: 'web', endpoint: remote('http', 'https://web.example/mcp'), enabled: false },
      { ...user, id: 'inspected', endpoint: remote('sse', 'https://inspected.example/sse') },
    ],
  };
}
