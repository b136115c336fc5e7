import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { examples } from '../../src/cli/help/examples.ts';
import { renderTopic } from '../../src/cli/commands/help.ts';
import { topics } from '../../src/cli/help/topics.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { textWidth } from '../../src/cli/render/text.ts';
import { parseRules } from '../../src/policy/rules/parse.ts';
import { verifies } from '../requirements.ts';
import { newPlug } from './plug-command.ts';

const LONG_MS = 240_000;

/** The grammar alone: what would run is only noted. */
async function grammar(
  argv: readonly string[] = [],
): Promise<{ readonly program: Command; readonly runs: () => number }> {
  let runs = 0;
  const act = (): Promise<void> => {
    runs += 1;
    return Promise.resolve();
  };
  const program = await buildProgram({
    argv,
    version: '1.0.0',
    width: 80,
    write: () => undefined,
    act,
    actOnHub: act,
  });
  return { program, runs: () => runs };
}

function leaves(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  return command.commands
    .filter((child) => child.name() !== 'complete')
    .flatMap((child) => {
      const words = [...path, child.name()];
      return [[words.join(' '), child] as const, ...leaves(child, words)];
    });
}

/** The words of the part of a shell line that is ours, quotes taken off. */
function wordsOf(line: string): readonly string[] {
  const own = line.split(' | ').at(-1) ?? '';
  const words = own.replace(/ < \S+$/, '').match(/'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replaceAll("'", '')).slice(1);
}

async function parses(words: readonly string[]): Promise<boolean> {
  const { program, runs } = await grammar(words);
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch {
    return false;
  }
  return runs() === 1;
}

verifies(['U1'], 'every command of the product is there', async () => {
  const names = new Set((await grammar()).program.commands.map((command) => command.name()));
  const wanted =
    'add import search list tools call enable disable remove auth trust grants profile status doctor logs audit results export connect gateway hub chat config types run model backup restore';
  expect(wanted.split(' ').filter((name) => !names.has(name))).toEqual([]);
});

verifies(
  ['U1'],
  'each command has a description, a group and examples, and every example parses',
  async () => {
    const all = leaves((await grammar()).program);
    const known = new Set(['', ...all.map(([path]) => path)]);
    expect(Object.keys(examples).filter((path) => !known.has(path))).toEqual([]);
    for (const [path, command] of all) {
      expect(command.description(), path).toMatch(/\.$/);
      if (!path.includes(' ')) expect(command.helpGroup(), path).toMatch(/:$/);
      const help = command.helpInformation();
      expect(help, path).toContain(`Usage: plug ${path}`);
      const own = examples[path] ?? [];
      if (own.length === 0) expect(helpOf(command), path).toContain('Examples:');
      for (const line of own) expect(await parses(wordsOf(line)), `${path}: ${line}`).toBe(true);
    }
  },
);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (more) => (text += more) });
  command.outputHelp();
  return text;
}

verifies(['U1'], 'plug help fits 80 columns, one line for each command', async () => {
  const { program } = await grammar();
  const lines = helpOf(program).split('\n');
  for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(80);
  for (const command of program.commands.filter((one) => one.name() !== 'complete')) {
    expect(
      lines.filter((line) => line.startsWith(`  ${command.name()} `)),
      command.name(),
    ).toHaveLength(1);
  }
});

test('a command is known without the rest of the grammar, also by its short name', async () => {
  const whole = (await grammar()).program.commands;
  const words = whole.flatMap((command) =>
    ['help', 'complete'].includes(command.name()) ? [] : [command.name(), ...command.aliases()],
  );
  for (const word of words) {
    const { commands } = (await grammar([word])).program;
    expect(commands.length, word).toBeLessThan(whole.length);
    expect(
      commands.some((command) => command.name() === word || command.aliases().includes(word)),
      word,
    ).toBe(true);
  }
});

test('the same thing has the same words everywhere', async () => {
  const all = leaves((await grammar()).program);
  for (const [path, command] of all) {
    for (const { long, short } of command.options) {
      if (long === '--yes') expect(short, path).toBe('-y');
      if (long === '--follow' && path !== 'import') expect(short, path).toBe('-f');
      if (long === '--output') expect(short, path).toBe('-o');
      if (long === '--lines' || long === '--limit') expect(short, path).toBe('-n');
    }
  }
});

