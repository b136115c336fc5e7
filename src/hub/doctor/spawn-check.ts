import type { ErrorCode } from '../../base/errors.ts';
import type { ServerState } from '../../connections/state.ts';
import type { DoctorRow, ServerLog } from '../hub.ts';
import { editServer } from '../../connections/causes/edit-server.ts';
import { tellingEnd, tellingLine } from '../../connections/causes/last-output.ts';
import { causeContext, knownCause, type KnownCause } from '../../connections/causes/known-causes.ts';
import { portHolder } from '../../connections/processes/port-holder.ts';
import type { Remedy } from '../../base/remedy.ts';
import type { CheckedServer } from './checked-server.ts';
import { beyondFailure, failedAt, neverStarted } from './recorded.ts';
import { count, doctorLimits, fail, lastLines, pass, PROTOCOL_ERROR, type Rows, skip, warn } from './rows.ts';

type Failed = Extract<ServerState, { kind: 'failed' }>;

/** Whether its process started. One that exited by itself is explained by its stderr, a step later. */
export async function lookAtSpawn(checked: CheckedServer): Promise<Rows> {
  const { state, id, examination, pooled } = checked;
  const beyond = beyondFailure(checked, 'spawn');
  if (beyond) return beyond;
  if (state.kind === 'failed' && failedAt(checked) === 'spawn') return ended(checked, state);
  const pid = examination.core.pool.output(pooled.key)?.pid;
  if (state.kind === 'ready' || state.kind === 'degraded')
    return pass('spawn', `Running, pid ${pid ?? 'unknown'}.`);
  if (state.kind === 'starting') return pass('spawn', 'Starting.');
  if (state.kind === 'failed') return pass('spawn', 'It starts.');
  const last = await lastFailure(checked);
  if (last === undefined) return pass('spawn', 'Not running. It starts on first use.');
  return warn('spawn', `Its last start failed and wasn't repeated: ${last}`, {
    cause: 'start_failed',
    owner: 'server',
    remedy: { do: 'check', server: id, live: true },
  });
}

/** Its last output before it exited, with the cause if it is a known one. */
export async function lookAtStderr(checked: CheckedServer): Promise<Rows> {
  const { state, id, examination, pooled } = checked;
  const beyond = beyondFailure(checked, 'stderr');
  const output = examination.core.pool.output(pooled.key);
  const known = state.kind === 'failed' ? state.stderr : undefined;
  const lines = known ?? output?.stderr(examination.core.limits.stderrLinesShown) ?? [];
  if (state.kind === 'failed' && failedAt(checked) === 'spawn') {
    const found = knownCause(lines, causeContext(pooled.definition));
    const last = tellingLine(lines);
    const told = last === undefined ? '' : ` Last output: ${last.trim()}`;
    if (found?.remedy.do === 'choose-port') return await portTaken(found, found.remedy, lines);
    return fail('stderr', found?.says ?? `It ${howItEnded(state)}.${told}`, {
      cause: found?.cause ?? codeOf(state),
      owner: found?.owner ?? 'server',
      remedy: found?.remedy ?? { do: 'show-logs', server: id },
      details: lastLines(tellingEnd(lines, doctorLimits.linesShown)),
    });
  }
  if (beyond) return beyond;
  if (output === undefined) return skip('stderr', 'No output since the hub started.');
  return pass('stderr', lines.length === 0 ? 'It has no log output.' : 'No errors in its output.');
}

async function portTaken(
  { says, cause, owner }: KnownCause,
  remedy: Extract<Remedy, { do: 'choose-port' }>,
  lines: readonly string[],
): Promise<DoctorRow> {
  const { server, port } = remedy;
  const more = { cause, owner, details: lastLines(tellingEnd(lines, doctorLimits.linesShown)) };
  const found = await portHolder(port);
  if (found.kind === 'free') {
    const now = `The port ${port} it needs was in use, and is free now.`;
    return fail('stderr', now, { ...more, remedy: { do: 'restart', server } });
  }
  const holder = found.kind === 'process' ? `${found.name} (pid ${found.pid})` : 'the program that uses it';
  const by = found.kind === 'process' ? `The port ${port} it needs is used by ${holder}.` : says;
  return fail('stderr', by, { ...more, remedy: { ...remedy, holder } });
}

