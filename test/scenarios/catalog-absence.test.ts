import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { meet, offered, scriptedServer, toolNamed, unasked } from './catalog-server.ts';
import { startGate } from './lifecycle-gate.ts';
import { QUICK, remote, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;
const two = [toolNamed('get_note'), toolNamed('list_notes')];

verifies(
  ['T10'],
  'tools of a sleeping server are offered; those of a failed or signed-out one are listed with reason and next step',
  async () => {
    const [sleeping, failing] = [scriptedServer('sleeping', two), scriptedServer('failing', two)];
    await using site = await startHttpFixture('modern');
    await using gate = await startGate(site.url);
    await withHub({ limits: QUICK }, async ({ hub, spawns }) => {
      await meet(hub, sleeping, failing);
      await hub.servers.add({ definition: remote('away', gate.url) });
      expect(new Set((await hub.tools.list()).tools.map(({ server }) => server))).toEqual(
        new Set(['sleeping', 'failing', 'away']),
      );
      failing.breakDown();
      await expect(hub.servers.start({ id: 'failing' })).rejects.toMatchObject({ server: 'failing' });
      await waitForState(hub, 'failing', 'failed');
      gate.mode = 401;
      await expect(textOf(hub, 'away/echo', { message: 'x' })).rejects.toMatchObject({
        code: 'sign_in_needed',
      });

      const started = spawns();
      const { tools, unavailable } = await hub.tools.list();
      expect(tools.map(({ ref }) => ref)).toEqual(['sleeping/get_note', 'sleeping/list_notes']);
      expect(unavailable).toMatchObject([
        {
          server: 'away',
          tools: expect.any(Number),
          state: {
            kind: 'needs-sign-in',
            remedy: { do: 'edit-server', field: 'headers.Authorization', address: gate.url },
          },
        },
        {
          server: 'failing',
          tools: 2,
          state: { kind: 'failed', remedy: { do: 'choose-path', server: 'failing' } },
        },
      ]);
      for (const { state } of unavailable) expect(state.reason).not.toBe('');
      const { names } = await hub.tools.render({ format: 'openai' });
      expect(Object.values(names)).toEqual(['sleeping/get_note', 'sleeping/list_notes']);
      // A list wakes nobody; a call does.
      expect(spawns()).toBe(started);
      expect(await stateOf(hub, 'sleeping')).toMatchObject({ kind: 'asleep' });
      expect(await textOf(hub, 'sleeping/get_note')).toBe('did get_note');
      expect(spawns()).toBe(started + 1);
      // Mended, it is offered again.
      failing.write(two);
      await hub.servers.restart({ id: 'failing' });
      expect(await offered(hub)).toContain('failing/get_note');
    });
  },
  SLOW,
);

verifies(
  ['T10'],
  'a tool that its server dropped answers with the reason and the date, also after a restart of the hub',
  async () => {
    const server = scriptedServer('notes', two);
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    const today = new Date().toISOString().slice(0, 10);
    const gone = {
      code: 'not_found',
      owner: 'server',
      message: expect.stringMatching(
        /^notes\/get_note is not offered: .* since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
      ),
      next: 'plug tools notes',
      details: { cause: 'gone' },
    };
    await withHub({ folder, storage }, async ({ hub }) => {
      await meet(hub, server);
      server.write(two.slice(1));
      // The call that finds it gone says so, too.
      await expect(hub.tools.call({ tool: 'notes/get_note' })).rejects.toMatchObject(gone);
      const { tools, withheld } = await hub.tools.list();
      expect(tools.map(({ name }) => name)).toEqual(['list_notes']);
      expect(withheld).toMatchObject([{ ref: 'notes/get_note', cause: 'gone' }]);
      expect(withheld[0]?.reason).toContain(today.slice(0, 7));
    });
    await withHub({ folder, storage }, async ({ hub }) => {
      await expect(hub.tools.call({ tool: 'mcp__notes__get_note' })).rejects.toMatchObject(gone);
      // A tool that never was is another matter.
      await expect(hub.tools.call({ tool: 'notes/get_note2' })).rejects.toMatchObject({
        message: expect.stringContaining('has no tool'),
      });
      expect(server.calls()).toEqual([]);
      server.write(two);
      await hub.servers.restart({ id: 'notes' });
      expect((await hub.tools.list()).withheld).toEqual([]);
      expect(await textOf(hub, 'notes/get_note')).toBe('did get_note');
    });
  },
  SLOW,
);

verifies(
  ['T10', 'U5'],
  'the audit shows every tool and every server, those that need somebody first',
  async () => {
    const [fine, failing, changed] = ['a-fine', 'b-failing', 'c-changed'].map((id) =>
      scriptedServer(id, two),
    );
    if (!fine || !failing || !changed) throw new Error('Three were made.');
    await withHub({ limits: QUICK }, async ({ hub }) => {
      await meet(hub, fine, failing, changed);
      await hub.servers.trust({ id: 'a-fine' });
      await hub.servers.trust({ id: 'c-changed' });
      failing.breakDown();
      await expect(hub.servers.start({ id: 'b-failing' })).rejects.toThrow();
      changed.write(two.map((tool) => ({ ...tool, title: 'New' })));
      await hub.servers.start({ id: 'c-changed' });
      await hub.tools.setEnabled({ ref: 'a-fine/get_note', enabled: false });
      await waitFor(async () => (await stateOf(hub, 'b-failing')).kind === 'failed');
      const { servers } = await hub.tools.audit();
      expect(servers.map(({ server, state, tools }) => [server, state, tools.length])).toEqual([
        ['b-failing', 'failed', 2],
        ['c-changed', 'quarantined', 2],
        ['a-fine', 'asleep', 2],
      ]);
      const [failed, quarantined] = servers;
      expect(failed).toMatchObject({
        reason: expect.stringContaining('tools.json'),
        remedy: { do: 'choose-path' },
      });
      expect(quarantined).toMatchObject({
        reason: expect.stringMatching(/./),
        remedy: { do: 'approve-tools' },
      });
      const confirms = servers.map(({ tools }) =>
        tools.map(({ confirm, enabled }) => `${confirm} ${enabled}`),
      );
      expect(confirms).toEqual([
        ['ask true', 'ask true'],
        ['deny true', 'deny true'],
        ['allow false', 'allow true'],
      ]);
      await expect(unasked(hub, 'c-changed/get_note')).rejects.toMatchObject({ code: 'denied' });
      expect(changed.calls()).toEqual([]);
    });
  },
  SLOW,
);
