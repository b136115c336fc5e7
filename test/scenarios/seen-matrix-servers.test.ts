import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { freePort } from '../sign-in/free-port.ts';
import { fixtureCommand, isAlive, type Plug } from './plug-command.ts';
import { newSeeing } from './seen-plug.ts';

/** Rows of the editor's test matrix that are about which servers come up. */
const LONG_MS = 120_000;

verifies(
  ['C4', 'C5', 'U1'],
  'the network is offline: remote servers fail, local ones start, and the status is partial',
  async () => {
    const { see, plug } = newSeeing();
    const port = await freePort();
    for (const name of ['docs', 'wiki'])
      await see('add', name, `http://127.0.0.1:${port}/${name}`, '--yes', '--no-test');
    for (const name of ['notes', 'mail'])
      await see('add', name, '--yes', '--no-test', '--', ...fixtureCommand('legacy', `page=${name.length}`));
    const waited = await see('wait');
    expect(waited.code).toBe(5);
    for (const name of ['docs', 'wiki']) expect(waited.screen).toMatch(new RegExp(`✖ +${name} +unreachable`));
    for (const name of ['notes', 'mail']) expect(waited.screen).toMatch(new RegExp(`● +${name} +ready`));
    const status = await see('status');
    expect(status.screen).toMatch(/2\/4 ready/);
    expect(status.screen).toContain(`Nothing listens at 127.0.0.1:${port}.`);
    expect(await plug.json('status')).toMatchObject({ overall: 'partial' });
    expect((await see('call', 'mail/echo', 'message=hi')).screen).toBe('hi\n');
  },
  LONG_MS,
);

