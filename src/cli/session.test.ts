import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { atATerminal, type Person } from '../../test/scenarios/at-a-terminal.ts';
import { local } from '../../test/scenarios/lifecycle-hub.ts';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';

const PASSPHRASE = 'several words that open it';
const QUESTION = 'Passphrase of the vault (hidden as you type): ';

/** Somebody whose hub has just started, with a server that needs a secret of the locked vault. */
async function atALockedVault(): Promise<Person> {
  const home = temporaryFolder();
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  writeFileSync(join(home, 'rules.json'), JSON.stringify({ defaults: { call } }), { mode: 0o600 });
  const before = await atATerminal({}, home);
  const demo = local('demo', 'dual');
  if (demo.endpoint.kind !== 'stdio') throw new Error('the fixture is local');
  await before.hub.secrets.set({ name: 'demo/API_KEY', value: 'a-key-behind-a-phrase-42' });
  await before.hub.servers.add({
    definition: { ...demo, endpoint: { ...demo.endpoint, env: { API_KEY: '${vault:demo/API_KEY}' } } },
    test: true,
  });
  await before.hub.secrets.rotate({ to: 'passphrase', passphrase: PASSPHRASE });
  await before.hub.close();
  return await atATerminal({}, home);
}

verifies(
  ['V1', 'V5'],
  'at a terminal a command that meets the locked vault asks for the passphrase once, and goes on',
  async () => {
    const person = await atALockedVault();
    const started = await person.type(['restart', 'demo'], PASSPHRASE);
    expect(started.shown).toContain(QUESTION);
    expect(started.shown).not.toContain(PASSPHRASE);
    expect([started.code, started.unused]).toEqual([0, []]);
    expect((await person.hub.servers.get({ id: 'demo' })).state.kind).toBe('ready');
    const other = await atALockedVault();
    const called = await other.type(['call', 'demo/echo', 'message=hello'], PASSPHRASE);
    expect(called.shown).toMatch(/needs the vault[^]*hello/);
    expect([called.code, called.unused]).toEqual([0, []]);
    const again = await person.type(['restart', 'demo'], 'not asked for');
    expect([again.code, again.unused]).toEqual([0, ['not asked for']]);
  },
  60_000,
);

verifies(
  ['V1', 'V5'],
  'a wrong passphrase ends the command, and a script is never asked',
  async () => {
    const person = await atALockedVault();
    const wrong = await person.type(['restart', 'demo'], 'another phrase', 'a third one');
    expect(wrong.code).not.toBe(0);
    expect(wrong.shown).toContain('The passphrase does not open the vault.');
    expect(wrong.unused).toEqual(['a third one']);
    const script = await person.type(['--json', 'restart', 'demo'], PASSPHRASE);
    expect(script.code).toBe(5);
    expect(script.shown).not.toContain(QUESTION);
    expect(script.unused).toEqual([PASSPHRASE]);
    expect((await person.hub.status()).vault).toMatchObject({ locked: true });
  },
  60_000,
);
