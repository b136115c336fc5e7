import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { filesUnder } from '../files.ts';
import { root } from '../pages.ts';
import { startScriptedModel } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { published } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { fixtureCommand, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const LONG_MS = 120_000;
const CTRL_C = '\u0003';

/** One question: the command that asks it, what is typed before it, and how it reads. */
interface Asked {
  readonly argv: readonly string[];
  readonly before?: readonly (readonly [question: RegExp, typed: string])[];
  readonly question: RegExp;
}

/** Ctrl-C at the question, in a terminal of its own. */
async function interrupt(plug: Plug, { argv, before = [], question }: Asked): Promise<string> {
  const typing = startInTerminal(plug, argv, { NO_COLOR: '1' });
  for (const [asked, typed] of before) {
    await typing.says(asked);
    typing.type(typed);
  }
  await typing.says(question);
  typing.type(CTRL_C);
  const { code, stdout } = await typing.answer;
  expect({ argv, code, stdout }).toMatchObject({ code: 130 });
  // It is the person's wish, and no failure that is explained to them.
  expect(stdout).not.toMatch(/owner|✖|internal/);
  return stdout;
}

/** Everything that a person decided, and every file of theirs. */
async function whatIsKept(plug: Plug, ...folders: readonly string[]): Promise<unknown> {
  const lists = ['list', 'secrets list', 'grants list', 'approvals', 'model list', 'profile list'];
  const decided: Record<string, unknown> = {};
  for (const line of lists) decided[line] = await plug.json(...line.split(' '));
  const hub = await plug.json('hub', 'status');
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.startsWith(`${plug.home}/plug/`))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );
  return { decided: withoutMoments(decided), vault: hub['vault'], files };
}

/** When something was last seen, and how much memory it takes, is no decision. */
function withoutMoments(decided: Readonly<Record<string, unknown>>): unknown {
  const { servers } = decided['list'] as { readonly servers: readonly Record<string, unknown>[] };
  return {
    ...decided,
    list: servers.map(({ id, enabled, trusted, target }) => ({ id, enabled, trusted, target })),
  };
}

verifies(
  ['U7', 'P5'],
  'Ctrl-C at an approval ends with 130: no file is written, nothing waits, and the card leaves no grant',
  async () => {
    const folder = temporaryFolder();
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', rules: 'shipped' });
    const { command, args } = published('filesystem', folder);
    expect((await plug('add', 'files', '--yes', '--', command, ...args)).code).toBe(0);
    const before = await whatIsKept(plug, folder, plug.cwd);
    const call = ['call', 'files/write_file', `path=${join(folder, 'note.txt')}`, 'content=never'];
    const card = /Allow it\? \[y[^\]]*\] /;
    await interrupt(plug, { argv: call, question: card });
    await interrupt(plug, { argv: call, before: [[card, 'e']], question: /Arguments: .*never/ });
    await interrupt(plug, { argv: call, before: [[card, 'a']], question: /Which arguments[^\n]*: / });
    await interrupt(plug, { argv: ['trust', 'files'], question: /Trust files\? \[y\/N\] / });
    await interrupt(plug, { argv: ['tools', '--review', 'files'], question: /\[[^\]]+\] $/ });
    await interrupt(plug, { argv: ['remove', 'files'], question: /Remove .*\[y\/N\] / });
    expect(await whatIsKept(plug, folder, plug.cwd)).toEqual(before);
  },
  LONG_MS,
);

