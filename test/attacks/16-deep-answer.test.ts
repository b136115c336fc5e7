import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { bin, isAlive, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { LineClient, textOf, type Reply } from '../servers/line-client.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const server = fileURLToPath(new URL('hostile-server.ts', import.meta.url));
const LONG_MS = 180_000;
const WAIT_MS = 30_000;

async function openHost(plug: Plug): Promise<LineClient> {
  const host = new LineClient(
    { command: process.execPath, args: [bin, 'gateway', '--mode', 'all'] },
    {
      cwd: plug.cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: plug.home, PLUG_HOME: `${plug.home}/plug` },
    },
  );
  onTestFinished(() => host[Symbol.asyncDispose]());
  const clientInfo = { name: 'line-client', version: '1' };
  await answered(
    host,
    host.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  );
  host.notify('notifications/initialized');
  return host;
}

async function answered(host: LineClient, id: number): Promise<Reply> {
  const found = (): Reply | undefined => host.messages.find((message) => message.id === id);
  await waitFor(() => found() !== undefined, WAIT_MS);
  return found() as Reply; // waited for
}

function call(host: LineClient, name: string): Promise<Reply> {
  return answered(host, host.send('tools/call', { name, arguments: {} }));
}

/** What a host is told of a call that failed, as an error or as a result that is one. */
function failureOf({ error, result }: Reply): string {
  return error?.message ?? JSON.stringify(result?.['isError'] === true ? result : {});
}

function faultsOf(plug: Plug): readonly string[] {
  const log = `${plug.home}/plug/hub.log`;
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.filter((line) => /unexpected failure|crashed/.test(line));
}

verifies(
  ['attack:16', 'C6', 'G1'],
  'an answer nested thousands of levels deep fails its own call, and nobody else notices',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    const kinds = {
      deep: ['deep', '5000'],
      deeper: ['deep', '200000'],
      error: ['deep-error'],
      progress: ['deep-progress'],
    };
    for (const [name, words] of Object.entries(kinds)) {
      expect(
        (await plug('add', name, '--yes', '--no-test', '--', process.execPath, server, ...words)).code,
      ).toBe(0);
    }
    const { pid } = await plug.json('hub', 'status');
    const [victim, other] = [await openHost(plug), await openHost(plug)];
    for (const name of ['deep', 'deeper', 'error']) {
      expect([name, failureOf(await call(victim, `${name}__get_bad`))]).toEqual([
        name,
        expect.stringMatching(/nested deeper than \d+ levels/),
      ]);
      expect(isAlive(Number(pid))).toBe(true);
      expect(textOf(await call(other, `${name}__get_good`))).toBe('good');
      expect(textOf(await call(victim, `${name}__get_good`))).toBe('good');
    }
    expect(textOf(await call(victim, 'progress__get_bad'))).toBe('done');
    expect(await plug.json('hub', 'status')).toMatchObject({ pid });
    expect(faultsOf(plug)).toEqual([]);
    expect([victim.child.exitCode, other.child.exitCode]).toEqual([null, null]);
  },
  LONG_MS,
);

verifies(
  ['attack:16', 'C6'],
  'the same holds for a server over HTTP, whether it answers with JSON or with a stream of events',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    for (const form of ['json', 'events'] as const) {
      const url = await remoteServer(form);
      expect((await plug('add', form, url, '--yes', '--no-test')).code).toBe(0);
    }
    const { pid } = await plug.json('hub', 'status');
    const host = await openHost(plug);
    for (const form of ['json', 'events']) {
      expect(failureOf(await call(host, `${form}__get_bad`))).toMatch(/nested deeper than \d+ levels/);
      expect(textOf(await call(host, `${form}__get_good`))).toBe('good');
    }
    expect(await plug.json('hub', 'status')).toMatchObject({ pid });
    expect(faultsOf(plug)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['attack:16', 'G1'],
  'a host whose message is nested too deeply is refused that message, and nothing else',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    expect(
      (await plug('add', 'one', '--yes', '--no-test', '--', process.execPath, server, 'noend')).code,
    ).toBe(0);
    const { pid } = await plug.json('hub', 'status');
    const host = await openHost(plug);
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    host.child.stdin.write(
      `{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"one__get_good","arguments":{"a":${nested}}}}\n`,
    );
    expect((await answered(host, 900)).error).toMatchObject({
      message: expect.stringContaining('nested deeper'),
    });
    host.child.stdin.write(
      `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${nested}}}\n[${nested}]\n`,
    );
    expect(textOf(await call(host, 'one__get_good'))).toBe('good');
    expect(await plug.json('hub', 'status')).toMatchObject({ pid });
    expect(faultsOf(plug)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['attack:16'],
  'whatever else is thrown or rejected at the top of the hub is logged without its message, and the hub goes on',
  async () => {
    // A bug on demand, in the hub alone.
    const bug = join(temporaryFolder(), 'bug.mjs');
    writeFileSync(
      bug,
      `if (process.argv.includes('--foreground')) process.on('SIGUSR2', () => {
        setTimeout(() => { throw new TypeError('thrown sk-canary-1'); });
        Promise.reject(new RangeError('rejected sk-canary-2'));
        setImmediate(() => { throw 'sk-canary-3'; });
      });`,
    );
    const plug = newPlug({ PLUG_NO_KEYRING: '1', NODE_OPTIONS: `--import=${bug}` }, { hub: 'process' });
    expect(
      (await plug('add', 'one', '--yes', '--no-test', '--', process.execPath, server, 'noend')).code,
    ).toBe(0);
    const { pid } = await plug.json('hub', 'status');
    const host = await openHost(plug);
    process.kill(Number(pid), 'SIGUSR2');
    await waitFor(() => faultsOf(plug).length === 3, WAIT_MS);
    expect(textOf(await call(host, 'one__get_good'))).toBe('good');
    expect(await plug.json('hub', 'status')).toMatchObject({ pid });
    const log = readFileSync(`${plug.home}/plug/hub.log`, 'utf8');
    expect(log).toMatch(/"name":"TypeError"/);
    expect(log).toMatch(/"name":"RangeError"/);
    expect(log).not.toContain('sk-canary');
  },
  LONG_MS,
);

/** A server without sessions whose bad tool answers with 5,000 levels. */
async function remoteServer(form: 'json' | 'events'): Promise<string> {
  const listener = createServer((request, response) => void answer(request, response, form)).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => listener.close().closeAllConnections());
  await once(listener, 'listening');
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`; // it listens
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  form: 'json' | 'events',
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(body) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: { readonly name?: string };
  };
  if (id === undefined) return void response.writeHead(202).end();
  const text = `{"jsonrpc":"2.0","id":${id},${resultOf(method, params?.name)}}`;
  const type = form === 'json' ? 'application/json' : 'text/event-stream';
  response
    .writeHead(200, { 'content-type': type })
    .end(form === 'json' ? text : `event: message\ndata: ${text}\n\n`);
}

function resultOf(method: string, tool: string | undefined): string {
  if (method === 'initialize') {
    return '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}';
  }
  if (method === 'tools/list') {
    const tools = ['get_bad', 'get_good'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    return `"result":${JSON.stringify({ tools })}`;
  }
  if (method !== 'tools/call') return '"error":{"code":-32601,"message":"unknown"}';
  const nested = tool === 'get_bad' ? `${'['.repeat(5_000)}${']'.repeat(5_000)}` : '1';
  return `"result":{"content":[{"type":"text","text":"good"}],"structuredContent":{"a":${nested}}}`;
}