verifies(
  ['U1'],
  'the pages of plug help are true: every command in them parses, and they fit 80 columns',
  async () => {
    const names = new Set(leaves((await grammar()).program).map(([path]) => path));
    for (const [name, page] of Object.entries(topics)) {
      const topic = await page.load();
      for (const pieces of renderTopic(topic, 80)) {
        const line = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
        expect(textWidth(line), `${name}: ${line}`).toBeLessThanOrEqual(80);
      }
      const said = [...topic.text.matchAll(/\bplug ([a-z-]+)((?: [a-z-]+)?)/g)];
      for (const [whole, command = '', more = ''] of said) {
        if (command === 'import' || names.has(command)) {
          const sub = more.trim();
          if (command === 'help' && sub !== '')
            expect(names.has(sub) || sub in topics, `${name}: ${whole}`).toBe(true);
          continue;
        }
        throw new Error(`${name} speaks of “${whole}”, which is no command.`);
      }
      for (const line of topic.text.split('\n').filter((one) => /^ {2}plug /.test(one))) {
        const [typed = ''] = line.trim().split(/ {2,}|, plug /);
        const words = wordsOf(typed.replace(/ > \S+$/, ''));
        expect(await parses(words), `${name}: ${typed}`).toBe(true);
      }
    }
  },
);

test('the rule in the page about rules is a rule', async () => {
  const { text } = await (topics['rules']?.load() ?? Promise.reject(new Error('no page')));
  const [json = ''] = /\{ "rules"[^]*?\n {2}\] \}/.exec(text) ?? [];
  expect(await parseRules(json)).toMatchObject({ kind: 'ok', rules: { all: [{ name: 'no deletes' }] } });
});

/** These need what an empty home has not, never end, or belong to somebody else's terminal. */
const NOT_RUN = new Set(['gateway', 'chat', 'complete', 'hub start', 'hub restart', 'config edit']);

/** How the others end on an empty home, called with names of nothing; every command else succeeds. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  failed: ['parse'],
  usage: [
    'add',
    'restart',
    'stop',
    'profile save',
    'search',
    'run',
    'model add',
    'rules default',
    'secrets',
    'secrets set',
    'secrets unlock',
    'backup',
    'restore',
    'host add',
    'logs',
    'hub',
    'config get',
    'config set',
  ],
  serverNotAvailable: ['model use', 'model remove', 'model test'],
  notFound: [
    'enable',
    'disable',
    'remove',
    'profile show',
    'profile remove',
    'connect',
    'disconnect',
    'export',
    'tools enable',
    'tools disable',
    'tools approve',
    'tools risk',
    'tools confirm',
    'call',
    'untrust',
    'grants add',
    'grants revoke',
    'approve',
    'deny',
    'auth logout',
    'auth default',
    'secrets rm',
    'audit on',
    'audit off',
    'host revoke',
    'install',
  ],
};

function endOf(path: string): string {
  return Object.entries(ENDS).find(([, paths]) => paths.includes(path))?.[0] ?? 'ok';
}

verifies(
  ['U1'],
  'on an empty home every command answers --json with one document and its own exit code',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1', PLUG_REGISTRIES: '{"official":false,"smithery":false}' });
    for (const [path, command] of leaves((await grammar()).program)) {
      if (NOT_RUN.has(path)) continue;
      const needed = command.registeredArguments.filter(({ required }) => required);
      const words = needed.map((one) => one.argChoices?.[0] ?? 'nothing/here');
      const options = command.options.filter(({ mandatory }) => mandatory && !path.includes('connect'));
      const flags = path === 'export' ? ['--to', 'cursor'] : [];
      expect(options.length, path).toBeLessThanOrEqual(1);
      const { code, stdout } = await plug(...path.split(' '), ...words, ...flags, '--json');
      const end = Object.entries(exitCodes).find(([, value]) => value === code)?.[0];
      expect({ path, end, stdout }).toEqual({ path, end: endOf(path), stdout });
      expect(() => JSON.parse(stdout) as unknown, `${path}: ${stdout}`).not.toThrow();
      const document: unknown = JSON.parse(stdout);
      expect(document, path).toBeTypeOf('object');
      // plug parse answers what it found also when that is nothing.
      if (code !== 0 && path !== 'parse') expect(document, path).toHaveProperty('error');
    }
  },
  LONG_MS,
);

test('a word that is near a command, an option, a subcommand or a topic is answered with it', async () => {
  const plug = newPlug();
  await plug.json('profile', 'save', 'triage', '--read-only');
  const near: readonly (readonly [readonly string[], string, number])[] = [
    [['lsit'], 'list', exitCodes.usage],
    [['list', '--jsno'], '--json', exitCodes.usage],
    [['hub', 'strat'], 'start', exitCodes.usage],
    [['grants', 'lst'], 'plug grants list', exitCodes.notFound],
    [['help', 'exit-code'], 'exit-codes', exitCodes.usage],
    [['help', 'grants', 'ad'], 'add', exitCodes.usage],
    [['config', 'get', 'call.wrote'], 'call.write', exitCodes.usage],
    [['tools', '--profile', 'triaeg'], 'triage', exitCodes.notFound],
    [['profile', 'remove', 'triaeg'], 'triage', exitCodes.notFound],
  ];
  for (const [words, meant, wanted] of near) {
    const { code, stderr } = await plug(...words);
    expect({ words, code, stderr }).toMatchObject({ stderr: expect.stringContaining('Did you mean') });
    expect(stderr).toContain(meant);
    expect({ words, code }).toEqual({ words, code: wanted });
  }
});
