import type { DoctorRow } from '../hub.ts';
import { findPlaceholders } from '../../servers/placeholders.ts';
import { problemOfUrl } from '../../servers/server-url.ts';
import type { CheckedServer, Examination } from './checked-server.ts';
import { failedAt, recordedAt } from './recorded.ts';
import { BAD_CONFIG, doctorLimits, fail, pass, type Rows } from './rows.ts';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import type { PlugError } from '../../base/errors.ts';
import { editServer } from '../../connections/causes/edit-server.ts';
import { explainFailure } from '../../connections/causes/explain.ts';
import { causeContext } from '../../connections/causes/known-causes.ts';
import { networkError } from '../../connections/http/network-error.ts';

export async function lookAtEndpoint(checked: CheckedServer): Promise<Rows> {
  const resolved = await checked.resolved();
  if (resolved.kind !== 'ok' || resolved.endpoint.kind === 'stdio') return [];
  const { url } = resolved.endpoint;
  const { state, examination } = checked;
  const problem = problemOfUrl(url);
  if (problem !== undefined) {
    return fail('endpoint', `Its address cannot be used: ${problem}.`, BAD_CONFIG);
  }
  const address = new URL(url);
  const shown = `${address.protocol}//${address.host}`;
  if (state.kind === 'ready' || state.kind === 'degraded') return pass('endpoint', `Connected to ${shown}.`);
  const local = isLoopback(address.hostname);
  // A host that is a secret has only a stand-in here, and what is far away is for --live to ask.
  const hidden = findPlaceholders(hostPart(checked)).length > 0 && resolved.secrets.length > 0;
  if (hidden || (!local && !examination.live))
    return recordedRefusal(checked) ?? pass('endpoint', `${shown} is well formed.`);
  const secure = address.protocol === 'https:' || address.protocol === 'wss:';
  // Behind a proxy only the proxy knows what is there.
  if (!local && hasProxy(secure, examination)) return pass('endpoint', `${shown} is asked through a proxy.`);
  const limitMs = local ? doctorLimits.localConnectMs : doctorLimits.remoteConnectMs;
  const failure = await connect(address, { secure, limitMs, clock: examination.core.clock });
  if (failure) return unreachable(checked, networkError(failure.error, address));
  return recordedAt(checked, 'endpoint') ?? pass('endpoint', `Something listens at ${address.host}.`);
}

/** A remote server that was not reached the last time counts as not reached until it is tried again. */
function recordedRefusal(checked: CheckedServer): DoctorRow | undefined {
  const { state, id } = checked;
  if (failedAt(checked) !== 'endpoint') return undefined;
  const { code, owner } = state.kind === 'failed' ? state : { code: undefined, owner: undefined };
  return fail('endpoint', state.reason, {
    cause: code ?? 'unreachable',
    owner: owner ?? 'network',
    remedy: state.remedy ?? { do: 'check', server: id, live: true },
  });
}

function hostPart({ pooled: { definition } }: CheckedServer): string {
  const { endpoint } = definition;
  return endpoint.kind === 'stdio' ? '' : endpoint.url.replace(/[?#].*$/, '');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function hasProxy(secure: boolean, { core }: Examination): boolean {
  const names = secure ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  return names.some((name) => core.options.env[name]);
}

/** A start that failed because the address says http where TLS is spoken. */
export async function lookForTls({ pooled, examination }: CheckedServer): Promise<DoctorRow | undefined> {
  const { id, endpoint, source } = pooled.definition;
  if (endpoint.kind === 'stdio' || !URL.canParse(endpoint.url)) return undefined;
  const address = new URL(endpoint.url);
  if (!/^(?:http|ws):$/.test(address.protocol)) return undefined;
  const { clock } = examination.core;
  const answer = await connect(address, { secure: true, limitMs: doctorLimits.localConnectMs, clock });
  if (answer && !/CERT|ISSUER|SELF_SIGNED/.test(codeOf(answer.error))) return undefined;
  const says = `${address.host} speaks TLS: its address starts with ${address.protocol.replace(':', 's:')}//.`;
  return fail('endpoint', says, {
    ...BAD_CONFIG,
    remedy: editServer({ server: id, file: source.file }, 'url'),
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** In the words of a start that fails there. */
function unreachable({ pooled }: CheckedServer, error: PlugError): DoctorRow {
  const {
    code: cause,
    message,
    owner,
    remedy,
    details,
  } = explainFailure(error, causeContext(pooled.definition));
  return fail('endpoint', message, { cause, owner, remedy, details: [String(details?.['cause'])] });
}

/** Connects, with TLS where the address says so, and closes at once: nothing is sent. Answers why it failed. */
async function connect(
  address: URL,
  { secure, limitMs, clock }: { readonly secure: boolean; readonly limitMs: number; readonly clock: Clock },
): Promise<{ readonly error: unknown } | undefined> {
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.port || (secure ? 443 : 80));
  const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const socket = secure ? connectTls({ host, port, ...named }) : connectTcp({ host, port });
  const cancel = clock.after(limitMs, () => void socket.destroy(new Error('no answer in time')));
  try {
    await once(socket, secure ? 'secureConnect' : 'connect');
    return undefined;
  } catch (error) {
    return { error };
  } finally {
    cancel();
    socket.destroy();
  }
}
