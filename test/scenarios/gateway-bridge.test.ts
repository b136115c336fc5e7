import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { LineClient, modernParams, textOf, type Reply } from '../servers/line-client.ts';
import { waitFor } from '../servers/start.ts';
import { verifies } from '../requirements.ts';
import { bin, fixtureCommand, isAlive, newPlug, type Plug } from './plug-command.ts';

const WAIT_MS = 30_000;
const TEST_MS = 90_000;

verifies(
  ['G1'],
  'plug gateway starts the hub, carries a host of either era, and ends with the host’s input',
  async () => {
    const plug = await withFixture();
    await plug.json('hub', 'stop');
    const host = gatewayOf(plug);
    await opened(host);
    const listed = await answerTo(host, host.send('tools/list'));
    expect(JSON.stringify(listed.result)).toContain('"fix__echo"');
    expect(textOf(await call(host, 'fix__echo', { message: 'one ü two' }))).toBe('one ü two');
    const params = modernParams({ name: 'fix__echo', arguments: { message: 'modern' } });
    expect(textOf(await answerTo(host, host.send('tools/call', params)))).toBe('modern');
    host.child.stdin.end();
    expect(await host.exited).toEqual([0, null]);
    expect({ noise: host.noise, stderr: host.stderr }).toEqual({ noise: [], stderr: '' });
  },
  TEST_MS,
);

verifies(
  ['G1', 'C12'],
  'two gateways share one server process, and each sees only its own answers',
  async () => {
    const plug = await withFixture();
    const hosts = [gatewayOf(plug), gatewayOf(plug)] as const;
    await Promise.all(hosts.map(opened));
    const pids = await Promise.all(hosts.map(async (host) => textOf(await call(host, 'fix__pid'))));
    expect(pids[0]).toMatch(/^\d+$/);
    expect(pids[1]).toBe(pids[0]);
    const said = await Promise.all(
      hosts.map(async (host, index) => textOf(await call(host, 'fix__echo', { message: `host ${index}` }))),
    );
    expect(said).toEqual(['host 0', 'host 1']);
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'a hub killed in the middle of a call fails that call, and the next call works on a new hub',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug);
    await opened(host);
    const before = Number((await plug.json('hub', 'status'))['pid']);
    const server = Number(textOf(await call(host, 'fix__pid')));
    const hanging = host.send('tools/call', { name: 'fix__slow', arguments: { ms: 60_000 } });
    expect(textOf(await call(host, 'fix__echo', { message: 'under way' }))).toBe('under way');
    process.kill(before, 'SIGKILL');
    expect((await answerTo(host, hanging)).error).toEqual({
      code: -32603,
      message: 'The hub restarted while this ran; call again.',
    });
    expect(textOf(await call(host, 'fix__echo', { message: 'again' }))).toBe('again');
    const after = Number((await plug.json('hub', 'status'))['pid']);
    expect(after).not.toBe(before);
    await waitFor(() => !isAlive(server), WAIT_MS);
    expect(host.child.exitCode).toBeNull();
    expect(host.noise).toEqual([]);
    expect(host.messages.filter((message) => message.id === hanging)).toHaveLength(1);
  },
  TEST_MS,
);

verifies(
  ['G1', 'G2', 'C15'],
  'after a hub is killed, a legacy host still gets the updates it subscribed to, and logs at its level',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug);
    await opened(host);
    const uri = 'plug://fix/test://watched';
    const other = 'plug://fix/test://other';
    expect((await answerTo(host, host.send('resources/subscribe', { uri }))).error).toBeUndefined();
    expect((await answerTo(host, host.send('resources/subscribe', { uri: other }))).error).toBeUndefined();
    await answerTo(host, host.send('resources/unsubscribe', { uri: other }));
    await answerTo(host, host.send('logging/setLevel', { level: 'error' }));
    process.kill(Number((await plug.json('hub', 'status'))['pid']), 'SIGKILL');
    await waitFor(() => host.stderr.length > 0, WAIT_MS);
    const before = host.messages.length;
    const updated = (): readonly unknown[] =>
      host.messages
        .slice(before)
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params?.['uri']);
    await call(host, 'fix__log', { level: 'info' });
    await call(host, 'fix__log', { level: 'error' });
    // A touch may reach the server before the repeated subscription does.
    await waitFor(async () => {
      await call(host, 'fix__touch');
      return updated().includes(uri);
    }, WAIT_MS);
    expect(updated()).not.toContain(other);
    const logs = host.messages.slice(before).filter(({ method }) => method === 'notifications/message');
    expect(logs.map(({ params }) => params?.['level'])).toEqual(['error']);
    // The host hears nothing of what was repeated for it.
    expect(host.messages.filter(({ id }) => typeof id === 'string')).toEqual([]);
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'plug hub restart goes unnoticed by a host that waits for nothing, and a stopped hub stays stopped',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug);
    await opened(host);
    await plug.json('hub', 'restart');
    expect(textOf(await call(host, 'fix__echo', { message: 'after' }))).toBe('after');
    await plug.json('hub', 'stop');
    await waitFor(() => host.stderr.split('\n').length > 2, WAIT_MS);
    expect(await plug.json('hub', 'status')).toMatchObject({ running: false });
    expect(textOf(await call(host, 'fix__echo', { message: 'woken' }))).toBe('woken');
    host.child.kill('SIGTERM');
    expect(await host.exited).toEqual([0, null]);
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'ten thousand requests written at once come back complete, each under its id',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug);
    await opened(host);
    const count = 10_000;
    const lines = Array.from({ length: count }, (_, index) => {
      const params = { name: 'fix__echo', arguments: { message: `message ${index}` } };
      return `${JSON.stringify({ jsonrpc: '2.0', id: `r${index}`, method: 'tools/call', params })}\n`;
    });
    host.child.stdin.write(lines.join(''));
    await waitFor(() => host.messages.length > count, WAIT_MS * 2);
    const answers = new Map(host.messages.map((message) => [message.id, message]));
    const wrong = lines.flatMap((_, index) => {
      const said = textOf(answers.get(`r${index}`) ?? {});
      return said === `message ${index}` ? [] : [said];
    });
    expect(wrong).toEqual([]);
    expect(residentMb(host.child.pid)).toBeLessThan(120);
  },
  TEST_MS * 2,
);

