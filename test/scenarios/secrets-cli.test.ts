import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { answerOf, everythingCommand, fixtureCommand, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const ENV = { PLUG_NO_KEYRING: '1' };
const SECRET = 'correct horse/battery+staple=9';

/** Puts a secret in from a pipe. */
async function setSecret(plug: Plug, name: string, value = `${SECRET}\n`): Promise<void> {
  const { code, stdout, stderr } = await answerOf(plug.begin(['secrets', 'set', name], value));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`${name} is saved in the vault.`);
}

/** Everything that the hub keeps on disk, as bytes. */
function kept(plug: Plug): string {
  const folder = `${plug.home}/plug`;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** What the demo server says is in its environment. */
async function environmentOf(plug: Plug, server: string): Promise<string> {
  return (await plug('call', `${server}/get-env`)).stdout;
}

verifies(
  ['V2', 'V3'],
  'a secret that was put in from standard input reaches the server by its name, and only its name is shown',
  async () => {
    const plug = newPlug(ENV);
    await setSecret(plug, 'demo/API_KEY');
    expect((await plug('secrets', 'list')).stdout).toBe('demo/API_KEY\n');
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demo/API_KEY'] });
    const add = ['add', 'demo', '--yes', '--env', 'API_KEY=${vault:demo/API_KEY}'];
    expect((await plug(...add, '--', ...everythingCommand())).code).toBe(0);
    expect(await environmentOf(plug, 'demo')).toContain(SECRET);
    expect(kept(plug)).not.toContain(SECRET);
  },
  60_000,
);

verifies(
  ['V2'],
  'a key typed as --env or as an argument is sealed, and the database holds only a reference to it',
  async () => {
    const plug = newPlug(ENV);
    const key = 'sk-live-Zx81Qm20Vb77Lk35';
    const added = await plug(
      'add',
      'demo',
      '--yes',
      '--env',
      `API_KEY=${key}`,
      '--env',
      'MODE=fast',
      '--',
      ...everythingCommand(),
    );
    expect(added.code).toBe(0);
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demo/API_KEY'] });
    expect(await environmentOf(plug, 'demo')).toContain(key);
    expect(kept(plug)).not.toContain(key);
    // A try that fails leaves nothing behind.
    const failed = await plug(
      'add',
      'bad',
      '--yes',
      '--env',
      `API_KEY=${key}`,
      '--',
      ...fixtureCommand('exits-at-once'),
    );
    expect(failed.code).toBe(5);
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demo/API_KEY'] });
  },
  60_000,
);

verifies(
  ['V7'],
  'a secret argument is masked everywhere, and its place in the process list is said',
  async () => {
    const plug = newPlug(ENV);
    const key = 'argument-secret-77-xyz';
    const command = [...fixtureCommand('modern'), '--api-key', key];
    const added = await plug('add', 'demo', '--yes', '--no-test', '--', ...command);
    expect(added.code).toBe(0);
    expect(added.stdout).toContain('Its key is in the vault.');
    expect(added.stdout + added.stderr).not.toContain(key);
    const { servers } = (await plug.json('list')) as { servers: { target: string; problems: string[] }[] };
    expect(servers[0]?.target).toMatch(/--api-key \$\{vault:demo\/api-key\}$/);
    expect(servers[0]?.problems).toEqual([expect.stringContaining('every user of this machine can see it')]);
    const status = await plug('status', 'demo');
    expect(status.stdout).toContain('takes a secret as an argument');
    expect(status.stdout + status.stderr + kept(plug)).not.toContain(key);
  },
  60_000,
);

verifies(
  ['V5'],
  'a secret that is typed at a terminal does not show there',
  async () => {
    const plug = newPlug(ENV);
    const typing = startInTerminal(plug, ['secrets', 'set', 'demo/KEY']);
    await typing.says(/demo\/KEY \(hidden as you type\): /);
    typing.type('typed-in-the-dark-42\n');
    const { code, stdout } = await typing.answer;
    expect(stdout).toContain('demo/KEY is saved in the vault.');
    expect(stdout).not.toContain('typed-in');
    expect(code).toBe(0);
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demo/KEY'] });
  },
  30_000,
);

verifies(
  ['V5'],
  'a secret on the command line is refused with the reason, and not repeated',
  async () => {
    const plug = newPlug(ENV);
    const refused = await plug('secrets', 'set', 'demo/KEY', 'typed-by-mistake-1');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('A secret is not taken from the command line');
    expect(refused.stdout + refused.stderr).not.toContain('typed-by-mistake');
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: [] });
  },
  30_000,
);

verifies(
  ['V6'],
  'rotating the key keeps every secret readable, and a deleted one is gone for good',
  async () => {
    const plug = newPlug(ENV);
    await setSecret(plug, 'demo/API_KEY');
    await setSecret(plug, 'other/KEY', 'something else entirely');
    expect(await plug.json('secrets', 'rotate')).toEqual({ resealed: 2 });
    const add = ['add', 'demo', '--yes', '--env', 'API_KEY=${vault:demo/API_KEY}'];
    await plug(...add, '--', ...everythingCommand());
    expect(await environmentOf(plug, 'demo')).toContain(SECRET);
    expect(await plug.json('secrets', 'rm', 'other/KEY')).toEqual({ removed: ['other/KEY'] });
    const again = await plug('secrets', 'rm', 'other/KEY');
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('plug secrets list')]);
  },
  60_000,
);

verifies(
  ['V6'],
  'removing a server deletes its secrets and says which; those of others stay',
  async () => {
    const plug = newPlug(ENV);
    await setSecret(plug, 'demo/API_KEY');
    await setSecret(plug, 'demos/API_KEY');
    await plug('add', 'demo', '--yes', '--no-test', '--', ...fixtureCommand('modern'));
    const typing = startInTerminal(plug, ['remove', 'demo']);
    await typing.says(/Remove demo \(.* and the secret demo\/API_KEY\? \[y\/N\]/);
    typing.type('y\n');
    expect((await typing.answer).stdout).toContain('demo is removed, with the secret demo/API_KEY.');
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demos/API_KEY'] });
  },
  60_000,
);

test('hub status tells where the key of the vault is, and warns of a key file', async () => {
  const plug = newPlug(ENV);
  await setSecret(plug, 'demo/KEY');
  const { stdout, stderr } = await plug('hub', 'status');
  expect(stdout).toContain('vault   key file (only you can read it)');
  expect(stderr).toContain('anyone who can copy your files can read your secrets');
  expect(await plug.json('hub', 'status')).toMatchObject({ vault: { source: 'file', keys: 1 } });
});
