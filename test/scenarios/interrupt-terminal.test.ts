import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { filesUnder } from '../files.ts';
import { root } from '../pages.ts';
import { startScriptedModel } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { published } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { answerOf, fixtureCommand, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';
import { versionedPackage } from './versioned-package.ts';

const LONG_MS = 120_000;
const CTRL_C = '\u0003';

/** One question: the command that asks it, what is typed before it, and how it reads. */
interface Asked {
  readonly argv: readonly string[];
  readonly before?: readonly (readonly [question: RegExp, typed: string])[];
  readonly question: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

/** Ctrl-C at the question, in a terminal of its own. */
async function interrupt(plug: Plug, { argv, before = [], question, env }: Asked): Promise<string> {
  const typing = startInTerminal(plug, argv, { NO_COLOR: '1', ...env });
  for (const [asked, typed] of before) {
    await typing.says(asked);
    typing.type(typed);
  }
  const seen = await typing.says(question);
  typing.type(CTRL_C);
  const { code, stdout } = await typing.answer;
  expect({ argv, code, stdout }).toMatchObject({ code: 130 });
  // It is the person's wish, and no failure that is explained to them.
  expect(stdout.slice(stdout.lastIndexOf(seen) + seen.length)).not.toMatch(/owner|✖|internal/);
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

verifies(
  ['U7', 'S9', 'S20'],
  'Ctrl-C at a yes or no, at a choice or at a broken file ends with 130 and leaves everything as it was',
  async () => {
    const home = temporaryFolder();
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { home, hub: 'process' });
    const model = await startScriptedModel({ models: ['one', 'two'] });
    onTestFinished(() => model.close());
    const [command = '', ...args] = fixtureCommand('dual');
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { found: { command, args } } }));
    expect((await plug('add', 'plain', '--yes', '--', command, ...args)).code).toBe(0);
    expect((await plug('model', 'add', 'mine', 'compatible', 'one', '--url', model.url)).code).toBe(0);
    await answerOf(plug.begin(['secrets', 'set', 'plain/key'], 'a-key-that-works-1234\n'));
    expect((await plug('backup', 'plain.json')).code).toBe(0);
    const broken = JSON.stringify({ mcpServers: { mended: { command, args } } }).replace('":', '"');
    writeFileSync(join(plug.cwd, 'broken.json'), broken);
    const before = await whatIsKept(plug, home, plug.cwd);
    const yesOrNo = /\? \[(?:y\/N|Y\/n)\] /;
    const asked: readonly (readonly string[])[] = [
      ['undo'],
      ['undo', '--clear'],
      ['secrets', 'remove', 'plain/key'],
      ['model', 'remove', 'mine'],
      ['model', 'add', 'mine', 'compatible', 'two', '--url', `${model.url}/other`],
      ['connect', 'claude-code'],
      ['setup'],
      ['restore', 'plain.json', '--replace'],
      ['tools', 'approve', 'plain/echo'],
      ['add', './broken.json'],
    ];
    for (const argv of asked) await interrupt(plug, { argv, question: yesOrNo });
    await interrupt(plug, {
      argv: ['config', 'edit', 'mcp'],
      env: { EDITOR: 'sh -c \'echo broken > "$1"\' editor' },
      question: /Edit it again\? \[Y\/n\] /,
    });
    expect(await whatIsKept(plug, home, plug.cwd)).toEqual(before);
  },
  LONG_MS,
);

verifies(
  ['U7', 'S21'],
  'Ctrl-C at an update, at the ways to run a server or at a search with several answers changes nothing',
  async () => {
    const { bin } = versionedPackage(temporaryFolder(), '2.0.0');
    const plug = newPlug(
      {
        PLUG_NO_KEYRING: '1',
        PLUG_REGISTRIES: '{"official":false,"smithery":false}',
        PATH: `${bin}:${process.env['PATH']}`,
        SHELL: '/bin/false',
      },
      { hub: 'process' },
    );
    expect((await plug('add', 'acme', '--yes', '--', 'npx', '-y', '@acme/tool@1.0.0')).code).toBe(0);
    const ways = ['npx -y @acme/tool', 'docker run -i --rm acme/tool'].map((way) => {
      const [command = '', ...args] = way.split(' ');
      return ['```json', JSON.stringify({ mcpServers: { tool: { command, args } } }), '```'].join('\n');
    });
    writeFileSync(join(plug.cwd, 'ways.md'), ways.join('\n\nor\n\n'));
    const before = await whatIsKept(plug, plug.cwd);
    await interrupt(plug, { argv: ['update', 'acme'], question: /Update acme to 2\.0\.0\? \[y\/N\] / });
    await interrupt(plug, { argv: ['add', './ways.md'], question: /Which one\?/ });
    await interrupt(plug, { argv: ['add', 'google'], question: /Which one\?/ });
    expect(await whatIsKept(plug, plug.cwd)).toEqual(before);
  },
  LONG_MS,
);

/**
 * How many questions each file asks, by any of the means to ask, and so how many are interrupted: here, or
 * in a chat by `chat-interrupts.test.ts`.
 */
const QUESTIONS = {
  'ask-approval.ts': 5,
  'ask-field.ts': 4,
  'chat/conversation.ts': 1,
  'chat/questions.ts': 3,
  'chat/repl.ts': 1,
  'chat/server-questions.ts': 5,
  'chat/setup-talk.ts': 3,
  'choose.ts': 2,
  'commands/add-anything.ts': 5,
  'commands/auth.ts': 3,
  'commands/backup.ts': 4,
  'commands/config.ts': 1,
  'commands/connect.ts': 1,
  'commands/fill-needs.ts': 1,
  'commands/import.ts': 2,
  'commands/model-add.ts': 4,
  'commands/model-place.ts': 4,
  'commands/model.ts': 1,
  'commands/secrets.ts': 6,
  'commands/servers.ts': 1,
  'commands/setup.ts': 1,
  'commands/tools-settings.ts': 2,
  'commands/trust.ts': 1,
  'commands/undo.ts': 2,
  'commands/update.ts': 1,
  'first-run/begin.ts': 2,
  'session.ts': 4,
};

verifies(['U7'], 'a question that is added to the command line is interrupted by a test, too', () => {
  const asks =
    /(?<!function )\b(?:terminal\s*\.(?:ask|askKey|askHidden)|terminal\[field\.secret[^(]*|await tick|askYesNo|confirm|mustConfirm|pickOne|askField|askApproval|unlockIfLocked)\(/g;
  const counts = filesUnder('src/cli')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [
      file.slice('src/cli/'.length),
      readFileSync(join(root, file), 'utf8').match(asks)?.length ?? 0,
    ])
    .filter(([, count]) => count !== 0);
  expect(Object.fromEntries(counts)).toEqual(QUESTIONS);
});
