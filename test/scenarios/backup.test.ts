import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Backup, Hub, RestoreOutcome } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import type { StorageOptions } from '../../src/storage/storage.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { shared } from '../suite/run-resources.ts';
import { scriptedServer, toolNamed } from './catalog-server.ts';

const SLOW = 60_000;
const PASSPHRASE = 'four quiet words here';
const OLD = 'ghp_Hn52Ty90Gb31Xc08Pl46Vd73';
const KEY = 'ghp_Zx81Qm20Vb77Lk35Rt64Ws19';

interface Machine {
  readonly hub: Hub;
  readonly home: string;
}

/** Another machine: a home of its own, and a vault with a key of its own in a file. */
async function machine(
  files: Readonly<Record<string, string>> = {},
  { env = {}, storage }: { env?: Readonly<Record<string, string>>; storage?: StorageOptions } = {},
): Promise<Machine> {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const hub = await openHub({
    paths: { config: home, data: home, state: home },
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1', ...env },
    version: '1.0.0',
    ...(storage ? { storage } : {}),
  });
  onTestFinished(() => hub.close());
  return { hub, home };
}

/** As it travels: through a file. */
function copied(backup: Backup): JsonObject {
  return JSON.parse(JSON.stringify(backup)) as JsonObject;
}

function named(things: RestoreOutcome['restored'], kind: string): readonly string[] {
  return things.filter((thing) => thing.kind === kind).map(({ name }) => name);
}

const note = toolNamed('read_note', { annotations: { readOnlyHint: true } });
const write = toolNamed('write_note', {
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
});

verifies(
  ['H5'],
  'what was granted, trusted and pinned holds on the other machine, and a changed tool is refused there too',
  async () => {
    const notes = scriptedServer('notes', [note, write]);
    const here = await machine();
    await here.hub.servers.add({ definition: notes.definition });
    await here.hub.servers.trust({ id: 'notes' });
    await here.hub.grants.add({ tool: 'notes/write_note', args: { text: 'shopping*' } });
    await here.hub.grants.add({ tool: 'notes/write_note', session: true });
    await here.hub.grants.add({ tool: 'notes/write_note', once: true });
    await here.hub.tools.setRisk({ ref: 'notes/write_note', risk: 'write' });
    await here.hub.profiles.save({ name: 'reading', servers: ['notes'], readOnly: true });
    await here.hub.servers.disable({ id: 'notes' });
    await here.hub.servers.enable({ id: 'notes' });
    const backup = copied(await here.hub.backups.make());
    await here.hub.close();

    const there = await machine();
    const plan = await there.hub.backups.check({ backup });
    expect(await there.hub.servers.list()).toMatchObject({ servers: [] });
    const outcome = await there.hub.backups.restore({ backup });
    expect(outcome).toEqual(plan);
    expect(outcome).toMatchObject({ kept: [], failed: [] });
    expect(named(outcome.restored, 'server')).toEqual(['notes']);
    expect(named(outcome.restored, 'grant')).toEqual(['notes/write_note (text)']);
    expect(named(outcome.restored, 'pin')).toEqual(['notes/read_note', 'notes/write_note']);
    expect(await there.hub.profiles.list()).toMatchObject([{ name: 'reading', readOnly: true }]);
    // Nothing was started for it.
    expect(await there.hub.servers.get({ id: 'notes' })).toMatchObject({
      state: { kind: 'asleep' },
      trust: 'kept',
    });
    expect(notes.calls()).toEqual([]);

    const { allowedBy } = await there.hub.tools.call({
      tool: 'notes/write_note',
      args: { text: 'shopping list' },
    });
    expect(allowedBy).toContain('grant');
    await there.hub.tools.call({ tool: 'notes/read_note' });
    await expect(
      there.hub.tools.call({ tool: 'notes/write_note', args: { text: 'other' } }),
    ).rejects.toMatchObject({ code: 'approval_required' });
    expect(notes.calls()).toEqual(['write_note', 'read_note']);

    await there.hub.servers.stop({ id: 'notes' });
    notes.write([{ ...note, description: 'Reads every note.' }, write]);
    await there.hub.servers.restart({ id: 'notes' });
    await expect(there.hub.tools.call({ tool: 'notes/read_note' })).rejects.toMatchObject({
      code: 'denied',
      details: { cause: 'changed' },
    });
    expect(notes.calls()).toEqual(['write_note', 'read_note']);
    // Once more changes nothing.
    const again = await there.hub.backups.restore({ backup });
    expect(again).toMatchObject({ restored: [], failed: [] });
  },
  SLOW,
);