verifies(
  ['G1'],
  'a host that is killed ends its gateway, and what it had asked is cancelled on the server',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug);
    await opened(host);
    const file = `${plug.cwd}/cancelled`;
    host.send('tools/call', { name: 'fix__hang', arguments: { file } });
    expect(textOf(await call(host, 'fix__echo', { message: 'under way' }))).toBe('under way');
    host.child.kill('SIGKILL');
    await host.exited;
    await waitFor(() => contentOf(file) !== '', WAIT_MS);
    expect(contentOf(file)).toContain('cancelled');
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'a gateway whose host does not read still ends when it is told to',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug);
    await opened(host);
    host.child.stdout.pause();
    const params = { name: 'fix__echo', arguments: { message: 'x'.repeat(10_000) } };
    for (let count = 0; count < 300; count += 1) host.send('tools/call', params);
    const bridge = host.child.pid ?? 0;
    // Half a megabyte of answers is more than the host and the pipe between them hold unread.
    const answered = async (): Promise<unknown> => (await plug.json('audit', '--limit', '50'))['records'];
    await waitFor(async () => ((await answered()) as readonly unknown[]).length === 50, WAIT_MS);
    host.child.kill('SIGTERM');
    await waitFor(() => !isAlive(bridge), WAIT_MS);
    host.child.stdout.resume();
    expect(await host.exited).toEqual([130, null]);
  },
  TEST_MS,
);

verifies(
  ['G1'],
  'a gateway for one server shows that server under its own names; a wrong mode is a usage error',
  async () => {
    const plug = await withFixture();
    const host = gatewayOf(plug, '--server', 'fix', '--mode', 'all');
    await opened(host);
    expect(textOf(await call(host, 'echo', { message: 'own name' }))).toBe('own name');
    const wrong = await plug('gateway', '--mode', 'everything');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('There is no mode “everything”');
  },
  TEST_MS,
);

async function withFixture(): Promise<Plug> {
  const plug = newPlug({}, { hub: 'process' });
  await plug.json('add', 'fix', '--yes', '--', ...fixtureCommand('dual'));
  return plug;
}

/** `plug gateway` as a host starts it: with its stdin open. */
function gatewayOf(plug: Plug, ...flags: readonly string[]): LineClient {
  const host = new LineClient(
    { command: process.execPath, args: [bin, 'gateway', '--mode', 'all', ...flags] },
    {
      cwd: plug.cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: plug.home, PLUG_HOME: `${plug.home}/plug` },
    },
  );
  onTestFinished(() => host[Symbol.asyncDispose]());
  return host;
}

async function opened(host: LineClient): Promise<void> {
  const clientInfo = { name: 'line-client', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const reply = await answerTo(host, host.send('initialize', params));
  expect(reply.result).toMatchObject({ protocolVersion: '2025-11-25' });
  host.notify('notifications/initialized');
}

function call(host: LineClient, name: string, args: Record<string, unknown> = {}): Promise<Reply> {
  return answerTo(host, host.send('tools/call', { name, arguments: args }));
}

/** Starting a hub takes longer than the line client's own patience. */
async function answerTo(host: LineClient, id: number): Promise<Reply> {
  const found = (): Reply | undefined => host.messages.find((message) => message.id === id);
  await waitFor(() => found() !== undefined, WAIT_MS);
  return found() as Reply; // waited for
}

function residentMb(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not written yet
  }
}