verifies(
  ['U7', 'S14'],
  'Ctrl-C at the plan, at a choice or at the key of a server that is being added saves nothing',
  async () => {
    const plug = newPlug(
      { PLUG_NO_KEYRING: '1', PLUG_REGISTRIES: '{"official":false,"smithery":false}' },
      { hub: 'process' },
    );
    const [command = '', ...args] = fixtureCommand('dual');
    const entry = { command, args };
    const keyed = { command, args, env: { NOTES_API_KEY: '<your key>' } };
    const write = (name: string, mcpServers: object): string => {
      writeFileSync(join(plug.cwd, name), JSON.stringify({ mcpServers }));
      return `./${name}`;
    };
    const [one, two, key] = [
      write('one.json', { alone: entry }),
      write('two.json', { first: entry, second: { ...entry, args: [...args, '--more'] } }),
      write('key.json', { notes: keyed }),
    ];
    const before = await whatIsKept(plug, plug.cwd);
    await interrupt(plug, {
      argv: ['add', 'plain', '--', command, ...args],
      question: /Add plain\? \[[^\]]+\] /,
    });
    await interrupt(plug, { argv: ['add', one], question: /Add alone\? \[[^\]]+\] / });
    await interrupt(plug, { argv: ['add', two], question: /2 of 2 chosen/ });
    const agreed = [[/Add notes\? \[[^\]]+\] /, 'y\r']] as const;
    const keyAsked = /Notes API key \([^\n]*\): $/;
    await interrupt(plug, { argv: ['add', key], before: agreed, question: keyAsked });
    const elsewhere = [...agreed, [keyAsked, '?\r']] as const;
    const kept = /Where is Notes API key kept\? \[[^\]]+\] /;
    await interrupt(plug, { argv: ['add', key], before: elsewhere, question: kept });
    const inFile = [...elsewhere, [kept, '1\r']] as const;
    await interrupt(plug, { argv: ['add', key], before: inFile, question: /Path of the file: / });
    const plain = { command, args, env: { NOTES_REGION: '<your region>' } };
    const region = /Notes region[^\n]*: /i;
    const asksPlain = ['add', write('plain.json', { notes: plain })];
    const yes = [[/Add notes\? \[[^\]]+\] /, 'y\r']] as const;
    await interrupt(plug, { argv: asksPlain, before: yes, question: region });
    rmSync(join(plug.cwd, 'plain.json'));
    expect(await whatIsKept(plug, plug.cwd)).toEqual(before);
  },
  LONG_MS,
);

verifies(
  ['U7', 'V1'],
  'Ctrl-C at a key or at a passphrase ends with 130: the vault and its key are as before',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
    const model = await startScriptedModel({ models: ['one', 'two'] });
    onTestFinished(() => model.close());
    const before = await whatIsKept(plug, plug.cwd);
    const hidden = /\(hidden[^)]*\): $/;
    await interrupt(plug, { argv: ['secrets', 'set', 'notes/key'], question: hidden });
    const rotate = ['secrets', 'rotate', '--to', 'passphrase'];
    await interrupt(plug, { argv: rotate, question: hidden });
    const twice = [[hidden, 'a long enough passphrase\r']] as const;
    await interrupt(plug, { argv: rotate, before: twice, question: /Repeat it: $/ });
    await interrupt(plug, { argv: ['backup', 'all.json', '--secrets'], question: /[Pp]assphrase[^\n]*: $/ });
    const add = ['model', 'add', 'mine', 'compatible', '--url', model.url];
    await interrupt(plug, { argv: [...add, '--key'], question: hidden });
    await interrupt(plug, { argv: add, question: /Which model/ });
    await interrupt(plug, { argv: ['model', 'add'], question: /\[1–\d+, Enter for / });
    expect(await whatIsKept(plug, plug.cwd)).toEqual(before);
  },
  LONG_MS,
);