verifies(
  ['H5', 'V2'],
  'secrets travel only sealed: in the clear there are references, in definitions and in the config file',
  async () => {
    const notes = scriptedServer('notes', [note]);
    const [command = '', ...args] = notes.command;
    const entry = { command, args: [...args, '--token', KEY], env: { MODE: 'fast', API_KEY: `${KEY}2` } };
    const text = `{\n  // the old ones were Bearer ${OLD} and ${OLD}\n  "mcpServers": { "filed": ${JSON.stringify(entry)} }\n}\n`;
    const rules = '{ "defaults": { "call": { "unknown": "allow" } } }';
    const here = await machine({ 'mcp.json': text, 'rules.json': rules });
    await here.hub.servers.add({
      definition: defineServer({
        ...notes.definition,
        id: 'sealed',
        endpoint: { kind: 'stdio', command, args, env: { TOKEN: KEY } },
      }),
    });
    await here.hub.servers.trust({ id: 'filed' });
    await here.hub.secrets.set({ name: 'lonely', value: `${KEY}3` });
    const open = await here.hub.backups.make();
    const closed = await here.hub.backups.make({ passphrase: PASSPHRASE });
    for (const backup of [open, closed]) {
      expect(JSON.stringify(backup)).not.toContain(KEY);
      expect(JSON.stringify(backup)).not.toContain(OLD);
      expect(JSON.stringify(backup)).not.toContain(PASSPHRASE);
    }
    expect(open.secrets).toBeUndefined();

    // Without the passphrase everything but the secrets comes, and what is missing is said.
    const poor = await machine();
    const partly = await poor.hub.backups.restore({ backup: copied(closed) });
    expect(named(partly.restored, 'secret')).toEqual([]);
    expect(partly.todo).toEqual(
      expect.arrayContaining([
        'sealed needs its key sealed/TOKEN: plug secrets set sealed/TOKEN',
        'filed needs its key filed/token: plug secrets set filed/token',
        'filed needs its key filed/API_KEY: plug secrets set filed/API_KEY',
        'The secrets of this backup are still sealed: restore it again with its passphrase.',
      ]),
    );

    const there = await machine();
    const outcome = await there.hub.backups.restore({ backup: copied(closed), passphrase: PASSPHRASE });
    expect(outcome).toMatchObject({ kept: [], failed: [], todo: [] });
    expect(await there.hub.secrets.list()).toEqual([
      'filed/API_KEY',
      'filed/token',
      'lonely',
      'sealed/TOKEN',
    ]);
    const restored = readFileSync(join(there.home, 'mcp.json'), 'utf8');
    expect(restored).toContain('"API_KEY":"${vault:filed/API_KEY}"');
    expect(restored).toContain('// the old ones were Bearer [secret] and [secret]');
    expect(statSync(join(there.home, 'mcp.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(there.home, 'rules.json'), 'utf8')).toBe(rules);
    // The entry of the file was trusted as it read; it is the same one with references in it.
    expect(await there.hub.servers.get({ id: 'filed' })).toMatchObject({ trust: 'kept' });
    await there.hub.tools.call({ tool: 'sealed/read_note' });
    await there.hub.tools.call({ tool: 'filed/read_note' });
    expect(notes.calls()).toEqual(['read_note', 'read_note']);
  },
  SLOW,
);

test('another passphrase opens nothing, and a changed backup is found out', async () => {
  const here = await machine();
  await here.hub.secrets.set({ name: 'lonely', value: KEY });
  await here.hub.profiles.save({ name: 'p' });
  const backup = copied(await here.hub.backups.make({ passphrase: PASSPHRASE }));
  const there = await machine();
  const refused = (changed: JsonObject, passphrase = PASSPHRASE): Promise<void> =>
    expect(there.hub.backups.restore({ backup: changed, passphrase })).rejects.toMatchObject({
      code: 'denied',
      owner: 'you',
      next: expect.any(String) as string,
    });
  await refused(backup, 'four other words here');
  const contents = backup['contents'] as JsonObject;
  const secrets = backup['secrets'] as JsonObject & { readonly sealed: string };
  await refused({ ...backup, contents: { ...contents, profiles: [{ name: 'evil' }] } });
  await refused({ ...backup, madeAt: 1 });
  const [head, last] = [secrets.sealed.slice(0, -1), secrets.sealed.at(-1)];
  await refused({ ...backup, secrets: { ...secrets, sealed: `${head}${last === 'A' ? 'Q' : 'A'}` } });
  expect(await there.hub.profiles.list()).toEqual([]);
  expect(await there.hub.secrets.list()).toEqual([]);
  await expect(here.hub.backups.make({ passphrase: 'short' })).rejects.toMatchObject({ code: 'usage' });
  await there.hub.backups.restore({ backup, passphrase: PASSPHRASE });
  expect(await there.hub.secrets.list()).toEqual(['lonely']);
});

test('a backup with one bad row changes nothing, whatever is wrong with it', async () => {
  const here = await machine();
  await here.hub.profiles.save({ name: 'good' });
  const backup = copied(await here.hub.backups.make());
  const contents = backup['contents'] as JsonObject;
  const server = defineServer({ id: 's', endpoint: { kind: 'http', url: 'https://x', headers: {} } });
  const { hub } = await machine();
  const grant = { id: 'g', principal: 'local', server: 's', fingerprint: 'f', scope: { kind: 'reads' } };
  const broken: readonly JsonObject[] = [
    {},
    { ...backup, plugboard: 'other' },
    { ...backup, version: 2 },
    { ...backup, more: true },
    { ...backup, contents: { ...contents, servers: 'none' } },
    { ...backup, contents: { ...contents, servers: [{ ...server, id: '../../etc' }] } },
    { ...backup, contents: { ...contents, servers: [{ ...server, source: { kind: 'file' } }] } },
    { ...backup, contents: { ...contents, files: [{ name: '../.bashrc', text: 'x' }] } },
    { ...backup, contents: { ...contents, grants: [{ ...grant, session: true, source: '', createdAt: 1 }] } },
    { ...backup, secrets: { derivation: { kind: 'scrypt', salt: 'x', cost: 2 ** 40, blockSize: 8 } } },
    { ...backup, contents: { ...contents, profiles: [{ name: 'x'.repeat(5_000_000) }] } },
  ] as unknown as readonly JsonObject[];
  for (const one of broken) {
    for (const what of ['check', 'restore'] as const) {
      await expect(
        hub.backups[what]({ backup: one }),
        JSON.stringify(one).slice(0, 200),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^(bad_config|unsupported)$/) as string,
        owner: 'you',
      });
    }
  }
  expect(await hub.profiles.list()).toEqual([]);
});

test(
  'what is here stays unless it is to be replaced, and a forged pin is not taken',
  async () => {
    const notes = scriptedServer('notes', [note]);
    const here = await machine({ 'rules.json': '{ "defaults": { "call": { "write": "deny" } } }' });
    await here.hub.servers.add({ definition: notes.definition });
    await here.hub.servers.trust({ id: 'notes' });
    await here.hub.profiles.save({ name: 'mine', servers: ['a'] });
    const made = copied(await here.hub.backups.make());
    const contents = made['contents'] as JsonObject & { readonly pins: readonly JsonObject[] };
    const forged = contents.pins.map((pin) => ({ ...pin, tool: 'forged', definition: '{"name":"other"}' }));
    const backup = { ...made, contents: { ...contents, pins: [...contents.pins, ...forged] } };

    const other = scriptedServer('notes', [toolNamed('list_notes')]);
    const mine = '{ "defaults": { "call": { "write": "ask" } } }';
    const there = await machine({ 'rules.json': mine });
    await there.hub.servers.add({ definition: other.definition });
    await there.hub.profiles.save({ name: 'mine', servers: ['b'] });
    const kept = await there.hub.backups.restore({ backup });
    expect(named(kept.kept, 'server')).toEqual(['notes']);
    expect(named(kept.kept, 'profile')).toEqual(['mine']);
    expect(named(kept.kept, 'rules')).toEqual(['rules.json']);
    // What was approved of the one server says nothing about another of the same name.
    expect(named(kept.kept, 'pin')).toContain('notes/read_note');
    expect(await there.hub.servers.definition({ id: 'notes' })).toEqual(other.definition);
    expect(readFileSync(join(there.home, 'rules.json'), 'utf8')).toBe(mine);
    expect(existsSync(join(there.home, 'rules.json.before-restore'))).toBe(false);

    const replaced = await there.hub.backups.restore({ backup, replace: true });
    expect(replaced.failed).toEqual([
      { kind: 'pin', name: 'notes/forged', reason: 'Its definition changed since it was approved.' },
    ]);
    expect(await there.hub.servers.definition({ id: 'notes' })).toEqual(notes.definition);
    expect(await there.hub.profiles.list()).toEqual([{ name: 'mine', servers: ['a'] }]);
    expect((await there.hub.policy.defaults()).call.write).toBe('deny');
    expect(readFileSync(join(there.home, 'rules.json.before-restore'), 'utf8')).toBe(mine);
    await there.hub.tools.call({ tool: 'notes/read_note' });
  },
  SLOW,
);

test(
  'what the other machine lacks is said, server by server',
  async () => {
    const here = await machine(
      { 'registries.json': '{ "acme": { "url": "https://r.example.com", "headers": { "X-Key": "abc" } } }' },
      { env: { ACME_URL: 'https://acme.example.com' } },
    );
    const stdio = (id: string, command: string, args: readonly string[], cwd?: string): Promise<unknown> =>
      here.hub.servers.add({
        definition: defineServer({
          id,
          endpoint: { kind: 'stdio', command, args, env: {}, ...(cwd === undefined ? {} : { cwd }) },
        }),
        test: false,
      });
    await stdio('tools', 'plug-no-such-runtime', ['--root=/no/such/data', '/no/such/file']);
    await stdio('moved', process.execPath, [], '/no/such/folder');
    await here.hub.servers.add({
      definition: defineServer({
        id: 'remote',
        auth: 'oauth',
        endpoint: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: { 'X-Region': '${input:region}' } },
      }),
      test: false,
    });
    await here.hub.models.save({ name: 'smart', provider: 'openai', model: 'm-1', key: KEY });
    const backup = copied(await here.hub.backups.make());
    expect(backup).toMatchObject({ contents: { leftOut: [{ kind: 'files', name: 'registries.json' }] } });
    const { hub, home } = await machine();
    const { todo, failed } = await hub.backups.restore({ backup });
    expect(failed).toEqual([]);
    expect(todo).toEqual([
      'moved works in /no/such/folder, which doesn’t exist here: create it, or add moved again with another folder.',
      'remote needs its key remote/region: plug secrets set remote/region',
      'tools needs plug-no-such-runtime, which is not installed here: install it, then: plug restart tools',
      'tools names /no/such/data, which is not here.',
      'tools names /no/such/file, which is not here.',
      'Sign in to remote: plug auth remote',
      'The model smart needs its key: plug model add smart openai m-1 --key',
      'registries.json holds a secret, so it was left out of the backup.',
    ]);
    expect(existsSync(join(home, 'registries.json'))).toBe(false);
    // Under a passphrase it travels whole.
    const sealed = copied(await here.hub.backups.make({ passphrase: PASSPHRASE }));
    const there = await machine();
    const { restored } = await there.hub.backups.restore({ backup: sealed, passphrase: PASSPHRASE });
    expect(named(restored, 'file')).toEqual(['registries.json']);
    expect(await there.hub.models.list()).toMatchObject([{ name: 'smart', isDefault: true, hasKey: true }]);
    expect(readFileSync(join(there.home, 'registries.json'), 'utf8')).toContain('X-Key');
  },
  SLOW,
);

