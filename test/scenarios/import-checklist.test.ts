import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { write } from '../clients/prepared-home.ts';
import { verifies } from '../requirements.ts';
import { bin, fixtureCommand, newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 90_000;
/** Here the hub may do what it does for people. */
const BY_ITSELF = { PLUG_NO_KEYRING: '1', PLUG_NO_FIRST_LOOKS: '' };

interface Check {
  readonly id: string;
  readonly is: string;
  readonly tools?: number;
  readonly remedy?: { readonly do: string; readonly program?: string };
}

interface Row {
  readonly id: string;
  readonly toolCount: number;
  readonly process?: object;
  readonly state: { readonly kind: string };
}

const [command = '', ...args] = fixtureCommand('dual');

verifies(
  ['S11'],
  'an import ends with a checklist: what is fine, needs a key, needs a program, or is off',
  async () => {
    const plug = newPlug(BY_ITSELF);
    write(join(plug.home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'), {
      mcpServers: {
        works: { command, args },
        keyless: { command, args, env: { API_KEY: '${env:NO_SUCH_VARIABLE_HERE}' } },
        sampled: { command, args, env: { SERVER: 'sampled', API_KEY: '<YOUR_KEY>' } },
        uvless: { command: 'uvx', args: ['mcp-server-time'] },
        programless: { command: 'no-such-program-of-anyone' },
        quits: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
        resting: { command, args, env: { SERVER: 'resting' }, disabled: true },
      },
    });
    const outcome = await plug.json('import', '--yes');
    const checks = new Map((outcome['checklist'] as readonly Check[]).map((check) => [check.id, check]));
    expect(checks.get('works')).toMatchObject({ is: 'fine', tools: expect.any(Number) });
    expect(checks.get('keyless')).toMatchObject({ is: 'needs-key' });
    const remedy = { do: 'set-secret', name: 'sampled/API_KEY', server: 'sampled' };
    expect(checks.get('sampled')).toMatchObject({ is: 'needs-key', remedy });
    expect(checks.get('uvless')).toMatchObject({
      is: 'needs-program',
      remedy: { do: 'install', program: 'uv' },
    });
    expect(checks.get('programless')).toMatchObject({ is: 'needs-program' });
    expect(checks.get('quits')).toMatchObject({ is: 'failed' });
    expect(checks.get('resting')).toMatchObject({ is: 'off', remedy: { do: 'enable' } });
    // It was started only to be asked, and what is off was never started.
    const rows = (await plug.json('list'))['servers'] as readonly Row[];
    expect(rows.find(({ id }) => id === 'works')).toMatchObject({ state: { kind: 'asleep' } });
    expect(rows.filter((row) => row.process !== undefined)).toEqual([]);
    expect(rows.find(({ id }) => id === 'resting')).toMatchObject({ toolCount: 0 });
  },
  LONG_MS,
);

verifies(
  ['S11'],
  'a host on stdio lists the tools of imported servers and of mcp.json, though nobody started them',
  async () => {
    const plug = newPlug(BY_ITSELF);
    write(join(plug.home, '.cursor', 'mcp.json'), { mcpServers: { works: { command, args } } });
    write(join(plug.home, 'plug', 'mcp.json'), {
      mcpServers: { mine: { command, args, env: { SERVER: 'mine' } } },
    });
    await plug.json('import', '--yes');
    await expect.poll(() => toolCount(plug, 'mine'), { timeout: 20_000 }).toBeGreaterThan(0);
    const names = await toolsOfHost(plug);
    for (const server of ['works', 'mine'])
      expect(names.filter((name) => name.startsWith(`${server}__`)).length).toBeGreaterThan(0);
  },
  LONG_MS,
);

verifies(
  ['S11', 'S3'],
  'the hub starts nothing by itself that a project brings and nobody trusted, not even after an import',
  async () => {
    const plug = newPlug(BY_ITSELF);
    write(join(plug.cwd, 'mcp.json'), { mcpServers: { unknown: { command, args, env: { SERVER: 'a' } } } });
    write(join(plug.cwd, '.cursor', 'mcp.json'), { mcpServers: { brought: { command, args } } });
    const outcome = await plug.json('import', '--yes');
    expect(outcome['checklist']).toMatchObject([{ id: 'brought', is: 'waits' }]);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await toolCount(plug, 'unknown')).toBe(0);
    expect(await toolCount(plug, 'brought')).toBe(0);
    // Trust is consent: now it is looked at.
    expect((await plug('trust', 'unknown', '--yes')).code).toBe(0);
    await expect.poll(() => toolCount(plug, 'unknown'), { timeout: 20_000 }).toBeGreaterThan(0);
  },
  LONG_MS,
);

async function toolCount(plug: Plug, server: string): Promise<number> {
  const rows = (await plug.json('list'))['servers'] as readonly Row[];
  return rows.find(({ id }) => id === server)?.toolCount ?? 0;
}

/** A host as hosts are: it starts `plug gateway`, says hello and asks for the tools. */
async function toolsOfHost(plug: Plug): Promise<readonly string[]> {
  const { PATH } = process.env;
  const env = { PATH, HOME: plug.home, PLUG_HOME: `${plug.home}/plug`, ...BY_ITSELF };
  const child = spawn(process.execPath, [bin, 'gateway', '--mode', 'all'], { cwd: plug.cwd, env });
  const ended = once(child, 'close');
  // Until it has gone, it counts as left behind.
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'host', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params: hello });
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { id?: number; result?: { tools?: readonly { name: string }[] } };
    if (message.id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list' });
    }
    if (message.id === 2) return (message.result?.tools ?? []).map(({ name }) => name);
  }
  throw new Error('the gateway ended before it answered');
}
