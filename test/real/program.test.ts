import { readFileSync } from 'node:fs';
import { beforeAll, expect } from 'vitest';
import { openPlugboard, PlugError } from '../../src/index.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { realEnvironment } from './environment.ts';
import { MEMORY, needRegistry, realPlug } from './world.ts';

const TEST_MS = 240_000;

beforeAll(needRegistry, patience(90_000));

verifies(
  ['B1', 'C18', 'S14'],
  'a program plugs in a published package, which starts by its own program, calls it and removes it',
  async () => {
    const home = temporaryFolder();
    const env = { ...realEnvironment(), PATH: process.env['PATH'], HOME: home };
    await using hub = await openPlugboard({ home, cwd: home, env });
    const { plans } = await hub.plans.make({ text: `npx -y ${MEMORY}` });
    const [made] = plans;
    if (!made) throw new Error('no plan');
    const { summary } = await hub.plans.install({ plan: made.plan, id: 'notes' });
    expect(summary).toMatch(/^Connected to .*, \d+ tools/);
    const { process: running, problems } = await hub.servers.get({ id: 'notes' });
    expect({ problems, processes: running?.processes }).toEqual({ problems: [], processes: 1 });
    expect((await hub.status()).packages).toEqual({ count: 1, bytes: expect.any(Number) as number });
    const { result } = await hub.tools.call({ tool: 'notes/read_graph', args: {} });
    expect(result['structuredContent']).toEqual({ entities: [], relations: [] });
    await expect(
      hub.tools.call({ tool: 'notes/delete_entities', args: { entityNames: ['a'] } }),
    ).rejects.toMatchObject({ code: 'approval_required' });
    await hub.servers.remove({ id: 'notes' });
    const gone = await hub.tools
      .call({ tool: 'notes/read_graph', args: {} })
      .catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(PlugError);
    expect(gone).toMatchObject({ code: 'not_found' });
  },
  TEST_MS,
);

verifies(
  ['H1', 'S14'],
  'a published package is added and called over the HTTP interface',
  async () => {
    const plug = realPlug();
    const { url } = (await plug.json('hub', 'start')) as { readonly url: string };
    const token = readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim();
    const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect({ status: answer.status, text: answer.ok ? '' : text }).toEqual({ status: 200, text: '' });
      return JSON.parse(text) as Record<string, unknown>; // every answer is an object
    };
    const config = JSON.stringify({ mcpServers: { notes: { command: 'npx', args: ['-y', MEMORY] } } });
    const { plans } = await post('/v1/plans', { text: config });
    const [made] = plans as readonly { readonly plan: string }[];
    await post(`/v1/plans/${made?.plan}/install`, {});
    const { result } = await post('/v1/calls', { tool: 'notes/read_graph', args: {} });
    expect(result).toMatchObject({ structuredContent: { entities: [], relations: [] } });
  },
  TEST_MS,
);

verifies(
  ['S21', 'S20'],
  'a published package moves from an old version to the newest, with its tools compared, and back',
  async () => {
    const plug = realPlug();
    const everything = '@modelcontextprotocol/server-everything';
    const added = await plug('add', 'demo', '--yes', '--', 'npx', '-y', `${everything}@2025.9.12`, 'stdio');
    expect(added.code).toBe(0);
    const [known] = (await plug.json('update'))['updates'] as readonly Record<string, unknown>[];
    expect(known).toMatchObject({ server: 'demo', state: 'newer', package: { version: '2025.9.12' } });
    const plan = await plug.json('update', 'demo', '--check');
    expect(plan).toMatchObject({ from: '2025.9.12', to: known?.['latest'], compared: true, changed: false });
    expect(plan['added']).toContain('get-sum');
    expect(plan['removed']).toContain('add');
    expect(await plug.json('update', 'demo', '--yes')).toMatchObject({
      to: known?.['latest'],
      changed: true,
    });
    expect((await plug('call', 'demo/get-sum', 'a=2', 'b=3')).stdout).toContain('5');
    expect(await plug.json('undo')).toMatchObject({ done: true, change: { kind: 'update' } });
    expect((await plug('wait', 'demo')).code).toBe(0);
    expect((await plug('tools', 'demo')).stdout).toContain('printEnv');
  },
  TEST_MS,
);
