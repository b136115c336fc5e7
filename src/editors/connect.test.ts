import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { emptyMachine, write } from '../../test/clients/prepared-home.ts';
import { verifies } from '../../test/requirements.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { Machine } from '../servers/clients/client.ts';
import { clients, connectableClients } from '../servers/clients/clients.ts';
import type { FileJournal } from '../servers/clients/file-journal.ts';
import { readClients } from '../servers/clients/scan.ts';
import { connectClient, disconnectClient, type ConnectOptions } from './connect.ts';
import { rewriteFile } from './write-file.ts';

const gateway = { command: 'plug', args: ['gateway'] };
const clock: Clock = { ...systemClock, now: () => Date.UTC(2026, 10, 15, 12, 30, 5, 7) };
/** One journal for each machine, as the hub has one for each user. */
const journals = new WeakMap<Machine, FileJournal>();

function journalOf(machine: Machine): FileJournal {
  const made = new Map<string, readonly string[]>();
  const journal: FileJournal = journals.get(machine) ?? {
    note: async ({ path, before, folders }) => void (before || made.set(path, folders)),
    foldersMadeFor: async (path) => made.get(path) ?? [],
  };
  journals.set(machine, journal);
  return journal;
}

const at = (machine: Machine, scope: 'user' | 'project' = 'user'): ConnectOptions => ({
  machine,
  clock,
  ids: systemIds,
  scope,
  journal: journalOf(machine),
});

verifies(['S12', 'S5'], 'a broken file is refused with line and column, and stays as it is', async () => {
  const machine = emptyMachine();
  const broken = [
    ['cursor', join(machine.home, '.cursor', 'mcp.json'), '{\n  "mcpServers": {\n'],
    ['codex', join(machine.home, '.codex', 'config.toml'), 'a = 1\nb = = 2\n'],
    ['goose', join(machine.home, '.config', 'goose', 'config.yaml'), 'a: 1\nextensions: [\n'],
  ] as const;
  for (const [client, file, text] of broken) {
    write(file, text);
    const error: unknown = await connectClient(client, gateway, at(machine)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'bad_config', owner: 'you', details: { file } });
    expect(String(error)).toMatch(/was not changed, because it is broken in line \d+, column \d+/);
    await expect(disconnectClient(client, at(machine))).rejects.toMatchObject({ code: 'bad_config' });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  }
});

verifies(
  ['S20', 'S12'],
  'the name of a copy is noted before there is a copy, so that a crash in between can be tidied up',
  async () => {
    const machine = emptyMachine();
    const file = write(join(machine.home, '.cursor', 'mcp.json'), '{}\n');
    const beside: (readonly string[])[] = [];
    const names: (string | undefined)[] = [];
    const note = async ({ backup }: { readonly backup?: string }): Promise<void> => {
      beside.push(readdirSync(dirname(file)));
      names.push(backup);
      await Promise.resolve();
    };
    const { backup } = await connectClient('cursor', gateway, {
      ...at(machine),
      journal: { ...journalOf(machine), note },
    });
    expect(names).toEqual([undefined, backup]);
    expect(beside).toEqual([['mcp.json'], ['mcp.json']]);
  },
);

verifies(
  ['S12', 'S5'],
  'the copy beside the file carries the time and the old bytes, for its owner alone; the mode stays',
  async () => {
    const machine = emptyMachine();
    const file = write(join(machine.home, '.cursor', 'mcp.json'), '{}\n');
    chmodSync(file, 0o640);
    const { backup } = await connectClient('cursor', gateway, at(machine));
    expect(backup).toBe(`${file}.plug-backup-2026-11-15T12-30-05-007Z`);
    expect(readFileSync(backup ?? '', 'utf8')).toBe('{}\n');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(backup ?? '').mode & 0o777).toBe(0o600);
    // The client wrote the file since: only our entry goes, and the second copy must not replace the first.
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"own": 1, '));
    const second = await disconnectClient('cursor', at(machine));
    expect(second.backup).toBe(`${backup}-2`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ own: 1 });
    expect(readdirSync(dirname(file)).toSorted()).toEqual([
      'mcp.json',
      backup?.split('/').at(-1),
      second.backup?.split('/').at(-1),
    ]);
  },
);

verifies(['S5'], 'a file that is a link stays a link, and what it points at is written', async () => {
  const machine = emptyMachine();
  const real = write(join(machine.home, 'dotfiles', 'cursor.json'), '{\n  "mcpServers": {}\n}\n');
  const link = join(machine.home, '.cursor', 'mcp.json');
  mkdirSync(dirname(link));
  symlinkSync('../dotfiles/cursor.json', link);
  await connectClient('cursor', gateway, at(machine));
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ mcpServers: { plugboard: gateway } });
  expect(readdirSync(dirname(link))).toEqual(['mcp.json']);
});

