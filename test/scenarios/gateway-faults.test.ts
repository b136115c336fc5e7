import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { gatewayLimits } from '../../src/gateway/limits.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { programFile } from '../suite/program-file.ts';
import { modernParams, textIn, WAIT_MS, type WireHost } from './gateway-wire-host.ts';
import { openWireHub, type WireHub } from './gateway-wire-hub.ts';
import { HTTP_HEADERS, modernHeaders, type Message } from './gateway-wire.ts';
import { bin, isAlive } from './plug-command.ts';

const TEST_MS = 90_000;
const LANES = [
  ['legacy', 'stdio'],
  ['legacy', 'http'],
  ['modern', 'stdio'],
  ['modern', 'http'],
] as const;
const SESSIONS = ['stdio', 'http', 'sse'] as const;

let hub: WireHub;
beforeAll(async () => {
  hub = await openWireHub({ fix: 'dual', legacy: 'legacy', modern: 'modern' });
}, TEST_MS);
afterAll(() => hub.close(), TEST_MS);

verifies(
  ['G1', 'G2'],
  'hosts that ask with the same ids at the same time are each asked for themselves',
  async () => {
    const hosts = await Promise.all(
      LANES.map(async ([era, wire]) => {
        const host = await hub.host(era, wire);
        const name = `${era} over ${wire}`;
        host.answer = () => ({ action: 'accept', content: { name } });
        return { host, name };
      }),
    );
    // While two share a connection, an old server cannot say whom it means: once each is enough.
    for (const { host } of hosts) await host.call('legacy__ask');
    for (let round = 0; round < 5; round += 1) {
      const said = await Promise.all(
        hosts.flatMap(({ host }) => [host.call('legacy__ask'), host.call('modern__ask')]),
      );
      const names = said.map((result) => JSON.parse(textIn(result)) as unknown); // the fixture says it as JSON
      expect(names).toEqual(
        hosts.flatMap(({ name }) => [1, 2].map(() => ({ action: 'accept', content: { name } }))),
      );
    }
    expect(hosts.map(({ host }) => host.asked.length)).toEqual([11, 11, 11, 11]);
    expect(hosts.flatMap(({ host }) => host.strays)).toEqual([]);
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2'],
  'calls with one id under way at once are all answered, and a batch comes back as one',
  async () => {
    for (const wire of ['stdio', 'http'] as const) {
      const host = await hub.host('legacy', wire, { version: '2025-03-26' });
      const marks = ['a', 'b', 'c'];
      for (const mark of marks) void host.wire.send(echo('same', mark));
      await waitFor(() => host.strays.length === 3, WAIT_MS);
      expect(host.strays.map((message) => message['id'])).toEqual(['same', 'same', 'same']);
      expect(host.strays.map(answered).toSorted()).toEqual(marks);
      host.strays.length = 0;
      const note = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
      const batch = [echo(1, 'first'), note, echo(1, 'second'), echo(2, 'third')];
      void host.wire.send(batch as unknown as Message); // no other revision has it
      await waitFor(() => host.strays.length > 0, WAIT_MS);
      const answers = host.strays.flat();
      expect(host.strays).toHaveLength(1);
      expect(answers.map(answered).toSorted()).toEqual(['first', 'second', 'third']);
    }
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2'],
  'a call that was cancelled and is made again under the same id is answered once, with the new answer',
  async () => {
    for (const wire of SESSIONS) {
      const host = await hub.host('legacy', wire);
      const file = `${hub.folder}/late-${wire}`;
      void host.wire.send(callOf(77, 'fix__late', { ms: 1_000, file })).catch(() => undefined); // cancelled below
      await begun(file);
      host.wire.cancel(77);
      await waitFor(() => existsSync(file), WAIT_MS);
      void host.wire.send(echo(77, 'again'));
      await waitFor(() => host.strays.length > 0, WAIT_MS);
      // The server answers the first one too, a second after it began.
      await systemClock.sleep(1_200);
      expect(host.strays.map(answered)).toEqual(['again']);
    }
  },
  TEST_MS,
);

verifies(
  ['G1', 'C12'],
  'a host that is killed in the middle has its call cancelled, and with its link its own servers end',
  async () => {
    for (const wire of SESSIONS) {
      const host = await hub.host('legacy', wire);
      await host.call('legacy__ask');
      const server = Number(textIn(await host.call('legacy__pid')));
      const shared = Number(textIn(await host.call('fix__pid')));
      const file = `${hub.folder}/killed-${wire}`;
      void host.wire.send(callOf(1, 'fix__hang', { file })).catch(() => undefined); // it is killed below
      await begun(file);
      await host.wire.kill();
      if (wire === 'http') {
        // It has no link that could end: its session may come back, and ends after an hour of silence.
        expect(isAlive(server)).toBe(true);
      } else await waitFor(() => !isAlive(server), WAIT_MS);
      await expect
        .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: patience(WAIT_MS) })
        .toMatch(/^cancelled \S+\n$/);
      expect(isAlive(shared)).toBe(true);
    }
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2', 'C12'],
  'a modern host that is killed while it is asked leaves no call waiting and no server of its own',
  async () => {
    const host = await hub.host('modern', 'stdio');
    await host.call('legacy__ask');
    const server = Number(textIn(await host.call('legacy__pid')));
    const parked = await host.request('tools/call', { name: 'legacy__ask', arguments: {} });
    expect(parked).toMatchObject({ resultType: 'input_required' });
    expect(isAlive(server)).toBe(true);
    await host.wire.kill();
    await waitFor(() => !isAlive(server), WAIT_MS);
    const other = await hub.host('modern', 'http');
    const { requestState, inputRequests } = parked;
    const inputResponses = answersFor(inputRequests);
    const retry = { name: 'legacy__ask', arguments: {}, requestState, inputResponses };
    await expect(other.request('tools/call', retry)).rejects.toMatchObject({ code: -32602 });
  },
  TEST_MS,
);

verifies(
  ['G2', 'attack:G2'],
  'a requestState that was forged, changed or meant for another call opens nothing',
  async () => {
    const host = await hub.host('modern', 'http');
    for (const server of ['legacy', 'modern']) {
      const params = { name: `${server}__ask`, arguments: {} };
      const { requestState, inputRequests } = await host.request('tools/call', params);
      const state = requestState as string; // as specified
      const inputResponses = answersFor(inputRequests);
      const retry = (changed: JsonObject): Promise<JsonObject> =>
        host.request('tools/call', { ...params, requestState: state, inputResponses, ...changed });
      const middle = Math.floor(state.length / 2);
      const flipped = `${state.slice(0, middle)}${state[middle] === 'A' ? 'B' : 'A'}${state.slice(middle + 1)}`;
      for (const wrong of [
        { requestState: flipped },
        { requestState: 'forged' },
        { requestState: '' },
        { requestState: { call: 1 } as unknown as JsonObject },
        { name: `${server}__sample` },
      ]) {
        await expect(retry(wrong), JSON.stringify(wrong)).rejects.toMatchObject({ code: -32602 });
      }
      // None of these has harmed the call that waits.
      expect(textIn(await retry({}))).toContain('"Ada"');
      // A modern server keeps nothing of its call, so it takes the answers again.
      if (server === 'modern') expect(textIn(await retry({}))).toContain('"Ada"');
      else await expect(retry({})).rejects.toMatchObject({ code: -32602 });
    }
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2'],
  'a server that crashes in the middle of calls answers all of them with the cause and the next step',
  async () => {
    const hosts = await Promise.all(LANES.map(([era, wire]) => hub.host(era, wire)));
    await Promise.all(hosts.map((host) => host.call('modern__echo', { message: 'awake' })));
    const file = `${hub.folder}/crashing`;
    const others = hosts.slice(1).map((host) => host.call('modern__slow', { ms: 600_000, file }));
    await begun(file, others.length);
    const crashed = await Promise.all([hosts[0]?.call('modern__crash') ?? {}, ...others]);
    for (const result of crashed) {
      expect(result).toMatchObject({ isError: true });
      expect(textIn(result)).toBe(
        'modern ended with exit code 7. Last output: giving up\nNext: Ask the user to look at the log of modern; in a terminal: plug logs modern',
      );
    }
    const after = await Promise.all(hosts.map((host) => host.call('modern__echo', { message: 'again' })));
    expect(after.map(textIn)).toEqual(hosts.map(() => 'again'));
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'a message that is too large is refused, and the host goes on',
  async () => {
    const large = 'x'.repeat(gatewayLimits.bodyBytesMax + 1);
    const stdio = await hub.host('legacy', 'stdio');
    await expect(stdio.call('fix__echo', { message: large })).rejects.toMatchObject({ code: -32600 });
    expect(textIn(await stdio.call('fix__echo', { message: 'small' }))).toBe('small');
    const http = await hub.host('legacy', 'http');
    await expect(http.call('fix__echo', { message: large })).rejects.toThrow();
    expect(textIn(await http.call('fix__echo', { message: 'small' }))).toBe('small');
    // What is just below passes through everything, to the server and back.
    const whole = await hub.host('modern', 'http', { path: '/mcp/s/fix' });
    const most = 'x'.repeat(4 * 1024 * 1024);
    expect(textIn(await whole.call('echo', { message: most }))).toBe(most);
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'hosts that never read cost the hub little, and the others nothing',
  async () => {
    const before = residentMb(hub.pid);
    const deaf = spawn(process.execPath, [bin, 'gateway', '--server', 'fix'], { cwd: hub.cwd, env: hub.env });
    onTestFinished(() => void deaf.kill('SIGKILL'));
    deaf.stdin.on('error', () => undefined); // it is killed in the end
    const ask = (id: number): Message => callOf(id, 'big', { bytes: 1024 * 1024 }, 'modern');
    for (let id = 1; id <= 100; id += 1) deaf.stdin.write(`${JSON.stringify(ask(id))}\n`);
    // Again and again on each connection: a few times are answered, too often ends it.
    const [few, many] = [deafPosts(ask(1), 3), deafPosts(ask(1), 1_000)];
    // Who does not read learns that it is over when they ask once more.
    const again = setInterval(() => many.socket.write(many.request), 50);
    onTestFinished(() => clearInterval(again));
    await many.ended;
    clearInterval(again);
    const other = await hub.host('legacy', 'http');
    for (let times = 0; times < 100; times += 1) {
      expect(textIn(await other.call('fix__echo', { message: `${times}` }))).toBe(`${times}`);
    }
    await waitFor(() => few.socket.readable, WAIT_MS);
    few.socket.resume();
    expect(few.socket.destroyed).toBe(false);
    // More than 1 GB was asked for.
    expect(residentMb(hub.pid) - before).toBeLessThan(250);
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'a host that closes its end still gets the answers under way, and its gateway ends',
  async () => {
    const child = spawn(process.execPath, [bin, 'gateway', '--mode', 'all'], { cwd: hub.cwd, env: hub.env });
    const ended = once(child, 'close');
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    child.stdin.end(`${JSON.stringify(callOf(5, 'fix__slow', { ms: 700, steps: 1 }, 'modern'))}\n`);
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(said)).toMatchObject({ id: 5, result: { content: [{ text: 'done after 1 steps' }] } });
  },
  TEST_MS,
);

verifies(
  ['G2'],
  'an argument that a tool wants to see in a header must stand there, or the server is not called',
  async () => {
    const file = `${hub.folder}/tools.json`;
    const called = `${hub.folder}/called`;
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const inputSchema = { type: 'object', properties: { region } };
    writeFileSync(file, JSON.stringify([{ name: 'list', description: 'Lists.', inputSchema }]));
    writeFileSync(called, '');
    const script = [programFile('servers/stdio'), 'scripted', `file=${file}`];
    await hub.json('add', 'scripted', '--yes', '--', process.execPath, ...script, `called=${called}`);
    const status = async (headers: Record<string, string>): Promise<readonly unknown[]> => {
      const message = callOf(1, 'scripted__list', { region: 'eu' }, 'modern');
      const response = await fetch(`${hub.url}/mcp?mode=all`, {
        method: 'POST',
        headers: { ...HTTP_HEADERS, ...modernHeaders(message), authorization: hub.bearer, ...headers },
        body: JSON.stringify(message),
      });
      const { error } = (await response.json()) as { readonly error?: { readonly code: number } }; // JSON-RPC
      return [response.status, error?.code];
    };
    expect(await status({})).toEqual([400, -32020]);
    expect(await status({ 'mcp-param-region': 'us' })).toEqual([400, -32020]);
    expect(await status({ 'mcp-param-region': '=?base64?!?=' })).toEqual([400, -32020]);
    expect(readFileSync(called, 'utf8')).toBe('');
    expect(await status({ 'mcp-param-region': 'eu' })).toEqual([200, undefined]);
    // The same in the other spelling that a header may have.
    expect(await status({ 'mcp-param-region': '=?base64?ZXU=?=' })).toEqual([200, undefined]);
    expect(readFileSync(called, 'utf8')).toBe('list\nlist\n');
  },
  TEST_MS,
);

verifies(
  ['G2', 'C10'],
  'a host that stops watching a resource does not end it for another, wherever that one comes from',
  async () => {
    const uri = 'plug://fix/test://watched';
    const staying = await hub.host('legacy', 'stdio', { capabilities: {} });
    const leaving = await hub.host('legacy', 'http', { capabilities: {} });
    for (const host of [staying, leaving]) await host.watch(uri);
    await leaving.request('resources/unsubscribe', { uri });
    await leaving.wire.close();
    await systemClock.sleep(300);
    await staying.call('fix__touch');
    await waitFor(() => staying.told('notifications/resources/updated').length > 0, WAIT_MS);
    expect(staying.told('notifications/resources/updated')).toEqual([{ uri }]);
    expect(leaving.told('notifications/resources/updated')).toEqual([]);
  },
  TEST_MS,
);

verifies(
  ['G1', 'C12'],
  'a hub that is stopped in the middle answers or lets go of every host, and leaves no process',
  async () => {
    const stopped = await openWireHub({ fix: 'dual' });
    const hosts = await Promise.all(LANES.map(([era, wire]) => stopped.host(era, wire)));
    const server = Number(textIn(await (hosts[0] as WireHost).call('fix__pid')));
    const file = `${stopped.folder}/stopping`;
    const ends = hosts.map((host) =>
      host.call('fix__slow', { ms: 600_000, steps: 1, file }).then(
        (result) => (result['isError'] === true ? 'failed' : 'answered'),
        () => 'failed',
      ),
    );
    await begun(file, hosts.length);
    await stopped.json('hub', 'stop');
    expect(await Promise.all(ends)).toEqual(hosts.map(() => 'failed'));
    expect([isAlive(stopped.pid), isAlive(server)]).toEqual([false, false]);
    await stopped.close();
  },
  TEST_MS,
);

function callOf(id: number | string, name: string, args: JsonObject, era = 'legacy'): Message {
  const params = { name, arguments: args };
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: era === 'modern' ? modernParams(params) : params,
  };
}

function echo(id: number | string, message: string): Message {
  return callOf(id, 'fix__echo', { message });
}

function answered(message: Message): string {
  return textIn(message['result'] as JsonObject); // it is an answer
}

/** So many calls that name this file have reached the server. */
async function begun(file: string, calls = 1): Promise<void> {
  await waitFor(() => readFileSync(`${file}.begun`, 'utf8').split('\n').length > calls, WAIT_MS);
}

function answersFor(inputRequests: unknown): JsonObject {
  const keys = Object.keys(inputRequests as object); // as specified
  return Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: { name: 'Ada' } }]));
}

/** Posts without ever reading. */
function deafPosts(
  message: Message,
  times: number,
): { readonly socket: Socket; readonly request: string; readonly ended: Promise<void> } {
  const { host, port } = new URL(hub.url);
  const body = JSON.stringify(message);
  const headers = {
    host,
    ...HTTP_HEADERS,
    ...modernHeaders(message),
    authorization: hub.bearer,
    'content-length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), '127.0.0.1');
  const ended = new Promise<void>(
    (resolve) => void socket.once('error', () => resolve()).once('close', () => resolve()),
  );
  onTestFinished(() => void socket.destroy());
  const request = `POST /mcp/s/fix HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  socket.write(request.repeat(times));
  return { socket, request, ended };
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
