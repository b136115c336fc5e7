import { CommanderError } from 'commander';
import { systemClock } from '../base/clock.ts';
import { toPlugError, type PlugError } from '../base/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import { openOutput, type Output } from './output.ts';
import { buildProgram, usageError, withNearSubcommand } from './program.ts';
import { withHub, type HubControl, type Session } from './session.ts';
import { openTerminal, type Streams } from './terminal.ts';

/** Everything of the process that the command line may know; bin.ts gathers it. */
export interface CliOptions extends Streams {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly hubs: HubControl;
}

/** Runs one command line and answers its exit code. Never throws. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  const { argv } = options;
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const session = openSession({
    ...options,
    signal,
    interrupt: () => left.abort(new Error('interrupted at a question')),
  });
  const { out } = session;
  let exitCode: ExitCode = exitCodes.ok;
  const program = await buildProgram({
    argv,
    version: options.version,
    width: out.width,
    write: (text) => session.terminal.stdout.write(text),
    act: async (work) => {
      exitCode = (await work(session)) ?? exitCodes.ok;
    },
    actOnHub: async (work) => {
      exitCode = (await withHub(session, work)) ?? exitCodes.ok;
    },
  });
  try {
    if (argv.every((word) => word === '--json' || word === '--no-color'))
      return (await (await import('./first-run/begin.ts')).begin(session)) ?? exitCodes.ok;
    await program.parseAsync([...argv], { from: 'user' });
    return left.signal.aborted ? exitCodes.interrupted : exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? usageError(error, argv) : toPlugError(error);
    if (failure === undefined) return exitCodes.ok;
    if (signal.aborted) return exitCodes.interrupted;
    await reportFailure(withNearSubcommand(failure, program, argv), out);
    return exitCodeOf(failure.code);
  } finally {
    out.end();
  }
}

function openSession({ argv, env, cwd, signal, hubs, ...streams }: CliOptions): Session {
  const terminal = openTerminal({ ...streams, columns: env['COLUMNS'], aside: (work) => out.aside(work) });
  // Read before parsing, so that a mistake in the command line is reported in the wanted form too.
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const dumb = env['TERM'] === 'dumb';
  const out: Output = openOutput({
    terminal,
    json: flags.includes('--json'),
    color: colorOf(flags, env),
    dumb,
    clock: systemClock,
  });
  signal.addEventListener('abort', () => out.end(), { once: true });
  return { out, terminal, clock: systemClock, signal, cwd, env, hubs };
}

/** FORCE_COLOR is for pipes into something that shows colors. */
function colorOf(flags: readonly string[], env: CliOptions['env']): boolean | 'forced' {
  if (flags.includes('--no-color') || env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force === '0' || force === 'false' ? false : 'forced';
  return env['TERM'] !== 'dumb';
}

async function reportFailure(failure: PlugError, out: Output): Promise<void> {
  const view = failure.toView();
  if (out.json) out.document({ error: view });
  else (await import('./render/error.ts')).renderError(view, out);
}
