import { Command, CommanderError } from 'commander';
import { PlugError } from '../base/errors.ts';
import { firstSteps } from './first-steps.ts';
import { addAccountCommands } from './grammar/accounts.ts';
import { addAddingCommands } from './grammar/adding.ts';
import { addDecidingCommands } from './grammar/deciding.ts';
import { addGatewayCommands } from './grammar/gateway.ts';
import { addHubCommands } from './grammar/hub.ts';
import { addRecordCommands } from './grammar/records.ts';
import { addServerCommands } from './grammar/servers.ts';
import { addToolCommands } from './grammar/tools.ts';
import { groups, type Grammar } from './grammar/words.ts';

export interface ProgramOptions extends Omit<Grammar, 'program'> {
  readonly version: string;
  readonly write: (text: string) => void;
  /** Columns of the terminal; help is wrapped to it. */
  readonly width: number;
}

/** The whole grammar of `plug`. Building it loads no command's code. */
export function buildProgram({ version, argv, write, width, act, actOnHub }: ProgramOptions): Command {
  const program = new Command('plug');
  const helpWidth = Number.isFinite(width) ? width : 100;
  program
    .description('Connects any agent to any MCP server.')
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print one JSON document')
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: write,
      // Errors are thrown, translated and rendered like every other failure.
      writeErr: () => undefined,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
    })
    .exitOverride()
    .addHelpText('after', `\nExamples:\n${EXAMPLES.map((line) => `  ${line}`).join('\n')}`);
  const grammar: Grammar = { program, argv, act, actOnHub };
  addServerCommands(grammar);
  addAddingCommands(grammar);
  addToolCommands(grammar);
  addDecidingCommands(grammar);
  addAccountCommands(grammar);
  addRecordCommands(grammar);
  addGatewayCommands(grammar);
  addHubCommands(grammar);
  const help = new Command('help').argument('[command]').description('Help for a command.');
  program.addHelpCommand(help.helpGroup(groups.hub));
  return program;
}

const EXAMPLES = [
  'plug add everything -- npx -y @modelcontextprotocol/server-everything stdio',
  'plug tools everything',
  'plug call everything/echo message=hello',
  'plug list --json',
];

/** What plain `plug` says; `plug` is what runs this program here. */
export function shortHelp(plug: string): readonly string[] {
  return [
    'Plugboard connects any agent to any MCP server.',
    '',
    ...firstSteps(plug),
    '',
    `${plug} list shows your servers, ${plug} status how they fare, ${plug} help every command.`,
  ];
}

/** A mistake in the command line as a failure of ours; undefined when it was a request for help. */
export function usageError(error: CommanderError, argv: readonly string[]): PlugError | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help') {
    const command = argv.filter((word) => !word.startsWith('-')).join(' ');
    return usage(`plug ${command} needs a subcommand.`, `plug help ${command}`);
  }
  // A word too many is not repeated: it may be a secret that was typed at the wrong place.
  const said = error.message.replace(/^error: /, '').replace(/( but got \d+): [^]*$/, '$1');
  const [first = '', ...more] = said.split('\n');
  const hints = more.map((line) => line.replace(/^\((.*)\)$/, '$1'));
  const message = [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`, ...hints].join(
    ' ',
  );
  if (error.code === 'commander.unknownOption' && commandOf(argv) === 'add' && !argv.includes('--')) {
    return usage(message, 'Put -- before the command: plug add NAME -- COMMAND');
  }
  return usage(message, nextFor(error, argv));
}

function nextFor(error: CommanderError, argv: readonly string[]): string {
  if (error.code === 'commander.unknownCommand') return 'plug help';
  const command = commandOf(argv);
  return command === undefined ? 'plug help' : `plug help ${command}`;
}

function commandOf(argv: readonly string[]): string | undefined {
  return argv.find((word) => !word.startsWith('-'));
}

function usage(message: string, next: string): PlugError {
  return new PlugError('usage', message, { owner: 'you', next });
}
