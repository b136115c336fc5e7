import { PlugError } from '../base/errors.ts';
import type { Endpoint } from '../servers/definition.ts';
import { negotiate, priorEra, rememberVerdict } from './negotiate.ts';
import type { OpenArguments, OpenedSession, OpenerOptions } from './open-session.ts';
import { childEnvironment } from './processes/environment.ts';
import { findCommand } from './processes/find-command.ts';
import { printable } from './processes/printable.ts';
import { StdioTransport } from './processes/stdio-transport.ts';
import { startProcess } from './processes/supervise.ts';
import type { ServerProcess } from './processes/server-process.ts';
import type { Session } from './session.ts';
import { startFolder } from './working-folder.ts';

type LocalEndpoint = Extract<Endpoint, { kind: 'stdio' }>;

export interface LocalOptions {
  /** The hub's own environment; children get an allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The PATH on which commands are looked for: the hub's and the login shell's. */
  readonly searchPath: () => Promise<string>;
  /** Keeps (pid, start time) so that a crashed hub's children can be found. */
  readonly onProcess: (process: ServerProcess, server: string) => Promise<void>;
  readonly onProcessEnd: (process: ServerProcess) => void;
  /** Takes known secrets out of a text; a secret that is cut first is not recognised any more. */
  /** Lines without secrets, as many as were given. */
  readonly hideSecrets?: HideLines;
}

/** Starts a local server and agrees with it on an era. */
export async function openLocal(
  endpoint: LocalEndpoint,
  args: OpenArguments,
  options: OpenerOptions,
): Promise<OpenedSession> {
  const { clock, limits } = options;
  const verdict = await args.verdict();
  const prior = priorEra(verdict, clock, limits) ?? guessAfter(args.failures);
  const launch = await prepare(endpoint, args, options);
  let attempt = await start(launch, args, options);
  let session: Session;
  try {
    session = await attempt.negotiate(prior);
  } catch (error) {
    // Some old servers end at the first question that is not `initialize`: once more, without it.
    if (prior === 'legacy' || args.failures > 0 || !attempt.exited() || args.signal.aborted) throw error;
    attempt = await start(launch, args, options);
    session = await attempt.negotiate('legacy');
  }
  attempt.markReady();
  await rememberVerdict(session, verdict, args, clock);
  return { session, endError: () => attempt.endError(), close: () => session.close() };
}

/**
 * A server that keeps ending is not worth two processes at each start: then the two ways to
 * begin take turns.
 */
function guessAfter(failures: number): 'legacy' | undefined {
  return failures > 0 && failures % 2 === 0 ? 'legacy' : undefined;
}

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function prepare(
  endpoint: LocalEndpoint,
  args: OpenArguments,
  options: OpenerOptions,
): Promise<Launch> {
  const { definition, folder } = args.server;
  const path = await options.searchPath();
  const cwd = startFolder(endpoint.cwd, args.cwd, folder);
  const { platform, home } = options;
  const allowDangerousEnv = definition.allowDangerousEnv ?? [];
  const env = childEnvironment({
    hubEnv: options.env,
    declared: endpoint.env,
    path,
    platform,
    allowDangerousEnv,
  });
  const pathExt = env['PATHEXT'];
  const command = await findCommand({
    command: endpoint.command,
    cwd,
    path: env['PATH'] ?? path,
    home,
    platform,
    pathExt,
  });
  return { command, args: endpoint.args, cwd, env };
}

interface Attempt {
  negotiate(prior: 'legacy' | 'modern' | undefined): Promise<Session>;
  exited(): boolean;
  markReady(): void;
  endError(): PlugError;
}

async function start(launch: Launch, args: OpenArguments, options: OpenerOptions): Promise<Attempt> {
  const { clock, ids, limits } = options;
  const { id } = args.server.definition;
  args.onAttempt();
  const server = await startProcess({ ...launch, clock, ids, limits });
  const transport = new StdioTransport({ server, clock, limits });
  const { hideSecrets = (lines) => lines } = options;
  // A secret may stand over several lines, begin before those that are shown, or where one is cut.
  const shown = (lines: readonly string[], count: number): readonly string[] =>
    hideSecrets(lines)
      .slice(-count)
      .map((line) => printable(line, limits.shownLineCharsMax));
  const shownStderr = (count: number): readonly string[] =>
    count > 0 ? shown(server.stderr.lines(count + limits.redactedLinesBefore), count) : [];
  args.onOutput({
    pid: server.pid,
    marker: server.marker,
    stderr: shownStderr,
    noise: () => ({
      count: transport.noise.count,
      lines: shown(transport.noise.lines, limits.noiseLinesKept),
    }),
  });
  void server.exit.then(() => options.onProcessEnd(server));
  try {
    await options.onProcess(server, args.server.key);
  } catch (error) {
    await transport.close(); // a process that nobody knows of must not run
    throw error;
  }
  let ready = false;
  const endError = (): PlugError =>
    exitError(id, transport, { ready, stderr: shownStderr(limits.stderrLinesShown) });
  return {
    negotiate: (prior) => negotiate({ args, transport, kind: 'stdio', prior, endError, clock, limits }),
    exited: () => transport.exit !== undefined,
    markReady: () => {
      ready = true;
    },
    endError,
  };
}

type HideLines = (lines: readonly string[]) => readonly string[];

interface ExitErrorOptions {
  readonly ready: boolean;
  readonly stderr: readonly string[];
}

/** Says how the process ended and what it said last: the cause that “connection closed” hides. */
function exitError(
  server: string,
  transport: StdioTransport,
  { ready, stderr }: ExitErrorOptions,
): PlugError {
  const { exit, noise } = transport;
  const how =
    exit?.signal != null
      ? `was ended by ${exit.signal}`
      : exit?.code != null
        ? `ended with exit code ${exit.code}`
        : 'closed its output';
  const last = lastWords(stderr);
  const said = last === undefined ? '' : ` Its last words: ${last.trim().slice(0, LAST_WORDS_CHARS_MAX)}`;
  return new PlugError(
    ready ? 'crashed' : 'start_failed',
    `${server} ${how}${ready ? '' : ' while starting'}.${said}`,
    {
      owner: 'server',
      server,
      remedy: { do: 'show-logs', server },
      details: {
        ...(exit?.code != null ? { exitCode: exit.code } : {}),
        ...(exit?.signal != null ? { exitSignal: exit.signal } : {}),
        stderr,
        ...(noise.count > 0 ? { noise: noise.count } : {}),
      },
    },
  );
}

/** What a runtime puts below the error, such as its version, says nothing about it. */
function lastWords(stderr: readonly string[]): string | undefined {
  const last = stderr.findLast((line) => line.trim() !== '');
  if (last === undefined || !TRAILER.test(last)) return last;
  return stderr.findLast((line) => ERROR.test(line)) ?? last;
}

const TRAILER = /^Node\.js v\d|^npm (?:error|ERR!) A complete log of this run/;
const ERROR = /\b[A-Z]?\w*Error: \S/;

const LAST_WORDS_CHARS_MAX = 300;