verifies(
  ['S12'],
  'a client that was never used gets a file that holds only our entry, for its owner alone',
  async () => {
    for (const { name } of clients) {
      const machine = emptyMachine();
      const made = await connectClient(name, gateway, at(machine));
      expect(made).toMatchObject({ changed: true });
      expect(made.backup).toBeUndefined();
      expect(statSync(made.file).mode & 0o777).toBe(0o600);
      const text = readFileSync(made.file, 'utf8');
      expect(text).toContain('gateway');
      expect(text.endsWith('\n')).toBe(true);
      expect(await connectClient(name, gateway, at(machine))).toMatchObject({ changed: false });
      expect((await readClients(machine)).found).toEqual([]);
      expect(await disconnectClient(name, at(machine))).toMatchObject({ changed: true });
      // What was made for it goes with it: file and folders.
      expect({ name, left: treeOf(machine.home) }).toEqual({ name, left: { 'work/boat': 'folder' } });
    }
  },
);

verifies(
  ['S12', 'S5'],
  'after connecting, even twice, and disconnecting every byte and every file is as before, in every client',
  async () => {
    const empty = {
      json: ['{}', '{\n}\n', '', ' \n'],
      yaml: ['', 'a: 1'],
      toml: ['', '# mine'],
      elisp: ['', '(a)', '(a)\n', '(a)\r\n'],
    };
    for (const client of connectableClients) {
      const [place] = client.places(emptyMachine());
      for (const text of empty[place?.syntax ?? 'json']) {
        const machine = emptyMachine();
        const path = client.places(machine).find(({ scope }) => scope === place?.scope)?.path ?? '';
        write(path, text);
        chmodSync(path, 0o644);
        const before = treeOf(machine.home);
        const scope = place?.scope === 'project' ? 'project' : 'user';
        await connectClient(client.name, gateway, at(machine, scope));
        await connectClient(client.name, { command: '/opt/plug', args: ['gateway'] }, at(machine, scope));
        for (const name of readdirSync(dirname(path)).filter((each) => each.includes('plug-backup')))
          expect(statSync(join(dirname(path), name)).mode & 0o077).toBe(0);
        expect(await disconnectClient(client.name, at(machine, scope))).toMatchObject({ changed: true });
        expect({ client: client.name, text, tree: treeOf(machine.home) }).toEqual({
          client: client.name,
          text,
          tree: before,
        });
      }
    }
  },
);

verifies(
  ['S12', 'S5'],
  'disconnecting leaves the empty folders that were there before connecting, in every client',
  async () => {
    for (const client of connectableClients) {
      // The folder of the file is there, or the one above it, and the file's own is made.
      for (const above of ['.', '..']) {
        const machine = emptyMachine();
        const place = client.places(machine).find(({ endings, inEach }) => !endings && !inEach);
        const scope = place?.scope === 'project' ? 'project' : 'user';
        const folder = join(dirname(place?.path ?? ''), above);
        if (folder.startsWith(machine.home)) mkdirSync(folder, { recursive: true });
        const before = treeOf(machine.home);
        await connectClient(client.name, gateway, at(machine, scope));
        expect(await disconnectClient(client.name, at(machine, scope))).toMatchObject({ changed: true });
        const tree = treeOf(machine.home);
        expect({ client: client.name, tree }).toEqual({ client: client.name, tree: before });
      }
    }
  },
);

/** Every file with its bytes and mode, every folder that is empty. */
function treeOf(root: string): Readonly<Record<string, string>> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).map((each) => {
    const path = join(each.parentPath, each.name);
    const name = relative(root, path);
    if (!each.isDirectory())
      return [name, `${statSync(path).mode.toString(8)} ${readFileSync(path, 'utf8')}`];
    return readdirSync(path).length === 0 ? [name, 'folder'] : [];
  });
  return Object.fromEntries(found.filter((each) => each.length > 0)) as Record<string, string>; // pairs
}

