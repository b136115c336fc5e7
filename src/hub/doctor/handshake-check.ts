import type { DoctorRow } from '../hub.ts';
import { knownCause } from './known-causes.ts';
import type { Patient } from './patient.ts';
import { beyondFailure, failedAt, neverStarted } from './recorded.ts';
import { count, fail, lastLines, pass, warn } from './rows.ts';

/** Whether it speaks MCP: which era, and whether anything else is on its output. */
export function lookAtHandshake(patient: Patient): Promise<readonly DoctorRow[]> {
  return Promise.resolve(rowsOf(patient));
}

function rowsOf(patient: Patient): readonly DoctorRow[] {
  const { state, manifest } = patient;
  if (state.kind === 'failed' && failedAt(patient) === 'handshake') return [failed(patient, state.reason)];
  if (state.kind === 'needs-sign-in') return [pass('handshake', 'It answers, but only to who is signed in.')];
  const beyond = beyondFailure(patient, 'handshake');
  if (beyond) return [beyond];
  if (!manifest) return [neverStarted(patient, 'handshake')];
  const { count: noisy, lines } = noiseOf(patient);
  const spoke = `MCP ${manifest.protocolVersion} (${manifest.era} era)`;
  if (noisy > 0) {
    const says = `It speaks ${spoke}, but wrote ${count(noisy, 'line')} to its output that are no messages.`;
    const next = 'Report it to who wrote the server: stdout is for messages, logs belong on stderr.';
    return [
      warn('handshake', says, { cause: 'protocol_error', owner: 'server', next, details: lastLines(lines) }),
    ];
  }
  if (state.kind === 'degraded') {
    return [warn('handshake', state.reason, { cause: 'unavailable', owner: 'server', next: state.next })];
  }
  return [pass('handshake', `It speaks ${spoke}.`)];
}

function failed(patient: Patient, reason: string): DoctorRow {
  const { state, id, visit, pooled } = patient;
  const output = visit.core.pool.output(pooled.key);
  const lines = output?.stderr(visit.core.limits.stderrLinesShown) ?? [];
  const noise = noiseOf(patient);
  const timedOut = state.kind === 'failed' && state.cause === 'timeout';
  const cause = timedOut ? ('start_timeout' as const) : ('protocol_error' as const);
  const local = pooled.definition.endpoint.kind === 'stdio';
  const details = [
    ...lastLines(noise.lines).map((line) => `stdout: ${line}`),
    ...lastLines(lines).map((line) => (local ? `stderr: ${line}` : line)),
  ];
  if (local && [...noise.lines, ...lines].some((line) => LISTENS.test(line))) {
    const says = 'It listens on a port instead of speaking over its input and output: it is a remote server.';
    const next = `Add it by its address: plug add ${id} URL`;
    return fail('handshake', says, { cause, owner: 'you', next, details });
  }
  const found = local ? knownCause(lines, pooled.definition) : undefined;
  if (found)
    return fail('handshake', `${reason} ${found.says}`, {
      cause,
      owner: found.owner,
      next: found.next,
      details,
    });
  if (noise.count > 0) {
    const says = `${reason} It wrote ${count(noise.count, 'line')} to its output that are no messages: perhaps it is no MCP server, or needs another argument.`;
    return fail('handshake', says, { cause, owner: 'server', next: `plug logs ${id}`, details });
  }
  const next = local
    ? `plug logs ${id}`
    : 'Look at the path of its address: most servers are at /mcp, old ones at /sse.';
  return fail('handshake', reason, { cause, owner: 'server', next, details });
}

/** What servers say that wait for HTTP requests. */
const LISTENS =
  /(?:listening|running|started|serving|available)\b.{0,30}\b(?:https?:\/\/\S+|port:? ?\d{2,5})/i;

function noiseOf({ visit, pooled }: Patient): { readonly count: number; readonly lines: readonly string[] } {
  return visit.core.pool.output(pooled.key)?.noise() ?? { count: 0, lines: [] };
}
