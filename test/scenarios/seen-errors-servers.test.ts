import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { freePort } from '../sign-in/free-port.ts';
import { fixtureCommand, isAlive } from './plug-command.ts';
import { startNpmRegistry, useRegistryAt } from './seen-npm.ts';
import { newSeeing } from './seen-plug.ts';

/** The rows of the error table that are about a server that ends or never begins. */
const LONG_MS = 120_000;

verifies(
  ['L5', 'C8'],
  'a server crashes: the call says so with its last words, it comes back by itself, and the next call works',
  async () => {
    const { see, watch } = newSeeing();
    await see('add', 'notes', '--yes', '--', ...fixtureCommand('legacy'));
    const before = Number((await see('call', 'notes/pid')).screen);
    const following = watch('events', '-f', 'notes');
    // It tells only what happens from now on: a call shows that it listens.
    await waitFor(async () => {
      await see('call', 'notes/pid');
      return following.screen().includes('notes/pid');
    }, 20_000);
    const crash = await see('call', 'notes/crash');
    expect(crash.code).toBe(5);
    expect(crash.screen).toMatch(/✖ notes .*ended with exit code 7/);
    expect(crash.screen).toContain('  owner  the server\n  next   plug logs notes\n');
    expect(crash.screen).toContain('│ fatal: the disk is on fire');
    // Nobody does anything: it reconnects, and whoever watches reads both.
    await following.says(/notes is starting: .*ended with exit code 7\..* Restarting in [\d.]+ s \(1 of 3\)/);
    await following.says(/Restarting in [^]*notes is ready: Connected to notes/);
    following.type('\u0003');
    await following.ended;
    expect((await see('events', 'notes')).screen).toMatch(
      /notes ERROR by SYSTEM[^]*notes RECONNECTED by SYSTEM/,
    );
    const after = Number((await see('call', 'notes/pid')).screen);
    expect(after).not.toBe(before);
    expect([isAlive(before), isAlive(after)]).toEqual([false, true]);
    expect((await see('status', 'notes')).screen).toMatch(/● notes ready/);
  },
  LONG_MS,
);

verifies(
  ['L5', 'C8', 'C11'],
  'a restart fails: after three attempts the terminal says that it has failed and why, and a restart by hand mends it',
  async () => {
    const { see, plug } = newSeeing();
    const folder = temporaryFolder();
    const [tools, away, called] = ['tools.json', 'away.json', 'called'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(tools, JSON.stringify([{ name: 'get_note', inputSchema: { type: 'object' } }]));
    await see(
      'add',
      'notes',
      '--yes',
      '--',
      ...fixtureCommand('scripted', `file=${tools}`, `called=${called}`),
    );
    renameSync(tools, away);
    const { process: ran } = (await plug.json('status', 'notes')) as { process: { pid: number } };
    process.kill(ran.pid, 'SIGKILL');
    await waitFor(async () => /✖ notes: /.test((await see('status')).screen), 60_000);
    const status = await see('status');
    expect(status.screen).toMatch(
      /✖ notes: crashed \(exit 1\)\. .*\n( {2}.*\n)?[^]*next +.*tools\.json.* notes/,
    );
    const call = await see('call', 'notes/get_note');
    expect(call.code).toBe(5);
    expect(call.screen).toMatch(/✖ notes .*\n {2}next {3}.*tools\.json.* notes\n/);

    // Still broken: the manual retry says so as well, and does no harm.
    const early = await see('restart', 'notes');
    expect(early.code).toBe(5);
    renameSync(away, tools);
    const mended = await see('restart', 'notes');
    expect([mended.code, mended.screen]).toEqual([0, expect.stringMatching(/● notes: ready/)]);
    expect((await see('call', 'notes/get_note')).screen).toBe('did get_note\n');
  },
  LONG_MS,
);

verifies(
  ['L5', 'S17'],
  'npx fails: the terminal says that the package could not be fetched, saves nothing, and the same command works later',
  async () => {
    const { see, plug } = newSeeing();
    const port = await freePort();
    useRegistryAt(port, plug.home);
    const add = ['add', 'tides', '--yes', '--', 'npx', '-y', 'tides-mcp'];
    const failed = await see(...add);
    expect(failed.code).toBe(5);
    expect(failed.screen).toContain('Its package couldn’t be downloaded.');
    expect(failed.screen).toMatch(/ {2}owner {2}the network\n {2}next {3}Check your network and proxy, then/);
    expect(failed.screen).toMatch(/│ npm error .*ECONNREFUSED/);
    expect((await see('list')).screen).toContain('No servers yet.');

    await startNpmRegistry(port, 'tides-mcp');
    const added = await see(...add);
    expect([added.code, added.screen]).toEqual([0, expect.stringContaining('✔ Connected to tides')]);
    expect((await see('call', 'tides/get_tide')).screen).toBe('high at noon\n');
  },
  LONG_MS,
);