function ended({ id }: CheckedServer, state: Failed): DoctorRow {
  const lines = state.stderr ?? [];
  const cannotRun = state.exitCode === 126 || state.exitCode === 127;
  const spoke = lines.some((line) => line.trim() !== '');
  // A process that spoke before it ended explains itself in the next step.
  if (spoke && !cannotRun && state.exitSignal === undefined && state.exitCode !== undefined) {
    return pass('spawn', `It started, and ${howItEnded(state)}.`);
  }
  return fail('spawn', cannotRun ? CANNOT_RUN : state.reason, {
    cause: cannotRun ? 'missing_command' : codeOf(state),
    owner: cannotRun ? 'you' : 'server',
    remedy: cannotRun
      ? 'Check the first line of the file and its type: file, ls -l.'
      : (state.remedy ?? { do: 'show-logs', server: id }),
    details: lastLines(lines),
  });
}

const CANNOT_RUN =
  'Its file can’t be run: it isn’t a program for this machine, or the interpreter in its first line doesn’t exist.';

function howItEnded({ exitCode, exitSignal }: Failed): string {
  if (exitSignal !== undefined) return `was ended by ${exitSignal}`;
  return exitCode === undefined ? 'ended' : `ended with exit code ${exitCode}`;
}

function codeOf({ cause, code }: Failed): ErrorCode {
  return code ?? (cause === 'refused' ? 'unavailable' : 'start_failed');
}

async function lastFailure({ examination: { core }, pooled }: CheckedServer): Promise<string | undefined> {
  const [last] = await core.storage.connections.listEvents(core.owner, { server: pooled.key, limit: 1 });
  return last?.kind === 'ERROR' ? last.reason : undefined;
}

/** Whether it speaks MCP, which era, and whether anything else is on its stdout. */
export function lookAtHandshake(checked: CheckedServer): Rows {
  const { state, manifest } = checked;
  if (state.kind === 'failed' && failedAt(checked) === 'handshake') return failed(checked, state.reason);
  if (state.kind === 'needs-sign-in') return pass('handshake', 'It answers. Sign in to use it.');
  const beyond = beyondFailure(checked, 'handshake');
  if (beyond) return beyond;
  if (state.kind === 'starting' && state.remedy)
    return fail('handshake', state.reason, { ...NEEDED, remedy: state.remedy });
  if (!manifest) return neverStarted(checked, 'handshake');
  const { count: noisy, lines } = noiseOf(checked);
  const spoke = `MCP ${manifest.protocolVersion} (${manifest.era} era)`;
  if (noisy > 0) {
    const says = `It speaks ${spoke}, but wrote ${count(noisy, 'line')} to its output that ${noisy === 1 ? "isn't an MCP message" : "aren't MCP messages"}.`;
    const remedy = 'Report it to the author of the server: logs belong on stderr.';
    return warn('handshake', says, { ...PROTOCOL_ERROR, remedy, details: lastLines(lines) });
  }
  if (state.kind === 'degraded') {
    return warn('handshake', state.reason, { cause: 'unavailable', owner: 'server', remedy: state.remedy });
  }
  return pass('handshake', `It speaks ${spoke}.`);
}

