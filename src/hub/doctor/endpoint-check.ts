import type { DoctorRow } from '../hub.ts';
import { findPlaceholders } from '../../servers/placeholders.ts';
import { problemOfUrl } from '../../servers/server-url.ts';
import { doctorLimits } from './limits.ts';
import type { Patient } from './patient.ts';
import { failedAt, recordedAt } from './recorded.ts';
import { fail, pass } from './rows.ts';
import { accepts, isLoopback } from './reach.ts';

/** Whether the address is one, and whether something listens there. */
export async function lookAtEndpoint(patient: Patient): Promise<readonly DoctorRow[]> {
  const resolved = await patient.resolved();
  if (resolved.kind !== 'ok' || resolved.endpoint.kind === 'stdio') return [];
  const { url } = resolved.endpoint;
  const { state, visit } = patient;
  const problem = problemOfUrl(url);
  if (problem !== undefined) {
    return [
      fail('endpoint', `Its address cannot be used: ${problem}.`, { cause: 'bad_config', owner: 'you' }),
    ];
  }
  const address = new URL(url);
  const shown = `${address.protocol}//${address.host}`;
  if (state.kind === 'ready' || state.kind === 'degraded')
    return [pass('endpoint', `Connected to ${shown}.`)];
  const local = isLoopback(address.hostname);
  // A host that is a secret has only a stand-in here, and what is far away is for --live to ask.
  const hidden = findPlaceholders(hostPart(patient)).length > 0 && resolved.secrets.length > 0;
  if (hidden || (!local && !visit.live))
    return [recordedRefusal(patient) ?? pass('endpoint', `${shown} is well formed.`)];
  const limitMs = local ? doctorLimits.localConnectMs : doctorLimits.remoteConnectMs;
  const outcome = await accepts(address, { limitMs, clock: visit.core.clock, env: visit.core.options.env });
  if (outcome.kind === 'proxied') return [pass('endpoint', `${shown} is asked through a proxy.`)];
  if (outcome.kind === 'open') {
    return [recordedAt(patient, 'endpoint') ?? pass('endpoint', `Something listens at ${address.host}.`)];
  }
  const { says, next, details } = outcome;
  return [fail('endpoint', says, { cause: 'unreachable', owner: 'network', next, details })];
}

/** What is far away and was not reached the last time counts as not reached until it is tried again. */
function recordedRefusal(patient: Patient): DoctorRow | undefined {
  const { state, id } = patient;
  if (failedAt(patient) !== 'endpoint') return undefined;
  const config = state.kind === 'failed' && state.cause === 'config';
  return fail('endpoint', state.reason, {
    cause: config ? 'bad_config' : 'unreachable',
    owner: config ? 'you' : 'network',
    next: state.next ?? `plug doctor ${id} --live`,
  });
}

function hostPart({ pooled: { definition } }: Patient): string {
  const { endpoint } = definition;
  return endpoint.kind === 'stdio' ? '' : endpoint.url.replace(/[?#].*$/, '');
}
