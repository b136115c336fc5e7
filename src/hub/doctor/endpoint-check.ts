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
import { messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';

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
  const closed = await connect(address, { secure, limitMs, clock: examination.core.clock });
  return (
    closed ?? recordedAt(checked, 'endpoint') ?? pass('endpoint', `Something listens at ${address.host}.`)
  );
}

/** A remote server that was not reached the last time counts as not reached until it is tried again. */
function recordedRefusal(checked: CheckedServer): DoctorRow | undefined {
  const { state, id } = checked;
  if (failedAt(checked) !== 'endpoint') return undefined;
  const config = state.kind === 'failed' && state.cause === 'config';
  return fail('endpoint', state.reason, {
    cause: config ? 'bad_config' : 'unreachable',
    owner: config ? 'you' : 'network',
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

/** Connects, with TLS where the address says so, and closes at once: nothing is sent. Answers why it failed. */
async function connect(
  address: URL,
  { secure, limitMs, clock }: { readonly secure: boolean; readonly limitMs: number; readonly clock: Clock },
): Promise<DoctorRow | undefined> {
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.port || (secure ? 443 : 80));
  const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const socket = secure ? connectTls({ host, port, ...named }) : connectTcp({ host, port });
  const cancel = clock.after(limitMs, () => void socket.destroy(new Error('no answer in time')));
  try {
    await once(socket, secure ? 'secureConnect' : 'connect');
    return undefined;
  } catch (error) {
    return unreachable(error, host, port);
  } finally {
    cancel();
    socket.destroy();
  }
}

function unreachable(error: unknown, host: string, port: number): DoctorRow {
  const code = isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
  const refused = messageOf(error).includes('ECONNREFUSED') ? 'ECONNREFUSED' : code;
  const [, says, remedy] = CLOSED.find(([pattern]) => pattern.test(refused)) ?? UNREACHED;
  const named = (text: string): string => text.replace('{place}', `${host}:${port}`).replace('{host}', host);
  return fail('endpoint', named(says), {
    cause: 'unreachable',
    owner: 'network',
    remedy: named(remedy),
    details: [code === '' ? messageOf(error) : code],
  });
}

type Closed = readonly [code: RegExp, says: string, remedy: string];

const CLOSED: readonly Closed[] = [
  [
    /^ECONNREFUSED$/,
    'Nothing listens at {place}.',
    "Start the service at {place}, or correct the server's address.",
  ],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    'There is no address for the name {host}.',
    'Correct the name in the address, or look at your network and its name server.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/,
    'The certificate of {place} is not believed.',
    'If your company signs certificates itself, set NODE_EXTRA_CA_CERTS to its file and restart the hub.',
  ],
  [/^ERR_SSL|EPROTO/, '{place} does not speak TLS.', 'Try the address with http: in place of https:.'],
];
const UNREACHED: Closed = [/$/, '{place} cannot be reached.', 'Look at your network.'];
