import { toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow, ModelView } from '../hub.ts';
import { lookAtFiles, lookForNearMisses } from './files-check.ts';
import type { Examination } from './checked-server.ts';
import {
  BAD_CONFIG,
  count,
  doctorLimits,
  fail,
  MISSING_INPUT,
  pass,
  type Rows,
  skip,
  unchecked,
  warn,
} from './rows.ts';
import { carriersOf, startTimeOf } from '../../connections/processes/process-table.ts';
import type { ProcessRecord } from '../../connections/store.ts';
import type { Core } from '../core.ts';
import { modelsOf } from '../models/models-api.ts';
import { lookForRuntimes } from './command-check.ts';
import { lookAtPackages } from './packages-check.ts';
import { lookAtStorage, lookAtVault } from './storage-check.ts';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const CHECKS: readonly (readonly [DoctorCheck, (examination: Examination) => Rows | Promise<Rows>])[] = [
  ['hub', lookAtHub],
  ['files', lookAtFiles],
  ['near-miss', lookForNearMisses],
  ['rules', lookAtRules],
  ['runtimes', lookForRuntimes],
  ['vault', lookAtVault],
  ['storage', lookAtStorage],
  ['packages', lookAtPackages],
  ['orphans', lookForOrphans],
  ['clock', lookAtClock],
  ['proxy', lookAtProxy],
  ['models', lookAtModels],
];

export async function* lookAtMachine(examination: Examination): AsyncGenerator<DoctorRow, void, void> {
  for (const [check, look] of CHECKS) {
    if (examination.signal?.aborted) return;
    try {
      yield* [await look(examination)].flat();
    } catch (error) {
      yield unchecked(check, error);
    }
  }
}

function lookAtHub({ core, workspace }: Examination): DoctorRow {
  const { version } = core.options;
  const eras = workspace.servers.flatMap(
    (server) => core.pool.manifest(workspace.pooled(server).key)?.era ?? [],
  );
  const legacy = eras.filter((era) => era === 'legacy').length;
  const spoken = eras.length === 0 ? '' : ` (${eras.length - legacy} modern, ${legacy} legacy)`;
  const says = `Plugboard ${version} is running (pid ${process.pid}, Node ${process.versions.node}) with ${count(workspace.servers.length, 'server')}${spoken}.`;
  return pass('hub', says);
}

/** No hub of this version ran before it was written. */
const WRITTEN = Date.UTC(2026, 0, 1);

/** A clock that is wrong makes sign-ins and certificates fail, each with another message. */
async function lookAtClock({ core }: Examination): Promise<Rows> {
  const now = core.clock.now();
  const shown = new Date(now).toISOString().slice(0, 16).replace('T', ' ');
  const remedy = 'Set the clock of this machine: timedatectl set-ntp true';
  const more = { cause: 'unavailable', owner: 'you', remedy } as const;
  if (now < WRITTEN) return fail('clock', `It is ${shown} UTC here, which is in the past.`, more);
  const ahead = Math.max(await newestFileMs(core.options.paths.data), await newestEventMs(core)) - now;
  if (ahead > doctorLimits.clockSkewMs) {
    const minutes = Math.round(ahead / 60_000);
    const says = `It is ${shown} UTC here, but files were written ${minutes} minutes later than that: the clock was set back, or is wrong.`;
    return warn('clock', says, more);
  }
  return pass('clock', `It is ${shown} UTC.`);
}

async function newestFileMs(data: string): Promise<number> {
  const names = ['plugboard.db', 'plugboard.db-wal', 'hub.log'];
  const found = await Promise.all(names.map((name) => stat(join(data, name)).catch(() => undefined)));
  return Math.max(...found.map((file) => file?.mtimeMs ?? 0));
}

async function newestEventMs({ storage, owner }: Examination['core']): Promise<number> {
  const [last] = await storage.connections.listEvents(owner, { limit: 1 });
  return last?.at ?? 0;
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'] as const;
const AUTHORITIES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'] as const;

async function lookAtProxy({ core }: Examination): Promise<Rows> {
  const { env } = core.options;
  const set = [...PROXIES, ...AUTHORITIES].filter((name) => env[name]);
  const wrong = [
    ...PROXIES.flatMap((name) => proxyProblem(name, env[name])),
    ...(await Promise.all(AUTHORITIES.map((name) => authorityProblem(name, env[name])))).flat(),
    ...(env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? [UNCHECKED] : []),
  ];
  if (wrong.length > 0) return wrong;
  if (set.length === 0) return pass('proxy', 'No proxy or custom certificates set.');
  return pass('proxy', `${set.join(', ')}: well formed.`);
}

const UNCHECKED: DoctorRow = warn(
  'proxy',
  'NODE_TLS_REJECT_UNAUTHORIZED=0: TLS certificates aren’t checked.',
  {
    ...BAD_CONFIG,
    remedy: 'Unset NODE_TLS_REJECT_UNAUTHORIZED, set NODE_EXTRA_CA_CERTS instead, and restart the hub.',
  },
);

/** The value is not repeated: it may hold a password. */
function proxyProblem(name: string, value: string | undefined): Rows {
  if (!value) return [];
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^(?:https?|socks5?h?):$/.test(url.protocol) && url.hostname !== '') return [];
  const remedy = `Set ${name} to http://host:port, then restart the hub.`;
  return warn('proxy', `${name} isn’t a proxy URL such as http://host:port.`, {
    ...BAD_CONFIG,
    remedy,
  });
}

