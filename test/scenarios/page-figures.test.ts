import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { StorageOptions } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { waitFor } from '../servers/start.ts';
import { played, reading, writing } from './calls-played.ts';
import { openWorld } from './policy-world.ts';

const LONG_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;
const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' };

for (const kind of ['sqlite', 'memory'] as const) {
  verifies(
    ['W5', 'L6'],
    `calls are counted by server and time for charts, in ${kind}`,
    async () => {
      let ahead = 0;
      const clock = { ...systemClock, now: () => systemClock.now() + ahead };
      const storage: StorageOptions =
        kind === 'memory' ? { kind } : { kind, file: join(temporaryFolder(), 'plugboard.db') };
      const tools = [
        reading('get_note', { text: 'x'.repeat(4_000) }),
        reading('get_broken', { result: { content: [{ type: 'text', text: 'no' }], isError: true } }),
        writing(),
      ];
      const { connect } = await openWorld(tools, { env, clock, storage });
      const hub = connect('terminal');
      const other = played('other', reading('get_other'));
      await hub.servers.add({ definition: other.definition });
      for (const id of ['notes', 'other']) await hub.servers.trust({ id });
      const since = clock.now();
      await hub.tools.call({ tool: 'notes/get_note' });
      await hub.tools.call({ tool: 'notes/get_note' });
      await hub.tools.call({ tool: 'notes/get_broken' });
      await hub.tools.call({ tool: 'other/get_other' });
      await expect(hub.tools.call({ tool: 'notes/create_note' })).rejects.toMatchObject({
        code: 'approval_required',
      });
      ahead = 2 * DAY_MS;
      await hub.tools.call({ tool: 'notes/get_note' });
      const span = { since, until: since + 4 * DAY_MS, parts: 4 };
      const summary = await hub.audit.summary(span);
      expect(summary).toMatchObject({ since, partMs: DAY_MS });
      expect(summary.rows).toEqual([
        expect.objectContaining({ server: 'notes', part: 0, calls: 4, failures: 1 }),
        expect.objectContaining({ server: 'other', part: 0, calls: 1, failures: 0 }),
        expect.objectContaining({ server: 'notes', part: 2, calls: 1, failures: 0 }),
      ]);
      for (const { meanMs, slowestMs } of summary.rows) {
        expect(meanMs).toBeGreaterThan(0);
        expect(slowestMs).toBeGreaterThanOrEqual(meanMs);
      }
      // Two notes of a thousand tokens each, and some words around them.
      expect(summary.rows[0]?.tokens).toBeGreaterThan(2_000);
      expect(summary.rows[0]?.tokens).toBeLessThan(2_400);
      const { rows } = await hub.audit.summary({ ...span, server: 'other' });
      expect(rows.map(({ server, calls }) => [server, calls])).toEqual([['other', 1]]);
      expect((await hub.audit.summary({ since: 0, until: 1_000, parts: 3 })).rows).toEqual([]);
      await expect(hub.audit.summary({ since: 5, until: 5, parts: 1 })).rejects.toMatchObject({
        code: 'usage',
      });
    },
    LONG_MS,
  );
}

verifies(
  ['W5', 'L6', 'L3'],
  'how long calls and results are kept is set once, holds at once, and is kept in a file',
  async () => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const big = reading('get_big', { lines: { bytes: 300_000, last: 'the end' } });
    const { connect, config } = await openWorld([big], { env, clock });
    const hub = connect('terminal');
    await hub.servers.trust({ id: 'notes' });
    expect(await hub.settings.get()).toEqual({
      retention: { callDays: 90, resultDays: 7 },
      readOnly: false,
      remoteOnly: false,
    });
    const { handle } = await hub.tools.call({ tool: 'notes/get_big' });
    expect((await hub.results.list()).map(({ id }) => id)).toEqual([handle?.id]);
    ahead = 3 * DAY_MS;
    await hub.tools.call({ tool: 'notes/get_big' });
    const file = join(config, 'settings.json');
    expect(existsSync(file)).toBe(false);
    expect(await hub.settings.change({ retention: { callDays: 2, resultDays: 1 } })).toMatchObject({
      retention: { callDays: 2, resultDays: 1 },
    });
    await expect(hub.results.page({ id: handle?.id ?? '', page: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await hub.results.list()).toHaveLength(1);
    await waitFor(async () => (await hub.audit.query()).records.length === 1);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ retention: { callDays: 2, resultDays: 1 } });
    // One changes, the other stays; what stands beside them in the file stays too.
    writeFileSync(file, JSON.stringify({ retention: { callDays: 5 }, theme: 'dark' }));
    expect(await hub.settings.get()).toMatchObject({ retention: { callDays: 5, resultDays: 7 } });
    await hub.settings.change({ retention: { resultDays: 30 } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      retention: { callDays: 5, resultDays: 30 },
      theme: 'dark',
    });
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'settings that make no sense are refused, and a broken file neither stops the hub nor is written over',
  async () => {
    const { connect, config } = await openWorld([], { env: { ...env, PLUG_REMOTE_ONLY: '1' } });
    const hub = connect('terminal');
    expect(await hub.settings.get()).toMatchObject({ remoteOnly: true });
    for (const callDays of [0, -1, 1.5, 100_000]) {
      await expect(hub.settings.change({ retention: { callDays } })).rejects.toMatchObject({ code: 'usage' });
    }
    const file = join(config, 'settings.json');
    writeFileSync(file, '{ "retention": ');
    await expect(hub.settings.get()).rejects.toMatchObject({ code: 'bad_config' });
    await expect(hub.settings.change({ retention: { callDays: 3 } })).rejects.toMatchObject({
      code: 'bad_config',
      next: expect.stringContaining('settings.json'),
    });
    expect(readFileSync(file, 'utf8')).toBe('{ "retention": ');
    expect((await hub.status()).overall).toBe('idle');
  },
  LONG_MS,
);
