import { Command, CommanderError } from 'commander';
import { PlugError } from '../base/errors.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import { usage } from './failures.ts';
import { actionOf, type Grammar, type Run } from './grammar/words.ts';
import type { HubSession, Session } from './session.ts';

export interface ProgramOptions {
  readonly act: Run<Session>;
  readonly actOnHub: Run<HubSession>;
  readonly argv: readonly string[];
  readonly version: string;
  readonly write: (text: string) => void;
  readonly width: number;
}

/** Builds the part of the grammar that this command line needs. Loads no command's code. */
export async function buildProgram(options: ProgramOptions): Promise<Command> {
  const { version, argv, write, width } = options;
  const program = new Command('plug');
  const helpWidth = Number.isFinite(width) ? width : 100;
  program
    .description('Connects any agent to any MCP server.')
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print one JSON document')
    .option('--no-color', 'no colors (NO_COLOR does the same)')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: write,
      // Errors are thrown, translated and rendered like every other failure.
      writeErr: () => undefined,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
    })
    .exitOverride();
  const grammar: Grammar = {
    program,
    argv,
    offHub: actionOf(options.act),
    onHub: actionOf(options.actOnHub),
  };
  if ((await addNeeded(grammar)) === 'whole') {
    const [{ addExamples }, { listing }] = await Promise.all([
      import('./help/examples.ts'),
      import('./help/examples.ts'),
    ]);
    addExamples(program);
    program.configureHelp({ showGlobalOptions: true, ...listing });
  }
  return program;
}

export function usageError(error: CommanderError, argv: readonly string[]): PlugError | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help') {
    const command = argv.filter((word) => !word.startsWith('-')).join(' ');
    return usage(`plug ${command} needs a subcommand.`, `plug help ${command}`);
  }
  // A word too many and an option's value are not repeated: either may be a secret.
  const said = error.message
    .replace(/^error: /, '')
    .replace(/( but got \d+): [^]*$/, '$1')
    .replace(/^(unknown option '--?[\w-]+)=[^]*'/, "$1'");
  const [first = '', ...more] = said.split('\n');
  const hints = more.map((line) => line.replace(/^\((.*)\)$/, '$1'));
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const message = [sentence, ...hints].join(' ');
  if (error.code === 'commander.unknownOption' && commandOf(argv) === 'add' && !argv.includes('--'))
    return usage(message, 'Put -- before the command: plug add NAME -- COMMAND');
  return usage(message, nextFor(error, argv), hints.length > 0 ? { suggestions: hints } : undefined);
}

function nextFor(error: CommanderError, argv: readonly string[]): string {
  const command = commandOf(argv);
  const isUnknown = error.code === 'commander.unknownCommand';
  if (command === undefined || (isUnknown && error.message.includes(`'${command}'`))) return 'plug help';
  return `plug help ${command}`;
}

/** `plug grants lst`: a word taken for a name may have been meant as a subcommand. */
export function withNearSubcommand(failure: PlugError, program: Command, argv: readonly string[]): PlugError {
  if (!['not_found', 'usage'].includes(failure.code) || hasSuggestions(failure)) return failure;
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const command = program.commands.find((one) => one.name() === first);
  const near = suggest(second ?? '', command?.commands.map((one) => one.name()) ?? []);
  if (near.length === 0 || command?.commands.some((one) => one.name() === second)) return failure;
  const hint = didYouMean(near.map((name) => `plug ${first} ${name}`));
  const { code, message, owner, details, server } = failure;
  return new PlugError(code, `${message} ${hint}`, {
    owner,
    remedy: { do: 'type', line: `plug help ${first}` },
    details: { ...details, suggestions: near },
    ...(server === undefined ? {} : { server }),
  });
}

function hasSuggestions({ details = {} }: PlugError): boolean {
  const near = details['suggestions'] ?? details['near'];
  return Array.isArray(near) && near.length > 0;
}

function commandOf(argv: readonly string[]): string | undefined {
  return argv.find((word) => !word.startsWith('-'));
}

type Part = readonly [words: string, load: () => Promise<(grammar: Grammar) => void>];

/** In the order of `plug help`. A command that is typed needs only its own part. */
const PARTS: readonly Part[] = [
  [
    'add list ls enable disable read-only remove rm restart stop update install profile',
    async () => (await import('./grammar/servers.ts')).addServerCommands,
  ],
  [
    'search parse import setup undo connect disconnect export',
    async () => (await import('./grammar/adding.ts')).addAddingCommands,
  ],
  ['tools call resources prompts', async () => (await import('./grammar/tools.ts')).addToolCommands],
  ['chat run model', async () => (await import('./grammar/chat.ts')).addChatCommands],
  [
    'trust untrust grants approvals approve deny rules',
    async () => (await import('./grammar/permissions.ts')).addPermissionCommands,
  ],
  ['auth secrets', async () => (await import('./grammar/accounts.ts')).addAccountCommands],
  ['audit results', async () => (await import('./grammar/upkeep.ts')).addRecordCommands],
  ['doctor backup restore types', async () => (await import('./grammar/upkeep.ts')).addUpkeepCommands],
  ['gateway host', async () => (await import('./grammar/hub.ts')).addGatewayCommands],
  ['open status wait logs events hub', async () => (await import('./grammar/hub.ts')).addHubCommands],
  ['config completion', async () => (await import('./grammar/hub.ts')).addHelpCommands],
];

/** Help, completion and unknown words need the whole grammar. */
async function addNeeded(grammar: Grammar): Promise<'whole' | 'part'> {
  const { argv } = grammar;
  const word = argv.find((each) => !each.startsWith('-')) ?? '';
  const wantsHelp = argv.some((each) => HELP.has(each));
  const part = wantsHelp ? undefined : PARTS.find(([words]) => words.split(' ').includes(word));
  for (const add of await Promise.all((part ? [part] : PARTS).map(([, load]) => load()))) add(grammar);
  return part ? 'part' : 'whole';
}

const HELP: ReadonlySet<string> = new Set(['help', '-h', '--help']);