verifies(
  ['U4', 'L5', 'C13'],
  'npx is not on the PATH: the doctor says so, servers that need it fail with where it was looked for, others start',
  async () => {
    const folder = temporaryFolder();
    symlinkSync(process.execPath, join(folder, 'node'));
    const { see } = newSeeing({ PATH: folder });
    await see('add', 'tides', '--yes', '--no-test', '--', 'npx', '-y', 'tides-mcp');
    await see('add', 'notes', '--yes', '--no-test', '--', 'node', ...fixtureCommand('legacy').slice(1));
    const call = await see('call', 'tides/get_tide');
    expect(call.code).toBe(5);
    expect(call.screen).toContain("✖ npx isn't installed. It comes with Node.js.");
    expect(call.screen).not.toContain(folder);
    expect(call.screen).toMatch(/\n {2}next {3}Install Node\.js from https/);
    const doctor = await see('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.screen).toMatch(/FAIL[^]*npx/);
    expect(doctor.screen).toContain(folder);
    expect((await see('call', 'notes/echo', 'message=hi')).screen).toBe('hi\n');
    expect((await see('status')).screen).toMatch(/✖ tides: program missing\. npx isn't installed/);
  },
  LONG_MS,
);

verifies(
  ['C5', 'C8', 'U4'],
  'one local server exits at once: its last words and the cause are kept, and the others go on',
  async () => {
    const { see } = newSeeing();
    await see('add', 'broken', '--yes', '--no-test', '--', ...fixtureCommand('exits-at-once'));
    await see('add', 'notes', '--yes', '--no-test', '--', ...fixtureCommand('legacy'));
    expect((await see('wait')).code).toBe(5);
    const status = await see('status', 'broken');
    expect(status.screen).toMatch(/✖ broken crashed \(exit 3\)/);
    expect(status.screen).toContain('│ config error: DATABASE_URL is not set');
    expect((await see('logs', 'broken')).screen).toContain('see the manual, chapter 4');
    const doctor = await see('doctor', 'broken');
    expect(doctor.code).toBe(1);
    expect(doctor.screen).toMatch(/FAIL[^]*DATABASE_URL/);
    expect((await see('call', 'notes/echo', 'message=hi')).screen).toBe('hi\n');
    expect((await see('list')).screen).toMatch(/● +notes +ready/);
  },
  LONG_MS,
);

verifies(
  ['L5', 'U4'],
  'a local endpoint is down: the server fails, and what to do names that very endpoint',
  async () => {
    const { see } = newSeeing();
    const port = await freePort();
    await see('add', 'slack', `http://localhost:${port}/mcp`, '--yes', '--no-test');
    const place = `localhost:${port}`;
    await see('wait');
    const status = await see('status');
    expect(status.screen).toContain(`✖ slack: unreachable. Nothing listens at ${place}.`);
    expect(status.screen).toContain(`next  Start the service at ${place}`);
    const doctor = await see('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.screen).toMatch(new RegExp(`FAIL[^]*${port}`));
    expect(doctor.screen).toMatch(new RegExp(`next.*${port}`));
    await using up = await startHttpFixture('dual', { port });
    expect((await see('restart', '--failed')).screen).toMatch(/● slack: ready/);
    expect((await up.stats()).requests).toBeGreaterThan(0);
    expect((await see('doctor')).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['C4', 'U1', 'T10'],
  'all servers are available: one line says how many are ready and how many tools there are',
  async () => {
    const { see, plug } = newSeeing();
    await using remote = await startHttpFixture('dual');
    const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal'];
    for (const [at, name] of names.entries())
      await see('add', name, '--yes', '--no-test', '--', ...fixtureCommand('legacy', `page=${at + 1}`));
    await see('add', 'ivy', remote.url, '--yes', '--no-test');
    expect((await see('wait')).code).toBe(0);
    const { tools } = (await plug.json('status')) as { tools: number };
    expect(tools).toBeGreaterThan(9 * 5);
    const status = await see('status');
    expect([status.code, status.screen]).toEqual([0, `9 ready · ${tools} tools\n`]);
    expect(await plug.json('status')).toMatchObject({ overall: 'ready', attention: [] });
  },
  LONG_MS,
);

verifies(
  ['C11', 'C4'],
  'restarting what has failed, after the fix: those come up, and whatever ran was not touched',
  async () => {
    const { see, plug } = newSeeing();
    const folder = temporaryFolder();
    const tools = (name: string): string => join(folder, `${name}.json`);
    for (const name of ['one', 'two'])
      await see('add', name, '--yes', '--no-test', '--', ...scripted(tools(name), join(folder, 'called')));
    await see('add', 'well', '--yes', '--no-test', '--', ...fixtureCommand('legacy'));
    expect((await see('wait')).code).toBe(5);
    const before = await pidAndEvents(plug, 'well');
    for (const name of ['one', 'two']) writeFileSync(`${tools(name)}.part`, '[]');
    renameSync(`${tools('one')}.part`, tools('one'));
    const some = await see('restart', '--failed');
    expect(some.screen).toMatch(/● one: ready/);
    expect(some.screen).toMatch(/✖ two: crashed/);
    expect(some.screen).not.toContain('well');
    renameSync(`${tools('two')}.part`, tools('two'));
    expect((await see('restart', '--failed')).screen).toMatch(/^● two: ready[^\n]*\n$/);
    expect((await see('restart', '--failed')).screen).toBe('No failed servers.\n');
    expect((await see('status')).screen).toMatch(/^3 ready · /);
    expect(await pidAndEvents(plug, 'well')).toEqual(before);
    expect(isAlive(before.pid)).toBe(true);
  },
  LONG_MS,
);

/** A server that starts only when its file is there. */
function scripted(file: string, called: string): readonly string[] {
  return fixtureCommand('scripted', `file=${file}`, `called=${called}`);
}

async function pidAndEvents(plug: Plug, server: string): Promise<{ pid: number; events: unknown }> {
  const { process: runs } = (await plug.json('status', server)) as { process: { pid: number } };
  const { events } = await plug.json('events', server);
  return { pid: runs.pid, events };
}
