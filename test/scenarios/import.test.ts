import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect } from 'vitest';
import { prepareHome, write } from '../clients/prepared-home.ts';
import { verifies } from '../requirements.ts';
import { bin, fixtureCommand, newPlug } from './plug-command.ts';

const LONG_MS = 60_000;
const KEY = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

interface Find {
  readonly id: string;
  readonly client: string;
  readonly scope: string;
  readonly skipped?: string;
  readonly keys: readonly { readonly where: string }[];
}

verifies(
  ['S11'],
  'plug import --dry-run finds every server of every client, and writes nothing',
  async () => {
    const { machine, expected } = prepareHome('linux');
    const plug = newPlug({}, { home: machine.home, cwd: machine.cwd });
    const seen = await plug.json('import', '--dry-run');
    const found = (seen['found'] as readonly Find[]).map(({ client, scope, id }) => ({ client, scope, id }));
    const order = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    expect(found.toSorted(order)).toEqual([...expected].toSorted(order));
    expect(seen).toMatchObject({ dryRun: true, imported: [] });
    // The plain mcp.json of the project is read by Plugboard itself; nothing else may have come.
    expect(((await plug.json('list'))['servers'] as readonly Find[]).map(({ id }) => id)).toEqual(['plain']);
  },
  LONG_MS,
);

verifies(
  ['S11'],
  'ten servers with one bad entry import nine and name the tenth; keys go into the vault and are never shown',
  async () => {
    const plug = newPlug();
    const [command = '', ...args] = fixtureCommand('dual');
    const good = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`server-${at}`, { command: 'npx', args: ['-y', `pack-${at}`] }]),
    );
    const file = write(join(plug.home, '.cursor', 'mcp.json'), {
      mcpServers: { ...good, works: { command, args, env: { GITHUB_TOKEN: KEY } }, broken: { note: 'x' } },
    });
    const before = readFileSync(file, 'utf8');
    const refused = await plug('import');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('plug import --all');
    expect((await plug.json('list'))['servers']).toEqual([]);

    const done = await plug('import', '--all');
    expect(done.code).toBe(1); // nine came, and one of the ten could not be read
    expect(done.stdout).toContain('readable key in env.GITHUB_TOKEN');
    expect(done.stderr).toContain('broken');
    expect(done.stdout + done.stderr).not.toContain(KEY);
    expect((await plug.json('list'))['servers']).toHaveLength(9);
    expect(JSON.stringify(await plug.json('secrets', 'list'))).toContain('works/GITHUB_TOKEN');
    // It starts with its key, which stands readable nowhere on our side.
    expect((await plug('call', 'works/env')).stdout).toContain(KEY);
    for (const name of readdirSync(join(plug.home, 'plug')).filter((each) => /\.db/.test(each)))
      expect(readFileSync(join(plug.home, 'plug', name), 'latin1')).not.toContain(KEY);
    expect(readFileSync(file, 'utf8')).toBe(before);

    const again = await plug('import', '--all', '--json');
    expect({ code: again.code, ...JSON.parse(again.stdout) }).toMatchObject({ code: 1, imported: [] });
    expect((await plug.json('list'))['servers']).toHaveLength(9);
  },
  LONG_MS,
);

verifies(
  ['S11'],
  'a followed server starts as its own client’s file reads at that moment',
  async () => {
    const plug = newPlug();
    const [command = '', ...args] = fixtureCommand('dual');
    const file = join(plug.home, '.cursor', 'mcp.json');
    const entry = (secret: string): object => ({
      mcpServers: { tides: { command, args, env: { TIDE_TOKEN: secret } } },
    });
    write(file, entry('swordfish-first-value'));
    expect((await plug.json('import', 'cursor', '--follow'))['imported']).toMatchObject([
      { id: 'tides', keys: [], follows: file },
    ]);
    expect(JSON.stringify(await plug.json('secrets', 'list'))).not.toContain('tides');
    expect((await plug('call', 'tides/env')).stdout).toContain('swordfish-first-value');
    writeFileSync(file, JSON.stringify(entry('swordfish-second-value')));
    expect((await plug('restart', 'tides')).code).toBe(0);
    expect((await plug('call', 'tides/env')).stdout).toContain('swordfish-second-value');
  },
  LONG_MS,
);

