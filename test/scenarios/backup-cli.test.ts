import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { atATerminal } from './at-a-terminal.ts';
import { answerOf, everythingCommand, newPlug } from './plug-command.ts';

const ENV = { PLUG_NO_KEYRING: '1' };
const KEY = 'sk-live-Zx81Qm20Vb77Lk35';
const PASSPHRASE = 'four quiet words here';

verifies(
  ['H5'],
  'restored on another machine: a server is called there with the secret that it had here',
  async () => {
    const here = newPlug(ENV);
    const add = ['add', 'demo', '--yes', '--env', `API_KEY=${KEY}`, '--', ...everythingCommand()];
    expect((await here(...add)).code).toBe(0);
    expect((await here('profile', 'save', 'one', '--servers', 'demo')).code).toBe(0);
    const file = join(here.cwd, 'all.json');
    const made = await answerOf(here.begin(['backup', 'all.json', '--secrets'], `${PASSPHRASE}\n`));
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('all.json holds 1 server, 1 profile');
    expect(made.stdout).toContain('sealed under your passphrase');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(KEY);
    // It may be the only one.
    const again = await here('backup', 'all.json');
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('already exists');
    await here.json('hub', 'stop');

    const there = newPlug(ENV, { rules: 'shipped' });
    const unasked = await there('restore', file);
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toContain(`plug restore ${file} --yes`);
    const wrong = await answerOf(there.begin(['restore', file, '--yes'], 'other words\n'));
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('does not open the backup');
    expect(await there.json('secrets', 'list')).toEqual({ secrets: [] });

    const restored = await answerOf(there.begin(['restore', file, '--yes'], `${PASSPHRASE}\n`));
    expect(restored.code).toBe(0);
    expect(restored.stdout).toContain('✔ demo server — ');
    expect(restored.stdout).not.toContain(KEY);
    expect((await there('call', 'demo/get-env')).stdout).toContain(KEY);
    expect(await there.json('profile', 'list')).toMatchObject({ profiles: [{ name: 'one' }] });
    // Through a pipe, with the passphrase in a variable, and as JSON for a program.
    const piped = newPlug({ ...ENV, PLUG_BACKUP_PASSPHRASE: PASSPHRASE });
    const text = (await there('backup', '-')).stdout;
    expect(JSON.parse(text)).toMatchObject({ plugboard: 'backup', version: 1 });
    const answer = await answerOf(
      piped.begin(['--json', 'restore', '-', '--yes'], readFileSync(file, 'utf8')),
    );
    expect(answer.code).toBe(0);
    expect(JSON.parse(answer.stdout)).toMatchObject({ failed: [], todo: [] });
    expect(await piped.json('secrets', 'list')).toEqual({ secrets: ['demo/API_KEY'] });
  },
  180_000,
);

test('somebody at a terminal types the passphrase twice, sees the plan, and may still say no', async () => {
  const here = await atATerminal();
  await here.hub.secrets.set({ name: 'lonely', value: KEY });
  await here.hub.profiles.save({ name: 'one' });
  const differ = await here.type(['backup', 'b.json', '--secrets'], PASSPHRASE, 'another');
  expect(differ).toMatchObject({ code: 2 });
  expect(differ.shown).toContain('The passphrases differ');
  const made = await here.type(['backup', 'b.json', '--secrets'], PASSPHRASE, PASSPHRASE);
  expect(made.code).toBe(0);
  expect(made.shown).not.toContain(PASSPHRASE);
  const file = join(here.cwd, 'b.json');

  const there = await atATerminal();
  const no = await there.type(['restore', file], PASSPHRASE, 'n');
  expect(no).toMatchObject({ code: 1, unused: [] });
  expect(no.shown).toContain('To be restored: 1 secret and 1 profile');
  expect(no.shown).toContain('Nothing was restored.');
  expect(await there.hub.profiles.list()).toEqual([]);
  // Enter alone leaves the secrets out.
  const without = await there.type(['restore', file], '', 'y');
  expect(without.code).toBe(0);
  expect(without.shown).toContain('still sealed');
  expect(await there.hub.profiles.list()).toEqual([{ name: 'one' }]);
  expect(await there.hub.secrets.list()).toEqual([]);
  const yes = await there.type(['restore', file], PASSPHRASE, 'y');
  expect(yes.code).toBe(0);
  expect(yes.shown).toContain('Here already, stays: 1 profile');
  expect(await there.hub.secrets.list()).toEqual(['lonely']);
});

test('a file that is no backup is refused with what it is', async () => {
  const { type, cwd } = await atATerminal();
  const file = join(cwd, 'x.json');
  for (const [text, why] of [
    ['{"mcpServers":{}}', 'JSON of another kind'],
    ['not json', 'isn’t JSON'],
    ['['.repeat(1_000), 'nested deeper'],
  ] as const) {
    writeFileSync(file, text);
    const { code, shown } = await type(['restore', file, '--yes']);
    expect({ code, shown }).toMatchObject({ code: 1, shown: expect.stringContaining(why) as string });
  }
  expect((await type(['restore', 'nowhere.json'])).code).toBe(2);
  expect((await type(['backup', 'no/such/folder/b.json'])).code).toBe(2);
});