function failed(checked: CheckedServer, reason: string): DoctorRow {
  const { state, id, examination, pooled } = checked;
  const output = examination.core.pool.output(pooled.key);
  const lines = output?.stderr(examination.core.limits.stderrLinesShown) ?? [];
  const noise = noiseOf(checked);
  const { code: cause = 'protocol_error', owner = 'server' } = state.kind === 'failed' ? state : {};
  const local = pooled.definition.endpoint.kind === 'stdio';
  const details = [
    ...lastLines(noise.lines).map((line) => `stdout: ${line}`),
    ...lastLines(lines).map((line) => (local ? `stderr: ${line}` : line)),
  ];
  if (local && [...noise.lines, ...lines].some((line) => LISTENS.test(line))) {
    const says = 'It listens on a port instead of using stdin and stdout: it is a remote server.';
    const remedy = 'Add it by its URL instead.';
    return fail('handshake', says, { cause, owner: 'you', remedy, details });
  }
  const found = local ? knownCause(lines, causeContext(pooled.definition)) : undefined;
  if (found) {
    const { says, ...more } = found;
    return fail('handshake', `${reason} ${says}`, { ...more, details });
  }
  if (noise.count > 0) {
    const says = `${reason} It wrote ${count(noise.count, 'line')} to stdout that aren’t MCP messages. It may not be an MCP server, or may need another argument.`;
    const remedy = { do: 'show-logs', server: id } as const;
    return fail('handshake', says, { cause, owner, remedy, details });
  }
  return fail('handshake', reason, { cause, owner, remedy: state.remedy, details });
}

/** Output of servers that wait for HTTP requests. */
const LISTENS =
  /(?:listening|running|started|serving|available)\b.{0,30}\b(?:https?:\/\/\S+|port:? ?\d{2,5})/i;

function noiseOf({ examination, pooled }: CheckedServer): ServerLog['noise'] {
  return examination.core.pool.output(pooled.key)?.noise() ?? { count: 0, lines: [] };
}

/** Whether the server lets us in: a rejected key is not a missing sign-in. */
export async function lookAtAuth(checked: CheckedServer): Promise<Rows> {
  const { state, id, examination, pooled, manifest } = checked;
  const { core } = examination;
  const account = await core.accounts.find(core.owner, id);
  const name = account?.displayName ?? account?.account;
  const key = causeContext(pooled.definition).keyHeader;
  if (state.kind === 'needs-sign-in') {
    if (key !== undefined) {
      const more = { ...NEEDED, remedy: state.remedy, details: [state.reason] };
      return fail('auth', `It rejected the key in ${key}: check your key.`, more);
    }
    if (account === undefined && (await wantsKey(checked))) {
      const { file } = pooled.definition.source;
      const remedy = editServer({ server: id, file }, 'headers.Authorization');
      return fail('auth', 'It needs an API key. It offers no sign-in.', { ...NEEDED, remedy });
    }
    const says = account ? `The sign-in of ${name} has ended, or was refused: ${state.reason}` : state.reason;
    return fail('auth', says, { ...NEEDED, remedy: state.remedy ?? { do: 'sign-in', server: id } });
  }
  const beyond = beyondFailure(checked, 'auth');
  if (beyond) return beyond;
  if (account) return pass('auth', `Signed in as ${name}.`);
  if (key !== undefined) return pass('auth', `It is given a key in ${key}.`);
  if (pooled.definition.auth === 'oauth' && !manifest) {
    const remedy = { do: 'sign-in', server: id } as const;
    return warn('auth', 'It needs a sign-in.', { ...NEEDED, remedy });
  }
  return pass('auth', manifest ? 'Access granted.' : 'No sign-in needed.');
}

/** Asked only with `live`: whether it lets people sign in is published at its address. */
async function wantsKey({ examination, pooled: { definition } }: CheckedServer): Promise<boolean> {
  const { endpoint, auth } = definition;
  const { live, core, signal } = examination;
  if (!live || auth === 'oauth' || endpoint.kind === 'stdio' || endpoint.kind === 'ws') return false;
  if (endpoint.url.includes('${')) return false;
  const { access, outgoing } = await core.planParts();
  const found = await access(endpoint.url, { fetch: outgoing.open, ...(signal ? { signal } : {}) });
  return found.kind === 'key';
}

const NEEDED = { cause: 'sign_in_needed', owner: 'you' } as const;
