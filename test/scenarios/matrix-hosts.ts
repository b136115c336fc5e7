import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  type ElicitRequest,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { WireHub } from './gateway-wire-hub.ts';
import { answerOf, bin } from './plug-command.ts';

export type Way = 'stdio' | 'http' | 'sse';

export interface Shown {
  readonly name: string;
  readonly _meta?: unknown;
}

export interface Answered {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export interface CallWishes {
  readonly signal?: AbortSignal;
  readonly onprogress?: (told: { progress: number; total?: number | undefined }) => void;
}

/** A published client, as the features of the matrix use it. */
export interface TriedHost {
  tools(): Promise<readonly Shown[]>;
  call(name: string, args?: Record<string, unknown>, wishes?: CallWishes): Promise<Answered>;
  close(): Promise<void>;
}

/** One that a program holds open: it answers questions and hears what it is told. */
export interface OpenHost extends TriedHost {
  /** Methods, and of a question about a page or a form its `mode`. */
  readonly asked: string[];
  readonly heard: { readonly method: string; readonly params: unknown }[];
  watch(uri: string): Promise<void>;
  wantLogs(): Promise<void>;
  read(uri: string): Promise<unknown>;
  /** Calls a tool that its server runs as a task, in the way of this client. */
  callTask(name: string): Promise<Answered>;
}

const INFO = { name: 'matrix', version: '1' };
const UI = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {}, extensions: UI };
const ROOTS = { roots: [{ uri: 'file:///home/ada/work' }] };
const SAMPLE = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Hello.' },
  model: 'm',
};

function elicited({ params }: { readonly params: ElicitRequest['params'] }): {
  action: 'accept';
  content?: Record<string, string>;
} {
  return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } };
}

const gatewayOf = ['gateway', '--mode', 'all'];

export function open(name: string, hub: WireHub, way: Way): Promise<TriedHost | OpenHost> {
  switch (name) {
    case 'SDK 1':
      return openSdk1(way === 'stdio' ? stdio1(hub, [bin, ...gatewayOf]) : byAddress1(hub, way));
    case 'mcp-remote':
      return openSdk1(stdio1(hub, mcpRemote(hub)));
    case 'SDK 2, legacy':
      return openSdk2(hub, way, 'legacy');
    case 'SDK 2, modern':
      return openSdk2(hub, way, 'auto');
    case 'Inspector CLI':
      return Promise.resolve(inspector(hub, way));
    case 'mcporter':
      return Promise.resolve(mcporter(hub, way));
    default:
      throw new Error(`No host is called ${name}.`);
  }
}

function urlOf(hub: WireHub): string {
  return `${hub.url}/mcp?mode=all`;
}

function stdio1(hub: WireHub, args: readonly string[]): Stdio1 {
  const env = { ...hub.env, BEARER: hub.bearer, MCP_REMOTE_CONFIG_DIR: `${hub.folder}/remote` };
  return new Stdio1({ command: process.execPath, args: [...args], env, cwd: hub.cwd, stderr: 'ignore' });
}

function byAddress1(hub: WireHub, way: Way): Http1 | Sse1 {
  const options = { requestInit: { headers: { authorization: hub.bearer } } };
  return way === 'sse'
    ? new Sse1(new URL(`${hub.url}/sse?mode=all`), options)
    : new Http1(new URL(urlOf(hub)), options);
}

function mcpRemote(hub: WireHub): readonly string[] {
  const words = ['--header', 'Authorization:${BEARER}', '--transport', 'http-only'];
  const proxy = new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url);
  return [fileURLToPath(proxy), urlOf(hub), ...words];
}

async function openSdk1(transport: Stdio1 | Http1 | Sse1): Promise<OpenHost> {
  const client = new Client1(INFO, { capabilities: CAPABILITIES });
  const asked: string[] = [];
  const heard: OpenHost['heard'] = [];
  client.setRequestHandler(ElicitRequestSchema, (request) => {
    asked.push(`elicitation/create ${request.params.mode ?? 'form'}`);
    return elicited(request);
  });
  client.setRequestHandler(CreateMessageRequestSchema, ({ method }) => {
    asked.push(method);
    return SAMPLE;
  });
  client.setRequestHandler(ListRootsRequestSchema, ({ method }) => {
    asked.push(method);
    return ROOTS;
  });
  client.fallbackNotificationHandler = ({ method, params }) => {
    heard.push({ method, params });
    return Promise.resolve();
  };
  await client.connect(transport);
  return {
    asked,
    heard,
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, wishes) =>
      (await client.callTool({ name, arguments: args }, undefined, wishes)) as Answered, // one of its shapes
    watch: async (uri) => void (await client.subscribeResource({ uri })),
    wantLogs: async () => void (await client.setLoggingLevel('debug')),
    read: (uri) => client.readResource({ uri }),
    callTask: async (name) => {
      for await (const message of client.experimental.tasks.callToolStream({ name, arguments: {} })) {
        if (message.type === 'result') return message.result as Answered; // as the schema says
        if (message.type === 'error') throw message.error;
      }
      throw new Error('The stream of the task ended without a result.');
    },
    close: () => client.close(),
  };
}