verifies(
  ['S11', 'U4'],
  'a followed server is well to the doctor while its file is, and a changed, broken or lost file is named as that',
  async () => {
    const plug = newPlug({ DOCS_REGION: 'north' });
    const [command = '', ...args] = fixtureCommand('dual');
    const file = join(plug.home, '.cursor', 'mcp.json');
    // As long as a key, and with keys: what hides secrets must not hide the server.
    const id = 'google-docs-personal';
    const entry = (secret: string, more: object = {}): object => ({
      mcpServers: {
        [id]: { command, args, env: { DOCS_API_KEY: secret, DOCS_REGION: '${env:DOCS_REGION}' }, ...more },
      },
    });
    const complaints = async (...flags: readonly string[]): Promise<readonly unknown[]> => {
      const { stdout } = await plug('--json', 'doctor', id, ...flags);
      const { rows } = JSON.parse(stdout) as { rows: readonly { status: string }[] };
      return rows.filter(({ status }) => status === 'warn' || status === 'fail');
    };
    const tells = async (): Promise<string> => {
      const { code, stdout } = await plug('call', `${id}/env`);
      expect(code).toBe(0);
      return stdout;
    };
    write(file, entry('swordfish-first-value'));
    expect((await plug.json('import', 'cursor', '--follow'))['imported']).toMatchObject([
      { id, follows: file },
    ]);
    // Before its first start, running, and asked to answer.
    expect(await complaints()).toEqual([]);
    expect(JSON.parse(await tells())).toMatchObject({
      DOCS_API_KEY: 'swordfish-first-value',
      DOCS_REGION: 'north',
    });
    expect(await complaints()).toEqual([]);
    await plug.json('trust', id);
    expect(await complaints('--live')).toEqual([]);
    expect((await plug('doctor', id)).stdout).toContain(id);

    writeFileSync(file, JSON.stringify(entry('swordfish-second-value')));
    expect(await complaints()).toEqual([]);
    expect((await plug('restart', id)).code).toBe(0);
    expect(await tells()).toContain('swordfish-second-value');

    // The other client's file is the only truth: what is wrong there is what the doctor names.
    const wrong = { check: 'variables', status: 'fail' };
    writeFileSync(file, JSON.stringify(entry('x', { command: 'no-such-program-here' })));
    expect(await complaints()).toMatchObject([
      { check: 'command', status: 'fail', cause: 'missing_command' },
    ]);
    writeFileSync(file, '{ "mcpServers": {');
    expect(await complaints()).toMatchObject([
      { ...wrong, cause: 'bad_config', says: expect.stringContaining(file) },
    ]);
    rmSync(file);
    expect(await complaints()).toMatchObject([
      { ...wrong, cause: 'bad_config', says: expect.stringContaining(file) },
    ]);
    // And where it is mended, all is well again.
    write(file, entry('swordfish-third-value'));
    expect(await complaints()).toEqual([]);
    expect((await plug('restart', id)).code).toBe(0);
    expect(await tells()).toContain('swordfish-third-value');
    expect(await complaints()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['S11', 'S4'],
  'a file of a project cannot bring in a variable that changes what code runs',
  async () => {
    const plug = newPlug();
    const [command = '', ...args] = fixtureCommand('dual');
    write(join(plug.cwd, '.cursor', 'mcp.json'), {
      mcpServers: {
        sly: { command, args, env: { NODE_OPTIONS: '--require ./evil.js' } },
        plain: { command, args },
      },
    });
    const done = await plug.json('import', '--all');
    expect(done['imported']).toMatchObject([{ id: 'plain' }]);
    expect(JSON.stringify(done['found'])).toContain('NODE_OPTIONS');
    expect(((await plug.json('list'))['servers'] as readonly Find[]).map(({ id }) => id)).toEqual(['plain']);
  },
  LONG_MS,
);

verifies(
  ['S12', 'S5'],
  'connect writes our entry, says what it wrote and where the backup is; disconnect restores the file',
  async () => {
    const plug = newPlug();
    const text =
      '{\n  // my servers\n  "mcpServers": {\n    "mine": { "command": "a", "env": { "T": "canary-1" } }\n  }\n}\n';
    const file = write(join(plug.home, '.cursor', 'mcp.json'), text);
    const shown = await plug('connect', 'cursor', '--dry-run');
    expect(shown.stdout).toContain('"plugboard"');
    expect(shown.stdout + shown.stderr).not.toContain('canary-1');
    expect(readFileSync(file, 'utf8')).toBe(text);

    const done = await plug.json('connect', 'cursor');
    expect(done).toMatchObject({ client: 'cursor', file, changed: true, backup: expect.any(String) });
    expect(readFileSync(String(done['backup']), 'utf8')).toBe(text);
    expect(readFileSync(file, 'utf8')).toContain('"gateway"');
    // What the client would start is there, and is this program.
    const { plugboard } = (parse(readFileSync(file, 'utf8')) as Connected).mcpServers;
    expect(plugboard).toEqual({
      command: process.execPath,
      args: [bin, 'gateway'],
      env: { PLUG_HOME: join(plug.home, 'plug') },
    });
    expect((await plug('connect', 'cursor')).stdout).toContain('Nothing to change');
    expect((await plug.json('import', '--dry-run'))['found']).toMatchObject([{ id: 'mine' }]);

    expect((await plug('disconnect', 'cursor')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
    expect((await plug('disconnect', 'cursor')).stdout).toContain('Nothing to change');
    expect((await plug('connect', 'nobody')).code).toBe(6);
  },
  LONG_MS,
);

interface Connected {
  readonly mcpServers: { readonly plugboard: object };
}

verifies(
  ['S12'],
  'connected to the project’s mcp.json, which Plugboard reads itself, it does not list itself',
  async () => {
    const plug = newPlug();
    const own = { command: 'own-server', args: [] };
    const file = write(join(plug.cwd, 'mcp.json'), { mcpServers: { own } });
    const before = readFileSync(file, 'utf8');
    await plug.json('connect', 'mcp-json', '--scope', 'project', '--yes');
    const { servers } = await plug.json('list');
    expect((servers as readonly Find[]).map(({ id }) => id)).toEqual(['own']);
    await plug.json('disconnect', 'mcp-json', '--scope', 'project', '--yes');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(plug.cwd)).toEqual(['mcp.json']);
  },
  LONG_MS,
);

verifies(
  ['S12'],
  'a server is exported in any client’s words and as a link, and what comes out goes in again',
  async () => {
    const plug = newPlug();
    const [command = '', ...args] = fixtureCommand('dual');
    await plug.json('add', 'box', '--', command, ...args);
    const cursor = await plug('export', 'box', '--to', 'cursor');
    expect(JSON.parse(cursor.stdout)).toEqual({ mcpServers: { box: { command, args } } });
    expect((await plug('export', 'box', '--to', 'codex')).stdout).toContain('[mcp_servers.box]');
    const { text } = await plug.json('export', 'box', '--to', 'deeplink');
    const link = String(text)
      .split('\n')
      .find((line) => line.startsWith('cursor://'));
    await plug.json('remove', 'box', '--yes');
    expect(await plug.json('add', String(link), '--yes')).toMatchObject({
      server: { id: 'box' },
      tested: true,
    });
    expect((await plug('call', 'box/echo', 'message=hi')).stdout).toBe('hi\n');
    expect((await plug('export', 'bxo', '--to', 'cursor')).stderr).toContain('Did you mean box?');
  },
  LONG_MS,
);