verifies(
  ['U7', 'S11'],
  'Ctrl-C at the choice of an import, or at the offer of a first run, imports nothing and is no “no”',
  async () => {
    const home = temporaryFolder();
    const [command = '', ...args] = fixtureCommand('dual');
    const entry = (word: string): object => ({ command, args: [...args, word] });
    writeFileSync(
      join(home, '.claude.json'),
      JSON.stringify({ mcpServers: { 'first-server': entry('1'), 'second-server': entry('2') } }),
    );
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', home });
    // The first run first: it asks only where nothing is set up, and must ask again afterwards.
    for (const offer of [1, 2]) {
      expect(offer).toBeLessThan(3);
      await interrupt(plug, { argv: [], question: /Import them\? \[Y\/pick\/n\] / });
    }
    const before = await whatIsKept(plug, home, plug.cwd);
    const choice = /pick, or none\? \[a\/p\/N\] /;
    await interrupt(plug, { argv: ['import'], question: choice });
    await interrupt(plug, { argv: ['import'], before: [[choice, 'p\r']], question: /of 2 chosen/ });
    expect(await whatIsKept(plug, home, plug.cwd)).toEqual(before);
    expect((await plug.json('list'))['servers']).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['U7', 'V1', 'H5'],
  'Ctrl-C at the key of an account, at a client secret, at a locked vault or at a backup changes nothing',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    const [command = '', ...args] = fixtureCommand('dual');
    const entry = { command, args, env: { NOTES_API_KEY: 'a-key-that-works-1234' } };
    writeFileSync(join(plug.cwd, 'notes.json'), JSON.stringify({ mcpServers: { notes: entry } }));
    expect((await plug('add', './notes.json', '--yes')).code).toBe(0);
    const address = ['add', 'site', 'http://127.0.0.1:9/mcp', '--no-test', '--yes'];
    expect((await plug(...address)).code).toBe(0);
    const passphrase = 'a long enough passphrase\r';
    const backup = startInTerminal(plug, ['backup', 'all.json', '--secrets'], { NO_COLOR: '1' });
    for (const asked of [/Passphrase[^\n]*: $/, /Repeat it: $/]) {
      await backup.says(asked);
      backup.type(passphrase);
    }
    expect((await backup.answer).code).toBe(0);
    const before = await whatIsKept(plug, plug.cwd);
    const hidden = /\([^)]*hidden[^)]*\)[^\n]*: $/;
    await interrupt(plug, { argv: ['auth', 'notes', '--account', 'work'], question: hidden });
    const client = ['auth', 'site', '--client-id', 'mine', '--client-secret'];
    await interrupt(plug, { argv: client, question: hidden });
    await interrupt(plug, { argv: ['restore', 'all.json', '--replace'], question: /: $|\[y\/N\] $/ });
    expect(await whatIsKept(plug, plug.cwd)).toEqual(before);

    const rotate = startInTerminal(plug, ['secrets', 'rotate', '--to', 'passphrase'], { NO_COLOR: '1' });
    for (const asked of [hidden, /Repeat it: $/]) {
      await rotate.says(asked);
      rotate.type(passphrase);
    }
    expect((await rotate.answer).code).toBe(0);
    expect((await plug('hub', 'stop')).code).toBe(0);
    await interrupt(plug, { argv: ['secrets', 'unlock'], question: hidden });
    await interrupt(plug, { argv: ['secrets', 'set', 'notes/other'], question: hidden });
    expect(await plug.json('hub', 'status')).toMatchObject({ vault: { locked: true } });
  },
  LONG_MS,
);

/** The files that ask, and where Ctrl-C at their questions is tried. Chat has a test of its own: `chat-turns.test.ts`. */
const ASKING = {
  'ask-approval.ts': 'here',
  'ask-field.ts': 'here',
  'chat/questions.ts': 'chat',
  'chat/repl.ts': 'chat',
  'chat/server-questions.ts': 'chat',
  'chat/setup-talk.ts': 'chat',
  'choose.ts': 'here',
  'commands/auth.ts': 'here',
  'commands/backup.ts': 'here',
  'commands/import.ts': 'here',
  'commands/model-add.ts': 'here',
  'commands/model-place.ts': 'here',
  'commands/secrets.ts': 'here',
  'commands/tools-settings.ts': 'here',
  'first-run/begin.ts': 'here',
  'session.ts': 'here',
};

verifies(
  ['U7'],
  'every file of the command line that asks a question is among those that are interrupted',
  () => {
    const asks = /\bterminal\s*\.(?:ask|askKey|askHidden)\(|terminal\[field\.secret/;
    const files = filesUnder('src/cli')
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => asks.test(readFileSync(join(root, file), 'utf8')))
      .map((file) => file.slice('src/cli/'.length));
    expect(files.toSorted()).toEqual(Object.keys(ASKING).toSorted());
  },
);
