import { readFile } from 'node:fs/promises';
import type { DoctorRow } from '../hub.ts';
import type { Visit } from './patient.ts';
import { pass, warn } from './rows.ts';

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'] as const;
const AUTHORITIES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'] as const;

/** Proxies and certificates that the hub and its servers are told of. */
export async function lookAtProxy({ core }: Visit): Promise<readonly DoctorRow[]> {
  const { env } = core.options;
  const set = [...PROXIES, ...AUTHORITIES].filter((name) => env[name]);
  const wrong = [
    ...PROXIES.flatMap((name) => proxyProblem(name, env[name])),
    ...(await Promise.all(AUTHORITIES.map((name) => authorityProblem(name, env[name])))).flat(),
    ...(env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? [UNCHECKED] : []),
  ];
  if (wrong.length > 0) return wrong;
  return [
    pass(
      'proxy',
      set.length === 0 ? 'None is set, and no certificates of your own.' : `${set.join(', ')}: well formed.`,
    ),
  ];
}

const WRONG = { cause: 'bad_config', owner: 'you' } as const;

const UNCHECKED: DoctorRow = warn('proxy', 'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked.', {
  ...WRONG,
  next: 'unset NODE_TLS_REJECT_UNAUTHORIZED, set NODE_EXTRA_CA_CERTS instead, then plug hub restart',
});

/** The value is not repeated: it may hold a password. */
function proxyProblem(name: string, value: string | undefined): readonly DoctorRow[] {
  if (!value) return [];
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^(?:https?|socks5?h?):$/.test(url.protocol) && url.hostname !== '') return [];
  const next = `export ${name}=http://host:port, then plug hub restart`;
  return [warn('proxy', `${name} is no address of a proxy, such as http://host:port.`, { ...WRONG, next })];
}

async function authorityProblem(name: string, file: string | undefined): Promise<readonly DoctorRow[]> {
  if (!file) return [];
  const next = `Correct ${name}, then plug hub restart.`;
  try {
    const text = await readFile(file, 'latin1');
    if (text.includes('-----BEGIN')) return [];
    return [warn('proxy', `${name} names ${file}, which holds no certificate.`, { ...WRONG, next })];
  } catch {
    return [warn('proxy', `${name} names ${file}, which cannot be read.`, { ...WRONG, next })];
  }
}
