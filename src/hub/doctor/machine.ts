import { toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import { lookAtFiles, lookForNearMisses } from './files-check.ts';
import { lookForOrphans } from './orphans-check.ts';
import type { Examination } from './checked-server.ts';
import { count, fail, pass, warn } from './rows.ts';
import { lookForRuntimes } from './command-check.ts';
import { lookAtStorage, lookAtVault } from './storage-check.ts';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { doctorLimits } from './limits.ts';
import { lookAtModels, lookAtRules } from './settings-check.ts';

type Look = (examination: Examination) => readonly DoctorRow[] | Promise<readonly DoctorRow[]>;

const CHECKS: readonly (readonly [DoctorCheck, Look])[] = [
  ['hub', lookAtHub],
  ['files', lookAtFiles],
  ['near-miss', lookForNearMisses],
  ['rules', lookAtRules],
  ['runtimes', lookForRuntimes],
  ['vault', lookAtVault],
  ['storage', lookAtStorage],
  ['orphans', lookForOrphans],
  ['clock', lookAtClock],
  ['proxy', lookAtProxy],
  ['models', lookAtModels],
];

/** Everything that is not about one server. A check that breaks is a row, and the rest goes on. */
export async function* lookAtMachine(examination: Examination): AsyncGenerator<DoctorRow, void, void> {
  for (const [check, look] of CHECKS) {
    if (examination.signal?.aborted) return;
    try {
      yield* await look(examination);
    } catch (error) {
      const { code: cause, message, remedy } = toPlugError(error);
      yield fail(check, `It could not be looked at: ${message}`, { cause, owner: 'plugboard', remedy });
    }
  }
}

/** That it answers is what is tested; who starts it has compared the versions. */
function lookAtHub({ core, workspace }: Examination): readonly DoctorRow[] {
  const { version } = core.options;
  const eras = workspace.servers.flatMap(
    (server) => core.pool.manifest(workspace.pooled(server).key)?.era ?? [],
  );
  const legacy = eras.filter((era) => era === 'legacy').length;
  const spoken = eras.length === 0 ? '' : `: ${eras.length - legacy} known as modern, ${legacy} as legacy`;
  const says = `Plugboard ${version} runs (pid ${process.pid}, Node ${process.versions.node}) with ${count(workspace.servers.length, 'server')}${spoken}.`;
  return [pass('hub', says)];
}

/** No hub of this version ran before it was written. */
const WRITTEN = Date.UTC(2026, 0, 1);

/** A clock that is wrong makes sign-ins and certificates fail, each with another message. */
async function lookAtClock({ core }: Examination): Promise<readonly DoctorRow[]> {
  const now = core.clock.now();
  const shown = new Date(now).toISOString().slice(0, 16).replace('T', ' ');
  const more = {
    cause: 'unavailable',
    owner: 'you',
    remedy: 'Set the clock of this machine: timedatectl set-ntp true',
  } as const;
  if (now < WRITTEN) return [fail('clock', `It is ${shown} UTC here, which is in the past.`, more)];
  const ahead = Math.max(await newestFileMs(core.options.paths.data), await newestEventMs(core)) - now;
  if (ahead > doctorLimits.clockSkewMs) {
    const minutes = Math.round(ahead / 60_000);
    const says = `It is ${shown} UTC here, but things were written ${minutes} minutes later than that: the clock was set back, or is wrong.`;
    return [warn('clock', says, more)];
  }
  return [pass('clock', `It is ${shown} UTC.`)];
}

async function newestFileMs(data: string): Promise<number> {
  const names = ['plugboard.db', 'plugboard.db-wal', 'hub.log'];
  const times = await Promise.all(
    names.map((name) =>
      stat(join(data, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

async function newestEventMs({ storage, owner }: Examination['core']): Promise<number> {
  const [last] = await storage.connections.listEvents(owner, { limit: 1 });
  return last?.at ?? 0;
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'] as const;
const AUTHORITIES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'] as const;

/** Proxies and certificates that the hub and its servers are told of. */
async function lookAtProxy({ core }: Examination): Promise<readonly DoctorRow[]> {
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
  remedy: 'Unset NODE_TLS_REJECT_UNAUTHORIZED, set NODE_EXTRA_CA_CERTS instead, and restart the hub.',
});

/** The value is not repeated: it may hold a password. */
function proxyProblem(name: string, value: string | undefined): readonly DoctorRow[] {
  if (!value) return [];
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^(?:https?|socks5?h?):$/.test(url.protocol) && url.hostname !== '') return [];
  const remedy = `Set ${name} to http://host:port, then restart the hub.`;
  return [warn('proxy', `${name} is no address of a proxy, such as http://host:port.`, { ...WRONG, remedy })];
}

async function authorityProblem(name: string, file: string | undefined): Promise<readonly DoctorRow[]> {
  if (!file) return [];
  const remedy = `Correct ${name}, then restart the hub.`;
  try {
    const text = await readFile(file, 'latin1');
    if (text.includes('-----BEGIN')) return [];
    return [warn('proxy', `${name} names ${file}, which holds no certificate.`, { ...WRONG, remedy })];
  } catch {
    return [warn('proxy', `${name} names ${file}, which cannot be read.`, { ...WRONG, remedy })];
  }
}