async function openSdk2(hub: WireHub, way: Way, mode: 'legacy' | 'auto'): Promise<OpenHost> {
  const client = new Client2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  const asked: string[] = [];
  const heard: OpenHost['heard'] = [];
  client.setRequestHandler('elicitation/create', (request) => {
    asked.push(`${request.method} ${request.params.mode ?? 'form'}`);
    return elicited(request);
  });
  client.setRequestHandler('sampling/createMessage', ({ method }) => {
    asked.push(method);
    return SAMPLE;
  });
  client.setRequestHandler('roots/list', ({ method }) => {
    asked.push(method);
    return ROOTS;
  });
  client.fallbackNotificationHandler = ({ method, params }) => {
    heard.push({ method, params });
    return Promise.resolve();
  };
  const command = process.execPath;
  const args = [bin, ...gatewayOf];
  await client.connect(
    way === 'stdio'
      ? new Stdio2({ command, args, env: { ...hub.env }, cwd: hub.cwd, stderr: 'ignore' })
      : new Http2(new URL(urlOf(hub)), { requestInit: { headers: { authorization: hub.bearer } } }),
  );
  const isModern = client.getProtocolEra() === 'modern';
  if (isModern !== (mode === 'auto')) throw new Error('The client found another era than it was to find.');
  const meta = { 'io.modelcontextprotocol/logLevel': 'debug' as const };
  const call: OpenHost['call'] = (name, args = {}, wishes = {}) =>
    client.callTool({ name, arguments: args, ...(isModern ? { _meta: meta } : {}) }, wishes);
  return {
    asked,
    heard,
    tools: async () => (await client.listTools()).tools,
    call,
    watch: async (uri) => {
      if (isModern) await client.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
      else await client.subscribeResource({ uri });
    },
    // A modern host says it with each request.
    wantLogs: async () => void (isModern || (await client.setLoggingLevel('debug'))),
    read: (uri) => client.readResource({ uri }),
    callTask: call,
    close: () => client.close(),
  };
}

/** A process for each request. */
function inspector(hub: WireHub, way: Way): TriedHost {
  const target =
    way === 'http'
      ? [urlOf(hub), '--transport', 'http', '--header', `Authorization: ${hub.bearer}`]
      : [
          ...['PLUG_HOME', 'PLUG_NO_KEYRING'].flatMap((name) =>
            hub.env[name] === undefined ? [] : ['-e', `${name}=${hub.env[name]}`],
          ),
          process.execPath,
          bin,
          ...gatewayOf,
        ];
  const run = async (...words: readonly string[]): Promise<unknown> => {
    const launcher = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
    return JSON.parse(await say(hub, packaged(launcher), ['--cli', ...target, ...words]));
  };
  return {
    tools: once(
      async () =>
        ((await run('--method', 'tools/list', '--advertise-apps')) as { tools: readonly Shown[] }).tools,
    ),
    call: async (name, args = {}) => {
      const given = Object.entries(args).map(([key, value]) => `${key}=${String(value)}`);
      const words = given.length === 0 ? [] : ['--tool-arg', ...given];
      return (await run('--method', 'tools/call', '--tool-name', name, ...words)) as Answered; // as it prints it
    },
    close: () => Promise.resolve(),
  };
}

function mcporter(hub: WireHub, way: Way): TriedHost {
  const file = `${hub.folder}/mcporter.json`;
  mkdirSync(hub.folder, { recursive: true });
  const mcpServers = {
    stdio: {
      command: process.execPath,
      args: [bin, ...gatewayOf],
      env: { PLUG_HOME: hub.env['PLUG_HOME'] ?? '' },
    },
    http: { baseUrl: urlOf(hub), headers: { Authorization: hub.bearer } },
  };
  writeFileSync(file, JSON.stringify({ mcpServers, imports: [] }));
  const run = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse(await say(hub, packaged('mcporter/dist/cli.js'), ['--config', file, ...words]));
  return {
    tools: once(async () => ((await run('list', way, '--json')) as { tools: readonly Shown[] }).tools),
    // It prints what is in the result: its structured content where there is some.
    call: async (name, args = {}) => {
      const words = ['--args', JSON.stringify(args), '--output', 'json'];
      const said = await run('call', `${way}.${name}`, ...words);
      return { content: [{ type: 'text', text: JSON.stringify(said) }], structuredContent: said };
    },
    close: () => Promise.resolve(),
  };
}

/** Each process takes seconds. */
function once(list: TriedHost['tools']): TriedHost['tools'] {
  let listed: ReturnType<typeof list> | undefined;
  return () => (listed ??= list());
}

/** What a command prints, on our Node, seeing nothing of this machine's own settings. */
async function say(hub: WireHub, file: string, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [file, ...words], { cwd: hub.cwd, env: hub.env });
  child.stdin.end();
  const { code, stdout, stderr } = await answerOf(child);
  if (code !== 0) throw new Error(`It ended with ${String(code)}: ${stdout}${stderr}`);
  return stdout;
}

function packaged(file: string): string {
  return fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));
}
