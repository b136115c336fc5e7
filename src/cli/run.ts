import { CommanderError } from 'commander';
import { systemClock } from '../base/clock.ts';
import { toPlugError, type PlugError } from '../base/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import { openOutput, type Output } from './output.ts';
import { buildProgram, shortHelp, usageError } from './program.ts';
import { renderError } from './render/error.ts';
import { ownCommand } from './own-command.ts';
import { withHub, type HubControl, type Session } from './session.ts';
import { openTerminal, type Streams } from './terminal.ts';

/** Everything of the process that the command line may know; bin.ts gathers it. */
export interface CliOptions extends Streams {
  /** Without the program itself. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly hubs: HubControl;
}

/** Runs one command line and answers its exit code. Never throws. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  const { argv, signal } = options;
  const session = openSession(options);
  const { out } = session;
  let exitCode: ExitCode = exitCodes.ok;
  const program = buildProgram({
    argv,
    version: options.version,
    width: out.width,
    write: (text) => session.terminal.stdout.write(text),
    act: async (work) => {
      exitCode = await work(session);
    },
    actOnHub: async (work) => {
      exitCode = await withHub(session, (hub) => work(hub, session));
    },
  });
  try {
    if (argv.length === 0) for (const line of shortHelp(ownCommand(session))) out.line(line);
    else await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? usageError(error, argv) : toPlugError(error);
    if (failure === undefined) return exitCodes.ok;
    if (signal.aborted) return exitCodes.interrupted;
    reportFailure(failure, out);
    return exitCodeOf(failure.code);
  }
}

function openSession({ argv, env, cwd, signal, hubs, ...streams }: CliOptions): Session {
  const terminal = openTerminal(streams);
  // Read before parsing, so that a mistake in the command line is reported in the wanted form too.
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const out = openOutput({
    terminal,
    json: flags.includes('--json'),
    color: !flags.includes('--no-color') && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  });
  return { out, terminal, clock: systemClock, signal, cwd, env, hubs };
}

/** With --json the failure is the document; otherwise it is told on standard error. */
function reportFailure(failure: PlugError, out: Output): void {
  const view = failure.toView();
  if (out.json) out.document({ error: view });
  else renderError(view, out);
}
