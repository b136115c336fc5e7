import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { formsOf } from './leaky-server.ts';
import {
  answerOf,
  descendantsOf,
  everythingCommand,
  newPlug,
  type Answer,
  type Plug,
} from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const ENV = { PLUG_NO_KEYRING: '1' };
const SECRET = 'a-key-behind-a-phrase-41';

/** Gives one line on standard input. */
function give(plug: Plug, line: string, ...argv: readonly string[]): Promise<Answer> {
  return answerOf(plug.begin(argv, `${line}\n`));
}

function newPassphrase(): string {
  return `several words/+ ${randomBytes(9).toString('hex')} =Zz`;
}

/** A vault with one secret, and a server that is given it. */
async function openWorld(): Promise<Plug> {
  const plug = newPlug(ENV, { hub: 'process' });
  expect((await give(plug, SECRET, 'secrets', 'set', 'demo/API_KEY')).code).toBe(0);
  const add = ['add', 'demo', '--yes', '--no-test', '--env', 'API_KEY=${vault:demo/API_KEY}'];
  expect((await plug(...add, '--', ...everythingCommand())).code).toBe(0);
  return plug;
}

async function environment(plug: Plug): Promise<Answer> {
  return plug('call', 'demo/get-env');
}

/** Whatever the hub keeps, and the command lines of it and of all below it. */
async function whatIsLeft(plug: Plug): Promise<string> {
  const { pid } = (await plug.json('hub', 'status')) as { pid: number };
  const lines = [pid, ...descendantsOf(pid)].map((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8'));
  const environments = readFileSync(`/proc/${pid}/environ`, 'utf8');
  const files = readdirSync(`${plug.home}/plug`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  return [...lines, environments, ...files].join('\n');
}

function expectAbsent(text: string, passphrase: string): void {
  const heard = Object.entries(formsOf(passphrase)).filter(([, form]) => text.includes(form));
  expect(heard.map(([name]) => name)).toEqual([]);
}

verifies(
  ['V1', 'V5', 'V6'],
  'a passphrase locks the vault at every start of the hub; only it opens the vault, and nothing is lost meanwhile',
  async () => {
    const plug = await openWorld();
    const passphrase = newPassphrase();
    const said: string[] = [];
    const hear = (answer: Answer): Answer => {
      said.push(answer.stdout, answer.stderr);
      return answer;
    };

    const moved = hear(await give(plug, passphrase, 'secrets', 'rotate', '--to', 'passphrase'));
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    expect(moved.stdout).toContain('records were re-encrypted.');
    expect(moved.stdout).toContain('plug secrets unlock');
    expect(readdirSync(`${plug.home}/plug/vault`)).toEqual([]);
    // The hub that was told it goes on.
    expect((await environment(plug)).stdout).toContain(SECRET);
    expect(await plug.json('hub', 'status')).toMatchObject({
      vault: { source: 'passphrase', locked: false },
    });
    expect(hear(await plug('hub', 'status')).stdout).toContain('vault   unlocked until the hub stops');

    const restarted = hear(await plug('hub', 'restart'));
    expect(restarted.stderr).toContain('The vault is locked: plug secrets unlock');
    expect(await plug.json('hub', 'status')).toMatchObject({ vault: { source: 'passphrase', locked: true } });
    const status = hear(await plug('hub', 'status'));
    expect(status.stdout).toContain('vault   locked with a passphrase');
    for (const locked of [
      await environment(plug),
      await give(plug, 'another', 'secrets', 'set', 'demo/OTHER'),
      await plug('secrets', 'rotate'),
      await plug('secrets', 'rotate', '--to', 'file'),
    ]) {
      expect(hear(locked).code).toBe(5);
      expect(locked.stderr).toContain('locked with a passphrase');
      expect(locked.stderr).toMatch(/next +plug secrets unlock/);
    }
    const failed = await plug('--json', 'secrets', 'rotate');
    expect(JSON.parse(failed.stdout)).toMatchObject({
      error: { code: 'missing_input', owner: 'you', next: 'plug secrets unlock' },
    });
    // A try to move the key leaves no key behind; names need none.
    expect(readdirSync(`${plug.home}/plug/vault`)).toEqual([]);
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demo/API_KEY'] });
    expect((await plug('list')).stdout).toMatch(/demo +needs the vault's passphrase .*→ plug secrets unlock/);

    const wrong = hear(await give(plug, `${passphrase}!`, 'secrets', 'unlock'));
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain(
      'The passphrase does not open the vault. Nothing in the vault was changed.',
    );
    expect(wrong.stderr).toMatch(/next +plug secrets unlock/);
    expect(await plug.json('hub', 'status')).toMatchObject({ vault: { locked: true } });

    const unlocked = hear(await give(plug, passphrase, 'secrets', 'unlock'));
    expect([unlocked.code, unlocked.stdout]).toEqual([0, '✔ The vault is unlocked until the hub stops.\n']);
    expect((await environment(plug)).stdout).toContain(SECRET);
    expect((await give(plug, 'another', 'secrets', 'set', 'demo/OTHER')).code).toBe(0);

    expectAbsent(`${said.join('\n')}\n${await whatIsLeft(plug)}`, passphrase);
    for (const text of [said.join('\n'), await whatIsLeft(plug)])
      expect(text).not.toContain(`${passphrase}!`);
  },
  120_000,
);

verifies(
  ['V1', 'V6'],
  'the key moves on from one passphrase to another, and away to a file; an old passphrase opens nothing',
  async () => {
    const plug = await openWorld();
    const [first, second] = [newPassphrase(), newPassphrase()];
    for (const passphrase of [first, second]) {
      expect((await give(plug, passphrase, 'secrets', 'rotate', '--to', 'passphrase')).code).toBe(0);
    }
    await plug('hub', 'restart');
    expect((await give(plug, first, 'secrets', 'unlock')).code).toBe(1);
    expect((await give(plug, second, 'secrets', 'unlock')).code).toBe(0);
    expect(await plug.json('secrets', 'rotate', '--to', 'file')).toEqual({ resealed: 2, to: 'file' });
    await plug('hub', 'restart');
    expect((await environment(plug)).stdout).toContain(SECRET);
    expect(await plug.json('hub', 'status')).toMatchObject({ vault: { source: 'file' } });
    const none = await give(plug, second, 'secrets', 'unlock');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('not locked with a passphrase')]);
    const absent = await plug('secrets', 'rotate', '--to', 'environment');
    expect([absent.code, absent.stderr]).toEqual([5, expect.stringContaining('PLUG_MASTER_KEY is not set')]);
    expect((await environment(plug)).stdout).toContain(SECRET);
  },
  120_000,
);

verifies(
  ['V1', 'V5'],
  'at a terminal the passphrase is typed twice, unseen, and a command that needs the vault asks for it right there',
  async () => {
    const plug = await openWorld();
    const passphrase = newPassphrase();
    const move = ['secrets', 'rotate', '--to', 'passphrase'];
    const differ = startInTerminal(plug, move);
    await differ.says(/New passphrase of the vault \(hidden as you type\): /);
    differ.type(`${passphrase}\n`);
    await differ.says(/Repeat it: /);
    differ.type('something else entirely\n');
    const refused = await differ.answer;
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('The passphrases differ')]);
    expect(await plug.json('hub', 'status')).toMatchObject({ vault: { source: 'file' } });

    const typing = startInTerminal(plug, move);
    await typing.says(/New passphrase of the vault/);
    typing.type(`${passphrase}\n`);
    await typing.says(/Repeat it: /);
    typing.type(`${passphrase}\n`);
    const moved = await typing.answer;
    expect(moved.code).toBe(0);

    await plug('hub', 'restart');
    const setting = startInTerminal(plug, ['secrets', 'set', 'demo/OTHER']);
    await setting.says(/Passphrase of the vault \(hidden as you type\): /);
    setting.type(`${passphrase}\n`);
    await setting.says(/demo\/OTHER \(hidden as you type\): /);
    setting.type('another key\n');
    const set = await setting.answer;
    expect(set.stdout).toContain('demo/OTHER is saved in the vault.');
    expect(await plug.json('secrets', 'list')).toEqual({ secrets: ['demo/API_KEY', 'demo/OTHER'] });
    for (const { stdout } of [refused, moved, set]) expectAbsent(stdout, passphrase);
  },
  120_000,
);

verifies(
  ['V5'],
  'a passphrase that is too short, empty or typed as an argument is refused, and nothing changes',
  async () => {
    const plug = await openWorld();
    const short = await give(plug, 'short', 'secrets', 'rotate', '--to', 'passphrase');
    expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('too short')]);
    const empty = await give(plug, '', 'secrets', 'rotate', '--to', 'passphrase');
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('No passphrase was given')]);
    const argument = await plug('secrets', 'unlock', 'typed by mistake');
    expect(argument.code).toBe(2);
    expect(argument.stdout + argument.stderr).not.toContain('typed by mistake');
    expect(await plug.json('hub', 'status')).toMatchObject({ vault: { source: 'file', keys: 1 } });
    expect((await environment(plug)).stdout).toContain(SECRET);
  },
  60_000,
);
