import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connectHub } from '../../src/api/client.ts';
import { systemClock } from '../../src/base/clock.ts';
import { connectSocket } from '../../src/daemon/connect.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { played, reading } from './calls-played.ts';
import { fixtureCommand, isAlive, type Plug } from './plug-command.ts';
import { newSeeing, watchPlug } from './seen-plug.ts';

/** Rows of the editor's test matrix that are about what is called, and from where. */
const LONG_MS = 120_000;

verifies(
  ['U4', 'L5'],
  'a token has expired: the server starts, its calls fail with what to do, and only the live doctor can find it',
  async () => {
    const said = 'invalid_grant: Token has been expired or revoked.';
    const expired = { content: [{ type: 'text', text: said }], isError: true };
    const google = played('google', reading('list_calendars', { result: expired }));
    const { see } = newSeeing();
    await see('add', 'google', '--yes', '--', ...google.command);
    await see('trust', 'google', '--yes');
    expect((await see('wait')).code).toBe(0);
    const call = await see('call', 'google/list_calendars');
    expect(call.code).toBe(1);
    expect(call.screen).toContain(said);
    expect(call.screen).toMatch(
      /✖ google\/list_calendars reported an error\.\n {2}next {3}Correct “env” in the definition of google\./,
    );

    const called = google.calls().length;
    expect((await see('doctor')).code).toBe(0);
    expect(google.calls()).toHaveLength(called);
    const live = await see('doctor', '--live');
    expect(live.code).toBe(1);
    expect(live.screen).toMatch(/FAIL[^]*(expired|invalid_grant)/);
    expect(live.screen).toMatch(/next +.*google/);
    expect(google.calls()).toHaveLength(called + 1);

    google.offer(reading('list_calendars', { text: 'work, home' }));
    expect((await see('doctor', '--live')).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['C11', 'T10', 'L5'],
  'all servers are stopped, then a tool is called: whoever only stopped them gets it, whoever switched them off is told',
  async () => {
    const { see } = newSeeing();
    await see('add', 'notes', '--yes', '--', ...fixtureCommand('legacy'));
    const pid = Number((await see('call', 'notes/pid')).screen);
    const stopped = await see('stop', '--all');
    expect([stopped.code, stopped.screen]).toEqual([0, '○ notes: asleep\n']);
    expect(isAlive(pid)).toBe(false);
    expect((await see('status', 'notes')).screen).toMatch(
      /○ notes asleep\n {2}why +Stopped\. It starts again on first use\.\n/,
    );
    expect(Number((await see('call', 'notes/pid')).screen)).not.toBe(pid);

    await see('disable', 'notes');
    expect((await see('tools')).screen).toBe(
      'No tools are offered: notes is disabled.\nNext: plug enable notes\n',
    );
    const call = await see('call', 'notes/pid');
    expect([call.code, call.screen]).toEqual([5, '✖ notes: Disabled.\n  next   plug enable notes\n']);
  },
  LONG_MS,
);

verifies(
  ['C12', 'E4'],
  'whoever works in a folder of another machine: servers start here, in the hub’s folder, and nothing is made elsewhere',
  async () => {
    const { see, plug } = newSeeing();
    await see('add', 'notes', '--yes', '--no-test', '--', ...fixtureCommand('legacy'));
    await see('add', 'files', '--yes', '--no-test', '--', ...fixtureCommand('legacy'), '.');
    const where = ['-e', 'WHERE=${workspaceFolder}'];
    await see('add', 'roaming', ...where, '--yes', '--no-test', '--', ...fixtureCommand('legacy', 'page=3'));
    // An editor with a remote buffer names a folder that is none on this machine.
    const elsewhere = join(plug.home, 'ssh:ada@far', 'project');
    await using hub = hubOf(plug, elsewhere);
    const { id: host } = await hub.hosts.attach({ name: 'editor', handlers: {}, cwd: elsewhere });
    for (const tool of ['notes/cwd', 'files/cwd']) {
      const { result } = await hub.tools.call({ tool, host });
      expect(result['content']).toEqual([{ type: 'text', text: plug.cwd }]);
    }
    // A server that works in its host's folder cannot do that here, and says so.
    await expect(hub.tools.call({ tool: 'roaming/cwd', host })).rejects.toMatchObject({
      owner: 'you',
      message: expect.stringContaining(elsewhere) as unknown,
      next: expect.any(String) as unknown,
    });
    expect(existsSync(elsewhere)).toBe(false);
    expect(readdirSync(plug.home).toSorted()).toEqual(['plug']);
    // For whoever is on this machine it runs all the same.
    expect((await see('call', 'roaming/cwd')).screen).toBe(`│ ${plug.cwd}\n`);
  },
  LONG_MS,
);

verifies(
  ['L5', 'U1'],
  'a terminal whose folder has been deleted: the command says so in a sentence instead of crashing',
  async () => {
    const { plug } = newSeeing();
    const gone = join(plug.cwd, 'gone');
    mkdirSync(gone);
    const typing = watchPlug({ home: plug.home, cwd: gone }, ['list']);
    rmdirSync(gone);
    const { code, screen } = await typing.ended;
    expect(code).toBe(1);
    // The shell of the terminal may complain first.
    expect(screen).toMatch(/✖ The current folder no longer exists\.\n {2}next {3}cd ~\n$/);
  },
  LONG_MS,
);

/** The running hub, as another face sees it from a folder. */
function hubOf(plug: Plug, folder: string = plug.cwd): Hub {
  const home = `${plug.home}/plug`;
  const send = connectSocket({ config: home, data: home, state: home });
  return connectHub(send, { clock: systemClock, folder });
}
