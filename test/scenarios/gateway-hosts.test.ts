import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as LegacySse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { answerOf, bin, newPlug, type Answer, type Plug } from './plug-command.ts';

const TEST_MS = 120_000;
const TOOL = 'files__create_directory';
const INFO = { name: 'black-box', version: '1' };

verifies(
  ['G1'],
  'the official Inspector lists and calls over stdio and over HTTP',
  async () => {
    const world = await withFiles();
    const inspect = (...words: readonly string[]): Promise<Answer> =>
      runNode(
        world,
        'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
        '--cli',
        ...words,
      );
    const stdio = ['-e', `PLUG_HOME=${world.plugHome}`, ...world.gateway];
    const http = [
      `${world.url}/mcp?mode=all`,
      '--transport',
      'http',
      '--header',
      `Authorization: ${world.bearer}`,
    ];
    for (const [kind, target] of Object.entries({ stdio, http })) {
      const listed = await inspect(...target, '--method', 'tools/list');
      expect(listed.stderr + listed.stdout).toContain(`"${TOOL}"`);
      const wish = [
        '--method',
        'tools/call',
        '--tool-name',
        TOOL,
        '--tool-arg',
        `path=${world.folder}/${kind}`,
      ];
      const called = await inspect(...target, ...wish);
      expect({ code: called.code, made: existsSync(`${world.folder}/${kind}`) }).toEqual({
        code: 0,
        made: true,
      });
    }
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'mcporter lists and calls over stdio and over HTTP',
  async () => {
    const world = await withFiles();
    const [command = '', ...args] = world.gateway;
    const config = `${world.plug.cwd}/mcporter.json`;
    const stdio = { command, args, env: { PLUG_HOME: world.plugHome } };
    const http = { baseUrl: `${world.url}/mcp?mode=all`, headers: { Authorization: world.bearer } };
    writeFileSync(config, JSON.stringify({ mcpServers: { stdio, http }, imports: [] }));
    for (const kind of ['stdio', 'http']) {
      const run = (...words: readonly string[]): Promise<Answer> =>
        runNode(world, 'node_modules/mcporter/dist/cli.js', '--config', config, ...words);
      expect((await run('list', kind, '--json')).stdout).toContain(`"${TOOL}"`);
      const called = await run('call', `${kind}.${TOOL}`, `path=${world.folder}/${kind}`);
      expect({ code: called.code, made: existsSync(`${world.folder}/${kind}`) }).toEqual({
        code: 0,
        made: true,
      });
    }
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'a host behind mcp-remote lists and calls over HTTP',
  async () => {
    const world = await withFiles();
    const proxy = fileURLToPath(new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url));
    const client = new LegacyClient(INFO);
    const words = [
      `${world.url}/mcp?mode=all`,
      '--header',
      'Authorization:${BEARER}',
      '--transport',
      'http-only',
    ];
    const env = { ...world.env, BEARER: world.bearer, MCP_REMOTE_CONFIG_DIR: `${world.plug.home}/remote` };
    await client.connect(
      new LegacyStdio({ command: process.execPath, args: [proxy, ...words], env, stderr: 'ignore' }),
    );
    try {
      await expectListAndCall(client, world, 'remote');
    } finally {
      await client.close();
    }
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'the SDK’s client of version 1 lists and calls over stdio, Streamable HTTP and SSE',
  async () => {
    const world = await withFiles();
    const [command = '', ...args] = world.gateway;
    const requestInit = { headers: { authorization: world.bearer } };
    const transports = {
      stdio: new LegacyStdio({ command, args, env: world.env, cwd: world.plug.cwd, stderr: 'inherit' }),
      http: new LegacyHttp(new URL(`${world.url}/mcp?mode=all`), { requestInit }),
      sse: new LegacySse(new URL(`${world.url}/sse?mode=all`), { requestInit }),
    };
    for (const [kind, transport] of Object.entries(transports)) {
      const client = new LegacyClient(INFO);
      await client.connect(transport);
      try {
        await expectListAndCall(client, world, kind);
      } finally {
        await client.close();
      }
    }
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2'],
  'the SDK’s client of version 2 finds the modern era over stdio and over HTTP, lists and calls',
  async () => {
    const world = await withFiles();
    const [command = '', ...args] = world.gateway;
    const transports = {
      stdio: new StdioClientTransport({ command, args, env: world.env, cwd: world.plug.cwd }),
      http: new StreamableHTTPClientTransport(new URL(`${world.url}/mcp?mode=all`), {
        requestInit: { headers: { authorization: world.bearer } },
      }),
    };
    for (const [kind, transport] of Object.entries(transports)) {
      const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
      await client.connect(transport);
      try {
        expect(client.getProtocolEra()).toBe('modern');
        await expectListAndCall(client, world, kind);
      } finally {
        await client.close();
      }
    }
  },
  TEST_MS,
);

interface World {
  readonly plug: Plug;
  readonly plugHome: string;
  /** Where the server may make folders: its side effect. */
  readonly folder: string;
  readonly url: string;
  readonly bearer: string;
  readonly env: Record<string, string>;
  /** The command that a host is told to start. */
  readonly gateway: readonly string[];
}

/** A hub with the official filesystem server behind it. When the test ends, no process may be left. */
async function withFiles(): Promise<World> {
  const plug = newPlug();
  const folder = `${plug.cwd}/files`;
  mkdirSync(folder);
  const server = new URL(
    '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
    import.meta.url,
  );
  await plug.json('add', 'files', '--yes', '--', process.execPath, fileURLToPath(server), folder);
  const { url } = await plug.json('hub', 'status');
  const plugHome = `${plug.home}/plug`;
  return {
    plug,
    plugHome,
    folder,
    url: String(url),
    bearer: `Bearer ${String((await plug.json('host', 'add', 'host'))['token'])}`,
    env: { PATH: process.env['PATH'] ?? '', HOME: plug.home, PLUG_HOME: plugHome },
    gateway: [process.execPath, bin, 'gateway', '--mode', 'all'],
  };
}

/** What of both SDKs' clients is used here. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<unknown>;
}

async function expectListAndCall(client: AnyClient, { folder }: World, kind: string): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain(TOOL);
  const path = `${folder}/${kind}`;
  const result = await client.callTool({ name: TOOL, arguments: { path } });
  expect({ result, made: existsSync(path) }).toMatchObject({
    result: { content: [{ type: 'text' }] },
    made: true,
  });
}

/** A command of a package, on our Node, seeing nothing of this machine's own settings. */
function runNode({ plug, env }: World, script: string, ...words: readonly string[]): Promise<Answer> {
  const file = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...words], { cwd: plug.cwd, env });
  child.stdin.end();
  return answerOf(child);
}
