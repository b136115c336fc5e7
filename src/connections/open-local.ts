import type { Cancel } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { PlugError } from '../base/errors.ts';
import type { Endpoint } from '../servers/definition.ts';
import type { NeededInput } from '../servers/plans/needs.ts';
import { tellingEnd, tellingLine } from './causes/last-output.ts';
import { signInAddress } from './causes/sign-in-address.ts';
import { neededInputs } from './causes/needed-inputs.ts';
import { serverFailure } from './failures.ts';
import { negotiate, priorEra, rememberVerdict } from './negotiate.ts';
import type { OpenArguments, OpenedSession, OpenerOptions, ResolvedArguments } from './open-session.ts';
import { childEnvironment, withNpmPatience } from './processes/environment.ts';
import { findCommand } from './processes/find-command.ts';
import { printable } from './processes/printable.ts';
import { StdioTransport } from './processes/stdio-transport.ts';
import { startProcess } from './processes/supervise.ts';
import type { ProcessOptions, ServerProcess } from './processes/server-process.ts';
import type { Session } from './session.ts';
import { startFolder } from './working-folder.ts';

type LocalEndpoint = Extract<Endpoint, { kind: 'stdio' }>;

export interface LocalOptions {
  /** Of the hub; children get an allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The hub's PATH and the login shell's. */
  readonly searchPath: () => Promise<string>;
  /** Stores pid and start time, so that a crashed hub's children can be found. */
  readonly onProcess: (process: ServerProcess, server: string) => Promise<void>;
  readonly onProcessEnd: (process: ServerProcess) => void;
  /** Answers as many lines, without secrets; a secret that is cut first is not recognized any more. */
  readonly hideSecrets?: (lines: readonly string[]) => readonly string[];
}

export async function openLocal(
  endpoint: LocalEndpoint,
  args: ResolvedArguments,
  options: OpenerOptions,
): Promise<OpenedSession> {
  const verdict = await args.verdict();
  // A server that keeps ending is not worth two processes at each start: the two ways to begin take turns.
  const guess = args.failures > 0 && args.failures % 2 === 0 ? 'legacy' : undefined;
  const prior = args.era ?? priorEra(verdict, options) ?? guess;
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
  await rememberVerdict(session, verdict, args, options.clock);
  return { session, endError: () => attempt.endError(), close: () => session.close() };
}

type Launch = Pick<ProcessOptions, 'command' | 'args' | 'cwd' | 'env'>;

async function prepare(
  endpoint: LocalEndpoint,
  { server: { definition, folder }, cwd: hostFolder }: OpenArguments,
  { searchPath, platform, home, env: hubEnv }: OpenerOptions,
): Promise<Launch> {
  const searched = await searchPath();
  const cwd = startFolder(endpoint.cwd, hostFolder, folder);
  const { allowDangerousEnv = [] } = definition;
  const env = childEnvironment({
    hubEnv,
    declared: endpoint.env,
    path: searched,
    platform,
    allowDangerousEnv,
  });
  const { PATH: path = searched, PATHEXT: pathExt } = env;
  const command = await findCommand({ command: endpoint.command, cwd, path, home, platform, pathExt });
  return { command, args: endpoint.args, cwd, env: withNpmPatience(endpoint.command, env) };
}

interface Attempt {
  negotiate(prior: 'legacy' | 'modern' | undefined): Promise<Session>;
  exited(): boolean;
  markReady(): void;
  endError(): PlugError;
}

async function start(launch: Launch, args: ResolvedArguments, options: OpenerOptions): Promise<Attempt> {
  const { clock, ids, limits } = options;
  const { onWritten } = args;
  const { id } = args.server.definition;
  args.onAttempt();
  const server = await startProcess({ ...launch, clock, ids, limits });
  const transport = new StdioTransport({ server, clock, limits, onNoise: onWritten });
  const { hideSecrets = (lines) => lines } = options;
  // Hidden before the cut: a secret may span lines, or begin before the first one shown.
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
    noise: () => {
      const { count, lines } = transport.noise;
      return { count, lines: shown(lines, limits.noiseLinesKept) };
    },
  });
  if (onWritten) server.stderr.listen(onWritten);
  void server.exit.then(() => options.onProcessEnd(server));
  try {
    await options.onProcess(server, args.server.key);
  } catch (error) {
    await transport.close(); // a process without a record must not run
    throw error;
  }
  let ready = false;
  const endError = (): PlugError => {
    // Some print a page of usage below the sentence that says what they need.
    const read = shownStderr(limits.stderrLinesRead);
    const needs = ready ? [] : neededInputs(read, Object.keys(launch.env ?? {}));
    return exitError(id, transport, { ready, needs, stderr: tellingEnd(read, limits.stderrLinesShown) });
  };
  return {
    negotiate: async (prior) => {
      const account = args.keyAccount;
      const stopLooking = lookForSignIn(
        () => hideSecrets(server.stderr.lines(limits.stderrLinesRead)),
        args,
        options,
      );
      try {
        return await negotiate({ args, transport, kind: 'stdio', account, prior, endError, clock, limits });
      } finally {
        stopLooking();
      }
    },
    exited: () => transport.exit !== undefined,
    markReady: () => {
      ready = true;
    },
    endError,
  };
}

/** Told once it has stood there for two looks: before, its line may be unfinished, or the server not wait. */
function lookForSignIn(
  lines: () => readonly string[],
  { onSignIn }: Pick<ResolvedArguments, 'onSignIn'>,
  { clock, limits }: Pick<OpenerOptions, 'clock' | 'limits'>,
): Cancel {
  let seen: string | undefined;
  let told: string | undefined;
  return clock.every(limits.signInLookMs, () => {
    const found = signInAddress(lines());
    if (found !== undefined && found === seen && found !== told) {
      told = found;
      onSignIn(found);
    }
    seen = found;
  });
}

/** Says how the process ended and its last output: the cause that “connection closed” hides. */
function exitError(
  server: string,
  { exit, noise }: StdioTransport,
  {
    ready,
    needs,
    stderr,
  }: {
    readonly ready: boolean;
    readonly needs: readonly NeededInput[];
    readonly stderr: readonly string[];
  },
): PlugError {
  const exitCode = exit?.code ?? undefined;
  const exitSignal = exit?.signal ?? undefined;
  const byItself = exitCode === undefined ? 'closed its output' : `ended with exit code ${exitCode}`;
  const how = exitSignal === undefined ? byItself : `was ended by ${exitSignal}`;
  const last = tellingLine(stderr);
  const said = last === undefined ? '' : ` Last output: ${last.trim().slice(0, LAST_LINE_CHARS_MAX)}`;
  const message = `${server} ${how}${ready ? '' : ' while starting'}.${said}`;
  const details = {
    exitCode,
    exitSignal,
    stderr,
    noise: noise.count > 0 ? noise.count : undefined,
    needs: needs.length > 0 ? needs : undefined,
  };
  return serverFailure(ready ? 'crashed' : 'start_failed', server, message, {
    remedy: { do: 'show-logs', server },
    details: defined(details),
  });
}

const LAST_LINE_CHARS_MAX = 300;
