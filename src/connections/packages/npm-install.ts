import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { checkIntegrity } from '../../servers/plans/pin.ts';
import { childEnvironment } from '../processes/environment.ts';
import { findCommand } from '../processes/find-command.ts';
import { managerEnvironment } from '../processes/run-npm.ts';
import { runTree, type TreeEnd } from '../processes/run-tree.ts';
import { installFailure } from './install-failure.ts';
import type { InstalledFiles, InstallWork } from './install-work.ts';
import { npmPrograms } from './npm-programs.ts';
import type { WantedPackage } from './packaged-run.ts';

/**
 * Installs one version by the user's own npm, with its registry, sign-ins and proxy. No script of any package
 * runs, unless a person has allowed it: then after all checksums were compared, in the environment of a server.
 */
export async function installNpm(work: InstallWork): Promise<InstalledFiles> {
  const { wanted, folder, tell, scripts } = work;
  const { name, version } = wanted;
  const path = await work.searchPath();
  const home = homedir();
  const npm = await findCommand({ command: 'npm', cwd: home, path, home, platform: work.platform });
  const run = async (env: Readonly<Record<string, string>>, args: readonly string[]): Promise<void> => {
    const { packageInstallMs: timeMs, packageInstallOutputBytesMax: bytesMax } = work.limits;
    const end = await runTree({ ...work, command: npm, args, cwd: folder, env, timeMs, bytesMax });
    if (end === 'too-long' || end.code !== 0) throw npmFailure(wanted, end, timeMs);
  };
  const manifest = { private: true, dependencies: { [name]: version } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest), { mode: 0o600 });
  tell(`Fetching ${name} ${version} and what it needs …`);
  const install = ['install', ...OPTIONS, '--ignore-scripts'];
  const env = managerEnvironment(work.hubEnv, path);
  await run(env, install).catch(async (error: unknown) => {
    if (!(error instanceof PlugError) || error.code !== 'unreachable') throw error;
    // What npm has fetched before is in its cache.
    await run(env, [...install, '--offline']).catch((): never => {
      throw error;
    });
  });
  const lock = await readLock(folder);
  const integrity = checkedIntegrity(work, lock);
  const scripted = await scriptedPackages(folder, lock);
  if (scripted.length > 0 && scripts) {
    tell(`Running the install scripts of ${scripted.join(', ')} …`);
    const own = childEnvironment({ hubEnv: work.hubEnv, declared: {}, path, platform: work.platform });
    await run(own, ['rebuild', ...OPTIONS]);
  }
  const own = join(folder, 'node_modules', name);
  const { programs, engines } = await npmPrograms(folder, own);
  return {
    integrity,
    programs,
    ...(engines === undefined ? {} : { engines }),
    packages: lock.size,
    ...(scripted.length > 0 ? { scripts: scripted } : {}),
    ...refusal(wanted, { scripted, allowed: scripts, programs }),
  };
}

/** Whatever the user's settings say about projects of their own. */
const OPTIONS = [
  '--no-global',
  '--no-dry-run',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--package-lock',
  '--lockfile-version=3',
  '--install-strategy=hoisted',
  '--omit=dev',
  '--loglevel=error',
  '--json',
  '--prefix=.',
  // Somebody waits, and npx is there if the registry is not: no pauses of a minute.
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=2000',
];

interface LockedPackage {
  readonly integrity?: string;
  readonly hasInstallScript: boolean;
  readonly optional: boolean;
}

async function readLock(folder: string): Promise<ReadonlyMap<string, LockedPackage>> {
  const lock: unknown = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const packages = isObject(lock) && isObject(lock['packages']) ? lock['packages'] : {};
  const read = Object.entries(packages).flatMap(([place, entry]): readonly [string, LockedPackage][] => {
    if (place === '' || !isObject(entry)) return [];
    const { integrity, hasInstallScript, optional, devOptional } = entry;
    return [
      [
        place,
        {
          ...(typeof integrity === 'string' ? { integrity } : {}),
          hasInstallScript: hasInstallScript === true,
          optional: optional === true || devOptional === true,
        },
      ],
    ];
  });
  return new Map(read);
}

/** npm has compared each download with what its index stated; here that is compared with what was approved. */
function checkedIntegrity({ wanted, server }: InstallWork, lock: ReadonlyMap<string, LockedPackage>): string {
  const { name, version, integrity: approved } = wanted;
  const integrity = lock.get(`node_modules/${name}`)?.integrity;
  if (approved !== undefined) {
    const recorded = { server, registry: 'npm', name, version, integrity: approved } as const;
    checkIntegrity(recorded, {
      exists: true,
      version,
      ...(integrity === undefined ? {} : { integrity, sums: integrity.split(/\s+/) }),
    });
  }
  if (integrity !== undefined) return integrity;
  throw new PlugError('unsupported', `${name} ${version} has no checksum, so it isn't kept.`, {
    owner: 'registry',
  });
}

/** Packages that were written to the disk and would have run a script. Optional ones can be done without. */
async function scriptedPackages(
  folder: string,
  lock: ReadonlyMap<string, LockedPackage>,
): Promise<readonly string[]> {
  const scripted = [...lock].filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional);
  const names = await Promise.all(
    scripted.map(async ([place]) => {
      const there = await readFile(join(folder, place, 'package.json'), 'utf8').catch(() => undefined);
      return there === undefined
        ? []
        : [place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)];
    }),
  );
  return [...new Set(names.flat())];
}

function refusal(
  { name }: WantedPackage,
  found: {
    readonly scripted: readonly string[];
    readonly allowed: boolean;
    readonly programs: InstalledFiles['programs'];
  },
): { readonly refused?: string } {
  const { scripted, allowed, programs } = found;
  if (Object.keys(programs).length === 0) return { refused: `${name} has no program to start` };
  if (scripted.length === 0 || allowed) return {};
  const verb = scripted.length === 1 ? 'runs a script when it is' : 'run scripts when they are';
  return { refused: `${scripted.slice(0, 5).join(', ')} ${verb} installed, which you haven't allowed` };
}

/** npm names the cause in a document on its output. */
function npmFailure(wanted: WantedPackage, end: TreeEnd | 'too-long', timeMs: number): PlugError {
  if (end === 'too-long')
    return installFailure(wanted, 'npm', { says: `it took longer than ${timeMs / 60_000} minutes` });
  const { code, says } = npmError(end.stdout);
  const last = end.stderr.findLast((line) => line.trim() !== '' && !LOG_PLACE.test(line));
  return installFailure(wanted, 'npm', {
    ...defined({ code }),
    says: says ?? last ?? `it ended with exit code ${end.code}`,
  });
}

const LOG_PLACE = /A complete log of this run/;

function npmError(stdout: string): { readonly code?: string; readonly says?: string } {
  try {
    const start = stdout.indexOf('{');
    const document: unknown = JSON.parse(stdout.slice(start));
    const error = isObject(document) && isObject(document['error']) ? document['error'] : {};
    const { code, summary, detail } = error;
    const says = [summary, detail].find((text) => typeof text === 'string' && text !== '');
    return {
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof says === 'string' ? { says: says.split('\n', 1)[0] ?? says } : {}),
    };
  } catch {
    return {}; // it ended before it could say anything
  }
}
