import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { scriptedServer, toolNamed } from './catalog-server.ts';
import { newPlug } from './plug-command.ts';

const LONG_MS = 90_000;
const note = toolNamed('get_note', { description: 'Reads one note.' });
const list = toolNamed('list_notes');

verifies(
  ['T4', 'P3'],
  'G6: at a terminal, a changed tool is shown with its difference, refused, and free once it is approved',
  async () => {
    const plug = newPlug({}, { rules: 'shipped' });
    const server = scriptedServer('notes', [note, list]);
    await plug.json('add', 'notes', '--', ...server.command);
    expect(await plug('call', 'notes/get_note')).toMatchObject({ code: 3, stdout: '' });
    await plug.json('trust', 'notes', '--yes');
    expect(await plug('call', 'notes/get_note')).toEqual({ code: 0, stdout: 'did get_note\n', stderr: '' });

    const other = { ...note, description: 'Reads one note, and\u2060 all others.' };
    server.write([other, list]);
    await plug.json('restart', 'notes');
    const shown = (await plug('tools', 'notes')).stdout;
    expect(shown).toMatch(/⚠ notes\/get_note: .+ → plug tools approve notes\/get_note\n/);
    expect(shown).toContain('- description: Reads one note.\n');
    expect(shown).toMatch(/\+ description: Reads one note, and.*U\+2060.* all others\.\n/);
    expect(shown).not.toContain('\u2060');
    const refused = await plug('call', 'notes/get_note');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('next   plug tools approve notes/get_note');
    // Trust that was given once is not for what came later.
    expect((await plug('trust', 'notes', '--yes')).stdout).toContain('plug tools approve');
    expect((await plug('call', 'notes/get_note')).code).toBe(1);
    expect((await plug('call', 'notes/list_notes')).code).toBe(0);
    expect(server.calls()).toEqual(['get_note', 'list_notes']);

    server.write([{ ...note, description: 'Reads a note.' }, list]);
    await plug.json('restart', 'notes');
    expect((await plug('call', 'notes/get_note')).code).toBe(1);
    const approved = await plug('tools', 'approve', 'notes/get_note', '--yes');
    expect(approved.stdout).toContain('+ description: Reads a note.');
    expect((await plug('call', 'notes/get_note')).code).toBe(0);
    await plug.json('untrust', 'notes');
    expect((await plug('call', 'notes/get_note')).code).toBe(3);
    expect(server.calls()).toEqual(['get_note', 'list_notes', 'get_note']);
  },
  LONG_MS,
);

verifies(
  ['T9', 'attack:B6'],
  'B6: hidden characters are shown by number in lists, JSON and questions, and never sent to the screen',
  async () => {
    const plug = newPlug({}, { rules: 'permissive' });
    const server = scriptedServer('notes', [
      toolNamed('get_note', { description: 'Reads\u{e0041}\u{e0042} a note.' }),
      toolNamed('get\u200b_all', { description: 'Reads them all.' }),
      list,
    ]);
    await plug.json('add', 'notes', '--', ...server.command);
    const outputs = [
      await plug('tools', 'notes'),
      await plug('tools', '--audit'),
      await plug('trust', 'notes', '--yes'),
      await plug('call', 'notes/get_note'),
      await plug('call', 'notes/get\u200b_all'),
    ];
    for (const { stdout, stderr } of outputs) {
      expect(stdout + stderr).toMatch(/U\+E0041|U\+200B/);
      expect(stdout + stderr).not.toMatch(/[\u{e0000}-\u{e007f}\u200b]/u);
    }
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 3, 3]);
    const { tools } = await plug.json('tools', 'notes');
    expect(tools).toMatchObject([
      {
        flags: [
          { kind: 'hidden_characters', field: 'description', detail: expect.stringContaining('U+E0041') },
        ],
      },
      { flags: [{ kind: 'hidden_characters', field: 'name', detail: expect.stringContaining('U+200B') }] },
      { flags: [] },
    ]);
    expect((await plug('call', 'notes/list_notes')).code).toBe(0);
    expect(server.calls()).toEqual(['list_notes']);
  },
  LONG_MS,
);

verifies(
  ['U5', 'T6', 'T3'],
  'plug tools --audit: failed servers on top, then every tool with state, confirm and cost, each of which can be changed',
  async () => {
    const plug = newPlug({}, { rules: 'shipped' });
    const notes = scriptedServer('a-notes', [note, toolNamed('delete_note'), toolNamed('frob')]);
    const broken = scriptedServer('z-broken', [list]);
    await plug.json('add', 'a-notes', '--', ...notes.command);
    await plug.json('add', 'z-broken', '--', ...broken.command);
    await plug.json('trust', 'a-notes', '--yes');
    broken.breakDown();
    expect((await plug('restart', 'z-broken')).code).not.toBe(0);

    const lines = (await plug('tools', '--audit')).stdout.split('\n');
    // The reason says what is wrong, so that the command is not all that one reads.
    expect(lines[0]).toMatch(/^✖ z-broken failed: .*It needs .*tools\.json/);
    expect(lines[1]).toMatch(/^ +next +.*tools\.json/);
    const header = lines.findIndex((line) => /^SERVER +TOOL +STATE +CONFIRM +TOKENS +DESCRIPTION/.test(line));
    expect(header).toBe(2);
    const row = (ref: RegExp): string => lines.find((line) => ref.test(line)) ?? '';
    expect(row(/a-notes +get_note/)).toMatch(/read, pinned +no +\d+ +Reads one note\.$/);
    expect(row(/a-notes +delete_note/)).toMatch(/destructive, pinned +asks +\d+/);
    expect(row(/a-notes +frob/)).toMatch(/unknown, pinned +asks +\d+/);
    expect(row(/z-broken +list_notes/)).toMatch(/read +asks +\d+/);

    const { servers } = await plug.json('tools', '--audit');
    expect(servers).toMatchObject([
      { server: 'z-broken', state: 'failed', tokens: expect.any(Number) },
      { server: 'a-notes', tools: [{ tokens: expect.any(Number), confirm: 'allow' }, {}, {}] },
    ]);

    await plug.json('tools', 'risk', 'a-notes/frob', 'read');
    expect((await plug('call', 'a-notes/frob')).code).toBe(0);
    await plug.json('tools', 'risk', 'a-notes/frob', 'auto');
    expect((await plug('call', 'a-notes/frob')).code).toBe(3);
    await plug.json('tools', 'disable', 'a-notes/get_note');
    const off = await plug('call', 'a-notes/get_note');
    expect(off.code).toBe(6);
    expect(off.stderr).toContain('plug tools enable a-notes/get_note');
    expect((await plug('tools', '--audit')).stdout).toMatch(/a-notes +get_note +read, off/);
    await plug.json('tools', 'enable', 'a-notes/get_note');
    expect((await plug('call', 'a-notes/get_note')).code).toBe(0);
    await plug.json('tools', 'confirm', 'a-notes/get_note', 'on');
    expect((await plug('call', 'a-notes/get_note')).code).toBe(3);
    expect(notes.calls()).toEqual(['frob', 'get_note']);
  },
  LONG_MS,
);