async function authorityProblem(name: string, file: string | undefined): Promise<Rows> {
  if (!file) return [];
  const remedy = `Correct ${name}, then restart the hub.`;
  try {
    const text = await readFile(file, 'latin1');
    if (text.includes('-----BEGIN')) return [];
    return warn('proxy', `${name} names ${file}, which holds no certificate.`, { ...BAD_CONFIG, remedy });
  } catch {
    return warn('proxy', `${name} names ${file}, which cannot be read.`, { ...BAD_CONFIG, remedy });
  }
}

/** With a mistake in the rules file, the rules that were read before it stay in force. */
function lookAtRules({ core }: Examination): DoctorRow {
  const { file, exists, rules, problems } = core.decisions.rules.view();
  const first = problems[0];
  if (first) {
    const says = `${file}, line ${first.line}, column ${first.column}: ${first.message}`;
    const details = problems
      .slice(1, doctorLimits.detailsShown)
      .map((one) => `line ${one.line}: ${one.message}`);
    details.push('the last valid rules stay in force');
    return fail('rules', says, { ...BAD_CONFIG, remedy: { do: 'check-rules' }, details });
  }
  return pass(
    'rules',
    exists ? `${file}: ${count(rules.length, 'rule')}.` : 'No rules file. The defaults apply.',
  );
}

async function lookAtModels({ core }: Examination): Promise<Rows> {
  let models: readonly ModelView[];
  try {
    models = await modelsOf(core).list({}, {});
  } catch (error) {
    return skip('models', toPlugError(error).message);
  }
  if (models.length === 0) return pass('models', 'No models. Only plug chat needs one.');
  const keyless = models.filter(({ hasKey, provider }) => !hasKey && provider !== 'compatible');
  if (keyless.length === 0)
    return pass('models', `${models.map(({ name }) => name).join(', ')}, each with what it needs.`);
  return keyless.map(({ name, provider, model }) =>
    warn('models', `${name} has no key for ${provider}.`, {
      ...MISSING_INPUT,
      remedy: { do: 'add-model', name, provider, model },
    }),
  );
}

/** Processes of servers that outlived their hub. */
async function lookForOrphans({ core, live, platform }: Examination): Promise<Rows> {
  // Elsewhere only another program can list processes, and a plain look starts none.
  if (platform !== 'linux' && !live) return skip('orphans', 'Checked only with --live on this system.');
  const orphans = await findOrphans(core);
  if (orphans.length === 0) return pass('orphans', 'No orphaned server processes.');
  const pids = orphans.flatMap((orphan) => orphan.pids);
  const says = `${count(pids.length, 'process', 'processes')} left by a stopped hub still ${pids.length === 1 ? 'runs' : 'run'}.`;
  const details = orphans
    .slice(0, doctorLimits.detailsShown)
    .map(({ record, pids }) => `${record.server}: pid ${pids.join(', ')}`);
  const fix = { id: 'end-orphans', says: `end ${pids.length === 1 ? 'it' : 'them'}` };
  const remedy = { do: 'check', fix: true } as const;
  return warn('orphans', says, { cause: 'unavailable', owner: 'plugboard', remedy, details, fix });
}

interface Orphan {
  readonly record: ProcessRecord;
  readonly pids: readonly number[];
}

/** Pids are recycled: the marker, or the start time, must be the recorded one. */
export async function findOrphans({ storage }: Core): Promise<readonly Orphan[]> {
  const records = await storage.connections.listProcesses();
  const found = await Promise.all(
    records.map(async (record) => {
      const [pid = '', startTime = ''] = record.hub.split(':');
      if ((await startTimeOf(Number(pid))) === startTime) return { record, pids: [] };
      return { record, pids: await leftOf(record) };
    }),
  );
  return found.filter(({ pids }) => pids.length > 0);
}

async function leftOf(record: ProcessRecord): Promise<readonly number[]> {
  if (process.platform === 'linux') return carriersOf(record.marker);
  const same = record.startTime !== '' && (await startTimeOf(record.pid)) === record.startTime;
  return same ? [record.pid] : [];
}
