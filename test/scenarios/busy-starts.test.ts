import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, type FixtureParams } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { withHub } from './lifecycle-hub.ts';
import { newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 60_000;
/** On a busy machine a start takes as much longer as everything else. */
const START_MS = patience(1_000);
const WAIT_S = Math.ceil((START_MS * 2) / 3 / 1_000);

/** A `plug` with these servers, rate limited while they start, under this limit for a start. */
async function plugWith(servers: Readonly<Record<string, FixtureParams>>): Promise<Plug> {
  const plug = newPlug();
  const entries = Object.entries(servers).map(async ([id, params]) => {
    const listener = await startHttpFixture('rate-limited', params);
    onTestFinished(() => listener.close());
    return [id, { url: listener.url, timeouts: { startMs: START_MS } }] as const;
  });
  const mcpServers = Object.fromEntries(await Promise.all(entries));
  writeFileSync(join(plug.home, 'plug', 'mcp.json'), JSON.stringify({ mcpServers }));
  await plug.json('hub', 'start');
  return plug;
}

verifies(
  ['C14'],
  'a server that is busy while it starts is waited for as it asks, beyond the limit for its start, in both eras',
  async () => {
    // Two waits: each is shorter than the limit, both together are longer.
    const busy = { times: 2, after: WAIT_S };
    const servers = {
      'old-handshake': { ...busy, method: 'initialize' },
      'old-list': { ...busy, method: 'tools/list' },
      'new-handshake': { ...busy, inner: 'modern', method: 'server/discover' },
      'new-list': { ...busy, inner: 'modern', method: 'tools/list' },
    };
    const plug = await plugWith(servers);
    const began = performance.now();
    const answers = await Promise.all(
      Object.keys(servers).map((id) => plug('--json', 'call', `${id}/echo`, 'message=here')),
    );
    for (const { code, stdout } of answers)
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('here') });
    expect(performance.now() - began).toBeGreaterThan(START_MS);
  },
  LONG_MS,
);

verifies(
  ['C14'],
  'a server that is rate limited while it starts says so, with the time to wait',
  async () => {
    const listener = await startHttpFixture('rate-limited', { method: 'initialize', times: 1, after: 2 });
    onTestFinished(() => listener.close());
    await withHub({}, async ({ hub }) => {
      const definition = defineServer({
        id: 'busy',
        endpoint: { kind: 'http', url: listener.url, headers: {} },
      });
      await hub.servers.apply({ definitions: [definition] });
      const started = hub.servers.start({ id: 'busy' });
      await expect
        .poll(async () => (await hub.servers.get({ id: 'busy' })).state)
        .toMatchObject({ kind: 'starting', reason: expect.stringContaining('2 s') });
      expect((await started).state.kind).toBe('ready');
    });
  },
  LONG_MS,
);

verifies(
  ['C14', 'L5'],
  'a server that asks for a longer wait than a start may take is given up at once, with that wait, not as too slow',
  async () => {
    const plug = await plugWith({ busy: { method: 'initialize', times: 100, after: 50 } });
    const began = performance.now();
    const { code, stdout } = await plug('--json', 'call', 'busy/echo', 'message=here');
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'rate_limited', owner: 'server', details: { retryAfterMs: 50_000 } },
    });
    expect(performance.now() - began).toBeLessThan(40_000);
  },
  LONG_MS,
);
