import { basename } from 'node:path';
import { remote, stdio, type ClientHome, type Folders } from './expected.ts';

export function cursor({ home, cwd }: Folders): ClientHome {
  const user = { client: 'cursor', scope: 'user' } as const;
  const project = { client: 'cursor', scope: 'project' } as const;
  return {
    files: {
      [`${home}/.cursor/mcp.json`]: JSON.stringify({
        mcpServers: {
          figma: { url: 'http://127.0.0.1:3845/mcp' },
          stream: { type: 'sse', url: 'https://stream.example/sse' },
          mine: { type: 'stdio', command: '${userHome}/bin/mine-mcp', args: ['--verbose'] },
          corp: {
            url: 'https://corp.example/mcp',
            auth: {
              CLIENT_ID: '${env:MCP_CLIENT_ID}',
              CLIENT_SECRET: '${env:MCP_CLIENT_SECRET}',
              scopes: ['read', 'write'],
            },
          },
        },
      }),
      [`${cwd}/.cursor/mcp.json`]: JSON.stringify({
        mcpServers: {
          tools: {
            command: 'python',
            args: ['${workspaceFolder}${/}tools${/}mcp_server.py'],
            env: { API_KEY: '${env:TOOLS_API_KEY}' },
            envFile: '${workspaceFolder}/.env',
          },
          named: { command: 'npx', args: ['-y', 'index-mcp', '--project', '${workspaceFolderBasename}'] },
        },
      }),
    },
    entries: [
      { ...user, id: 'figma', endpoint: remote('http', 'http://127.0.0.1:3845/mcp') },
      { ...user, id: 'stream', endpoint: remote('sse', 'https://stream.example/sse') },
      { ...user, id: 'mine', endpoint: stdio('${HOME}/bin/mine-mcp', ['--verbose']) },
      { ...user, id: 'corp', endpoint: remote('http', 'https://corp.example/mcp') },
      {
        ...project,
        id: 'tools',
        endpoint: stdio('python', [`${cwd}/tools/mcp_server.py`], { API_KEY: '${TOOLS_API_KEY}' }),
      },
      {
        ...project,
        id: 'named',
        endpoint: stdio('npx', ['-y', 'index-mcp', '--project', basename(cwd)]),
      },
    ],
  };
}

export function vscode({ home, cwd }: Folders): ClientHome {
  const user = { client: 'vscode', scope: 'user' } as const;
  const folder = `${home}/.config/Code/User`;
  return {
    files: {
      [`${folder}/mcp.json`]: `{
  // Asked for once, then kept by VS Code.
  "inputs": [
    { "type": "promptString", "id": "perplexity-key", "description": "Perplexity API key", "password": true },
    { "type": "pickString", "id": "region", "description": "Region",
      "options": ["us-east-1", "eu-central-1"], "default": "eu-central-1" },
    { "type": "promptString", "id": "gh", "description": "GitHub token", "password": true },
  ],
  "servers": {
    "perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask"],
      "env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" },
    },
    "cloud": { "type": "stdio", "command": "cloud-mcp", "args": ["--region", "\${input:region}"] },
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": { "Authorization": "Bearer \${input:gh}" },
      "gallery": "https://api.mcp.github.com", "version": "0.13.0",
    },
    "boxed": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "boxed-mcp"],
      "sandboxEnabled": true,
      "sandbox": { "network": { "allowedDomains": ["example.com"] } },
      "dev": { "watch": "build/**/*.js" },
    },
  },
}`,
      [`${folder}/profiles/-5f3a1c/mcp.json`]: JSON.stringify({
        servers: { playwright: { type: 'stdio', command: 'npx', args: ['@playwright/mcp@latest'] } },
      }),
      [`${cwd}/.vscode/mcp.json`]: JSON.stringify({
        servers: {
          docs: { type: 'http', url: 'https://docs.example/mcp' },
          old: { type: 'sse', url: 'https://old.example/sse', headers: { 'X-Version': '1' } },
          built: {
            type: 'stdio',
            command: 'node',
            args: ['${workspaceFolder}/dist/server.js'],
            cwd: '${workspaceFolder}',
          },
        },
      }),
      [`${cwd}/.devcontainer/devcontainer.json`]: `{
  "image": "mcr.microsoft.com/devcontainers/typescript-node:latest",
  /* servers in the container */
  "customizations": { "vscode": { "mcp": { "servers": {
    "inside": { "command": "npx", "args": ["-y", "inside-mcp"] }
  } } } }
}`,
    },
    entries: [
      {
        ...user,
        id: 'perplexity',
        endpoint: stdio('npx', ['-y', 'server-perplexity-ask'], {
          PERPLEXITY_API_KEY: '${input:perplexity-key}',
        }),
      },
      {
        ...user,
        id: 'cloud',
        endpoint: stdio('cloud-mcp', ['--region', '${input:region}']),
        config: { region: 'eu-central-1' },
      },
      {
        ...user,
        id: 'github',
        endpoint: remote('http', 'https://api.githubcopilot.com/mcp/', {
          Authorization: 'Bearer ${input:gh}',
        }),
      },
      { ...user, id: 'boxed', endpoint: stdio('npx', ['-y', 'boxed-mcp']), warns: /sandbox/ },
      { ...user, id: 'playwright', endpoint: stdio('npx', ['@playwright/mcp@latest']) },
      {
        client: 'vscode',
        scope: 'project',
        id: 'docs',
        endpoint: remote('http', 'https://docs.example/mcp'),
      },
      {
        client: 'vscode',
        scope: 'project',
        id: 'old',
        endpoint: remote('sse', 'https://old.example/sse', { 'X-Version': '1' }),
      },
      {
        client: 'vscode',
        scope: 'project',
        id: 'built',
        endpoint: stdio('node', [`${cwd}/dist/server.js`], {}, { cwd }),
      },
      {
        client: 'vscode',
        scope: 'devcontainer',
        id: 'inside',
        endpoint: stdio('npx', ['-y', 'inside-mcp']),
      },
    ],
  };
}

