import type { Command } from 'commander';
import { defined } from '../../base/defined.ts';
import type { PlugError } from '../../base/errors.ts';
import { unknownWord } from '../failures.ts';
import { examples } from '../help/examples.ts';
import { topics, type Topic } from '../help/topics.ts';
import { cliLimits } from '../limits.ts';
import { pieceText, strong, type Piece } from '../output.ts';
import { wrapped } from '../render/prose.ts';
import type { Session } from '../session.ts';

export async function help(
  { program, words }: { readonly program: Command; readonly words: readonly string[] },
  session: Session,
): Promise<void> {
  const { out } = session;
  if (words.length === 0) {
    const list = Object.entries(topics).map(([name, { says }]) => ({ name, says }));
    if (!out.document({ commands: commandsOf(program), topics: list })) showAll(program, session);
    return;
  }
  const [first = ''] = words;
  const command = find(program, words);
  const page = words.length === 1 && Object.hasOwn(topics, first) ? topics[first] : undefined;
  if (!command && !page) throw unknown(program, words);
  const topic = page && (await page.load());
  const about = {
    command: command && describe(command),
    topic: topic && { name: first, title: topic.title, text: topic.text.trim() },
  };
  if (out.document(defined(about))) return;
  if (command) command.outputHelp();
  if (command && topic) out.line('');
  if (topic) await show(renderTopic(topic, out.width), command === undefined, session);
}

function showAll(program: Command, { out }: Session): void {
  program.outputHelp();
  out.line('');
  out.line('Topics:');
  const width = Math.max(...Object.keys(topics).map((name) => name.length));
  for (const [name, { says }] of Object.entries(topics)) out.line(`  ${name.padEnd(width)}  ${says}`);
  out.line('');
  out.line('For details: plug help COMMAND, or plug help TOPIC');
}

async function show(lines: readonly (readonly Piece[])[], alone: boolean, session: Session): Promise<void> {
  const { out, env, terminal } = session;
  const pager = env['PAGER']?.trim();
  if (alone && pager && terminal.stdout.isTerminal && terminal.interactive) {
    const { pageThrough } = await import('../../daemon/at-terminal.ts');
    const text = lines.map((pieces) => pieces.map(pieceText).join('')).join('\n');
    if (await pageThrough(`${text}\n`, { pager, env, cwd: session.cwd })) return;
  }
  for (const pieces of lines) out.line(...pieces);
}

function find(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((one) => one.name() === word || one.aliases().includes(word)),
    program,
  );
}

function unknown(program: Command, words: readonly string[]): PlugError {
  const [first = ''] = words;
  const parent = words.length > 1 ? find(program, [first]) : undefined;
  const commands = (parent ?? program).commands.map((one) => one.name());
  const word = (parent ? words.at(-1) : first) ?? '';
  const shown = `“${word.slice(0, 60)}”`;
  return unknownWord(parent ? `plug ${first} has no ${shown}.` : `There is no help on ${shown}.`, {
    code: 'usage',
    word,
    known: parent ? commands : [...commands, ...Object.keys(topics)],
    remedy: { do: 'type', line: parent ? `plug help ${first}` : 'plug help' },
  });
}

interface CommandView {
  readonly name: string;
  readonly group: string;
  readonly description: string;
  readonly usage: string;
  readonly options: readonly { readonly flags: string; readonly description: string }[];
  readonly examples: readonly string[];
  readonly commands: readonly CommandView[];
}

function commandsOf(command: Command): readonly CommandView[] {
  return command.commands.filter((one) => !isHidden(one)).map(describe);
}

function describe(command: Command): CommandView {
  const path = pathOf(command);
  return {
    name: path,
    group: command.helpGroup().replace(/:$/, ''),
    description: command.description(),
    usage: `plug ${path} ${command.usage()}`,
    options: command.options.map(({ flags, description }) => ({ flags, description })),
    examples: examples[path] ?? [],
    commands: commandsOf(command),
  };
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

function isHidden(command: Command): boolean {
  return !command
    .createHelp()
    .visibleCommands(command.parent ?? command)
    .includes(command);
}

export function renderTopic({ title, text }: Topic, width: number): readonly (readonly Piece[])[] {
  const room = Math.max(cliLimits.widthMin, Math.min(width, cliLimits.proseWidthMax));
  return [
    [strong(title)],
    [],
    ...text
      .replace(/^\n+|\n+$/g, '')
      .split('\n')
      .flatMap((line) => linesOf(line, room)),
  ];
}

function linesOf(line: string, width: number): readonly (readonly Piece[])[] {
  if (line.startsWith('  ')) return [[line]];
  if (/^[A-Z][A-Z ]+$/.test(line)) return [[strong(line)]];
  return wrapped(line, width).map((one) => [one]);
}