verifies(
  ['H5', 'H2'],
  'a backup from SQLite is restored into PostgreSQL, and from there into SQLite again',
  async () => {
    const notes = scriptedServer('notes', [note]);
    const here = await machine();
    await here.hub.servers.add({ definition: notes.definition });
    await here.hub.servers.trust({ id: 'notes' });
    await here.hub.secrets.set({ name: 'lonely', value: KEY });
    const first = await here.hub.backups.make({ passphrase: PASSPHRASE });
    const between = await machine({}, { storage: { kind: 'postgres', url: await shared('database') } });
    const moved = await between.hub.backups.restore({ backup: copied(first), passphrase: PASSPHRASE });
    expect(moved).toMatchObject({ kept: [], failed: [] });
    const second = await between.hub.backups.make({ passphrase: PASSPHRASE });
    expect({ ...second.contents, serverTrust: [], accounts: [] }).toEqual({
      ...first.contents,
      serverTrust: [],
      accounts: [],
    });
    const back = await machine();
    await back.hub.backups.restore({ backup: copied(second), passphrase: PASSPHRASE });
    expect(await back.hub.secrets.list()).toEqual(['lonely']);
    await back.hub.tools.call({ tool: 'notes/read_note' });
    expect(notes.calls()).toEqual(['read_note']);
  },
  SLOW,
);
