import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { write } from '../clients/prepared-home.ts';
import { verifies } from '../requirements.ts';
import { fixtureCommand } from './plug-command.ts';
import { newSeeing } from './seen-plug.ts';

/** Rows of the editor's test matrix that are about files and switches. */
const LONG_MS = 120_000;

const entryOf = (behavior: string): object => {
  const [command = '', ...args] = fixtureCommand(behavior);
  return { command, args };
};

verifies(
  ['U3', 'U4', 'S2'],
  'no config of any client: that is said, nothing is wrong with it, and servers of one’s own start',
  async () => {
    const { see } = newSeeing();
    const nothing = await see('import');
    expect([nothing.code, nothing.screen]).toEqual([0, 'No client on this machine has servers to import.\n']);
    await see('add', 'notes', '--yes', '--no-test', '--', ...fixtureCommand('legacy'));
    const doctor = await see('doctor');
    expect(doctor.code).toBe(0);
    expect(doctor.screen).not.toContain('FAIL');
    const waited = await see('wait');
    expect([waited.code, waited.screen]).toEqual([0, expect.stringMatching(/● +notes +ready/)]);
  },
  LONG_MS,
);

verifies(
  ['S6', 'U4', 'S11'],
  'a malformed config, ours or a client’s: file, line and reason are shown, and everything else goes on',
  async () => {
    const { see, plug } = newSeeing();
    await see('add', 'notes', '--yes', '--', ...fixtureCommand('legacy'));
    const ours = write(join(plug.home, 'plug', 'mcp.json'), '{\n  "mcpServers": {\n    "one": {,}\n  }\n}\n');
    write(join(plug.home, '.claude.json'), '{\n  "mcpServers": {\n    "two": {\n');
    // The file is watched: a command that is typed in the same moment may be faster.
    await expect.poll(async () => (await see('list')).screen).toContain(`✖ ${ours}:3:13 is malformed.`);
    const list = await see('list');
    expect(list.code).toBe(0);
    expect(list.screen).toMatch(/● +notes +ready/);
    const found = await see('import');
    expect(found.screen).toMatch(/~\/\.claude\.json[^]*\b(3|4)\b/);
    const doctor = await see('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.screen).toMatch(/✖ FAIL +files +~\/plug\/mcp\.json, line 3, column 13/);
    expect(doctor.screen).toMatch(/⚠ WARN +files +~\/\.claude\.json:\d+, of claude-code: /);
    expect((await see('call', 'notes/echo', 'message=hi')).screen).toBe('hi\n');

    // The file is watched: once it is mended, its server is there without a restart of anything.
    writeFileSync(ours, JSON.stringify({ mcpServers: { one: entryOf('modern') } }));
    await expect.poll(async () => (await see('list')).screen).toMatch(/○ +one +asleep/);
    expect((await see('doctor')).screen).not.toMatch(/FAIL +files/);
  },
  LONG_MS,
);

verifies(
  ['S7', 'U4', 'T10'],
  'a server that is switched off: status, list, tools and doctor say so, and none calls it a failure',
  async () => {
    const { see } = newSeeing();
    for (const name of ['notes', 'mail'])
      await see('add', name, '--yes', '--', ...fixtureCommand(name === 'notes' ? 'legacy' : 'modern'));
    const off = await see('disable', 'mail');
    expect([off.code, off.screen]).toEqual([0, '– mail: disabled\n']);
    expect((await see('status')).screen).toMatch(/1 disabled/);
    expect((await see('list')).screen).toMatch(/– +mail +disabled.*→ plug enable mail/);
    expect((await see('tools')).screen).not.toMatch(/^mail\//m);
    const doctor = await see('doctor');
    expect(doctor.code).toBe(0);
    expect(doctor.screen).toMatch(/mail[^\n]*(disabled|switched off)/i);
    const call = await see('call', 'mail/echo', 'message=hi');
    expect(call.code).toBe(5);
    expect(call.screen).toMatch(/✖ mail: Disabled\.\n {2}next {3}plug enable mail\n/);
    await see('enable', 'mail');
    expect((await see('call', 'mail/echo', 'message=hi')).screen).toBe('hi\n');
  },
  LONG_MS,
);