export function zed({ home, cwd }: Folders): ClientHome {
  const user = { client: 'zed', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.config/zed/settings.json`]: `// Zed settings
{
  "theme": "One Dark",
  "context_servers": {
    "local-tools": {
      "command": "some-command",
      "args": ["arg-1", "arg-2"],
      "env": { "MODE": "fast" },
      "timeout": 90,
    },
    "older": {
      "source": "custom",
      "command": { "path": "older-mcp", "args": ["--stdio"], "env": { "A": "b" } },
    },
    "remote": {
      "url": "https://remote.example/mcp",
      "headers": { "Authorization": "Bearer 9d2f7c1be4a05836c7d1e9f0a2b3c4d5" },
    },
    "resting": { "enabled": false, "command": "resting-mcp", "args": [] },
    "postgres-context-server": { "source": "extension", "enabled": true, "settings": { "database_url": "x" } },
  },
}`,
      [`${cwd}/.zed/settings.json`]: JSON.stringify({
        context_servers: { team: { command: 'team-mcp', args: [], env: null } },
      }),
    },
    entries: [
      {
        ...user,
        id: 'local-tools',
        endpoint: stdio('some-command', ['arg-1', 'arg-2'], { MODE: 'fast' }),
        timeouts: { callMs: 90_000 },
      },
      { ...user, id: 'older', endpoint: stdio('older-mcp', ['--stdio'], { A: 'b' }) },
      {
        ...user,
        id: 'remote',
        endpoint: remote('http', 'https://remote.example/mcp', {
          Authorization: 'Bearer ${vault:remote/Authorization}',
        }),
        keys: ['headers.Authorization'],
      },
      { ...user, id: 'resting', endpoint: stdio('resting-mcp'), enabled: false },
      { client: 'zed', scope: 'project', id: 'team', endpoint: stdio('team-mcp') },
    ],
    leftOut: ['postgres-context-server'],
  };
}

export function windsurf({ home }: Folders): ClientHome {
  const user = { client: 'windsurf', scope: 'user' } as const;
  return {
    files: {
      [`${home}/.codeium/windsurf/mcp_config.json`]: JSON.stringify({
        mcpServers: {
          api: {
            serverUrl: 'https://api.example/mcp',
            headers: { Authorization: 'Bearer ${env:AUTH_TOKEN}', 'X-Key': '${file:/run/secrets/key}' },
          },
          github: {
            command: 'npx',
            args: ['-y', '@modelcontextprotocol/server-github'],
            env: { GITHUB_PERSONAL_ACCESS_TOKEN: '${env:GH_TOKEN}' },
            disabledTools: ['delete_repository', 'create_repository'],
          },
          plain: { url: 'https://plain.example/mcp' },
          paused: { command: 'paused-mcp', args: [], disabled: true },
        },
      }),
    },
    entries: [
      {
        ...user,
        id: 'api',
        endpoint: remote('http', 'https://api.example/mcp', {
          Authorization: 'Bearer ${AUTH_TOKEN}',
          'X-Key': '${file:/run/secrets/key}',
        }),
      },
      {
        ...user,
        id: 'github',
        endpoint: stdio('npx', ['-y', '@modelcontextprotocol/server-github'], {
          GITHUB_PERSONAL_ACCESS_TOKEN: '${GH_TOKEN}',
        }),
        tools: { deny: ['delete_repository', 'create_repository'] },
      },
      { ...user, id: 'plain', endpoint: remote('http', 'https://plain.example/mcp') },
      { ...user, id: 'paused', endpoint: stdio('paused-mcp'), enabled: false },
    ],
  };
}