verifies(
  ['S12', 'H5'],
  'a client is told the folder of PLUG_HOME, except in a file that is shared',
  async () => {
    for (const client of connectableClients) {
      const machine: Machine = { ...emptyMachine(), env: { PLUG_HOME: '/srv/my "plug' } };
      const { file } = await connectClient(client.name, gateway, at(machine));
      const text = readFileSync(file, 'utf8');
      expect({ client: client.name, text }).toEqual({
        client: client.name,
        text: expect.stringMatching(/PLUG_HOME["']?[:=\s]+.*plug|plugboard-home "\/srv\/my \\"plug"/),
      });
      expect(await disconnectClient(client.name, at(machine))).toMatchObject({ changed: true });
      expect(existsSync(file)).toBe(false);
    }
    const machine: Machine = { ...emptyMachine(), env: { PLUG_HOME: '/srv/plug' } };
    const { file } = await connectClient('claude-code', gateway, at(machine, 'project'));
    expect(readFileSync(file, 'utf8')).not.toContain('/srv/plug');
  },
);

test('disconnecting a client that has no file makes none', async () => {
  const machine = emptyMachine();
  expect(await disconnectClient('cursor', at(machine))).toMatchObject({ changed: false });
  expect(readdirSync(machine.home)).toEqual(['work']);
});

verifies(['S12'], 'another command for our gateway replaces the old entry in place', async () => {
  for (const { name } of clients) {
    const machine = emptyMachine();
    await connectClient(name, gateway, at(machine));
    const next = { command: '/opt/plugboard/bin/plug', args: ['gateway', '--profile', 'work'] };
    const { file } = await connectClient(name, next, at(machine));
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('/opt/plugboard/bin/plug');
    expect(text.match(/gateway/g)).toHaveLength(1);
    await disconnectClient(name, at(machine));
    expect(existsSync(file)).toBe(false);
  }
});

test('a server of the user that has our name is not touched', async () => {
  const machine = emptyMachine();
  const text = '{"mcpServers": {"plugboard": {"command": "my-own-thing"}}}';
  const file = write(join(machine.home, '.cursor', 'mcp.json'), text);
  await expect(connectClient('cursor', gateway, at(machine))).rejects.toMatchObject({
    code: 'already_exists',
  });
  await expect(disconnectClient('cursor', at(machine))).rejects.toMatchObject({ code: 'already_exists' });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('what cannot be changed without touching the rest is refused', async () => {
  const machine = emptyMachine();
  const file = write(
    join(machine.home, '.codex', 'config.toml'),
    'mcp_servers = { a = { command = "x" } }\n',
  );
  await expect(connectClient('codex', gateway, at(machine))).rejects.toMatchObject({
    code: 'bad_config',
    next: `Edit ${file} by hand.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mcp_servers = { a = { command = "x" } }\n');
  const list = write(join(machine.home, '.cursor', 'mcp.json'), '{"mcpServers": []}');
  await expect(connectClient('cursor', gateway, at(machine))).rejects.toThrow('not a map of servers');
  expect(readFileSync(list, 'utf8')).toBe('{"mcpServers": []}');
});

test('opencode’s newer format is kept where it is in use', async () => {
  const machine = emptyMachine();
  const file = write(join(machine.home, '.config', 'opencode', 'opencode.json'), {
    mcp: { servers: { a: { type: 'remote', url: 'https://a.example' } } },
  });
  await connectClient('opencode', gateway, at(machine));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    mcp: { servers: { plugboard: { command: ['plug', 'gateway'] } } },
  });
});

verifies(
  ['S12'],
  'a project’s file is written when it is asked for, and only where the client has one',
  async () => {
    const machine = emptyMachine();
    const { file } = await connectClient('claude-code', gateway, at(machine, 'project'));
    expect(file).toBe(join(machine.cwd, '.mcp.json'));
    await expect(connectClient('windsurf', gateway, at(machine, 'project'))).rejects.toMatchObject({
      code: 'unsupported',
    });
  },
);

verifies(
  ['S5'],
  'a file that its client writes meanwhile is read again: neither change is lost',
  async () => {
    const machine = emptyMachine();
    const file = write(join(machine.home, '.claude.json'), '{"n": 1}');
    let edits = 0;
    const written = await rewriteFile(
      file,
      (text) => {
        edits += 1;
        // Claude Code saves its state exactly between our look and our write.
        if (edits === 1) writeFileSync(file, '{"n": 2, "longer": true}');
        return text.replace('}', ', "ours": true}');
      },
      { clock, ids: systemIds, note: () => Promise.resolve() },
    );
    expect(edits).toBe(2);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ n: 2, longer: true, ours: true });
    expect(readFileSync(written.backup ?? '', 'utf8')).toBe('{"n": 2, "longer": true}');
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith('.claude.json'))).toHaveLength(2);
  },
);

verifies(
  ['S5'],
  'a huge live file of Claude Code is edited in place: only our lines are new',
  async () => {
    const machine = emptyMachine();
    const history = Array.from({ length: 6_000 }, (_, index) => ({
      display: `question ${index} \u00e9 "quoted"`,
      pastedContents: { a: 'x'.repeat(200) },
    }));
    const text = `${JSON.stringify({ mcpServers: { a: { command: 'a' } }, projects: { '/p': { history } }, big: 1 }, undefined, 2).replace('"big": 1', '"big": 12345678901234567890.50')}\n`;
    const file = write(join(machine.home, '.claude.json'), text);
    await connectClient('claude-code', gateway, at(machine));
    const added = readFileSync(file, 'utf8');
    expect(added.length - text.length).toBeLessThan(150);
    expect(added).toContain('12345678901234567890.50');
    await disconnectClient('claude-code', at(machine));
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
  20_000,
);

test('an edit that fails half-way leaves no file of ours behind', async () => {
  const machine = emptyMachine();
  const file = write(join(machine.home, '.cursor', 'mcp.json'), '{}');
  const fail = (): string => {
    throw new Error('no');
  };
  await expect(
    rewriteFile(file, fail, { clock, ids: systemIds, note: () => Promise.resolve() }),
  ).rejects.toThrow('no');
  expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
});
