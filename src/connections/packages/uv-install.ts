import { access, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { findCommand } from '../processes/find-command.ts';
import { managerEnvironment } from '../processes/run-npm.ts';
import { runTree } from '../processes/run-tree.ts';
import { installFailure } from './install-failure.ts';
import type { InstalledFiles, InstallWork } from './install-work.ts';

/**
 * Installs one version of a Python package by the user's own uv into an environment that may be moved. The
 * package itself must have the approved checksum; wheels alone are taken, so that nothing of it runs meanwhile.
 */
export async function installPython(work: InstallWork): Promise<InstalledFiles> {
  const { wanted, folder, tell, platform, scripts } = work;
  const { name, version, integrity } = wanted;
  if (integrity === undefined)
    throw new PlugError('unsupported', `${name} ${version} has no recorded checksum, so it isn't kept.`, {
      owner: 'registry',
    });
  const path = await work.searchPath();
  const home = homedir();
  const uv = await findCommand({ command: 'uv', cwd: home, path, home, platform });
  const run = async (args: readonly string[]): Promise<void> => {
    const { packageInstallMs: timeMs, packageInstallOutputBytesMax: bytesMax } = work.limits;
    const env = managerEnvironment(work.hubEnv, path);
    const end = await runTree({ ...work, command: uv, args, cwd: folder, env, timeMs, bytesMax });
    if (end === 'too-long')
      throw installFailure(wanted, 'uv', { says: `it took longer than ${timeMs / 60_000} minutes` });
    if (end.code !== 0) throw uvFailure(work, end.stderr);
  };
  await writeFile(join(folder, 'requirements.txt'), requirementOf(work, integrity), { mode: 0o600 });
  tell(`Fetching ${name} ${version} …`);
  for (const args of uvSteps({ name, version, scripts })) await run(args);
  const bin = join(folder, VENV, platform === 'win32' ? 'Scripts' : 'bin');
  const programs = await pythonPrograms(folder, bin);
  const packages = (await sitePackages(folder)).filter((entry) => entry.endsWith('.dist-info')).length;
  return { integrity, programs, packages };
}

const VENV = 'venv';

/** The package by its checksum first, then what it needs; a relocatable environment survives the move. */
export function uvSteps({
  name,
  version,
  scripts,
}: {
  readonly name: string;
  readonly version: string;
  readonly scripts: boolean;
}): readonly (readonly string[])[] {
  const python = ['--python', VENV];
  // Building a source distribution runs its code.
  const wheels = scripts ? [] : ['--only-binary', ':all:'];
  return [
    ['venv', '--relocatable', '--quiet', VENV],
    [
      'pip',
      'install',
      '--quiet',
      ...python,
      ...wheels,
      '--no-deps',
      '--require-hashes',
      '--requirements',
      'requirements.txt',
    ],
    ['pip', 'install', '--quiet', ...python, ...wheels, `${name}==${version}`],
  ];
}

function requirementOf({ wanted: { name, version } }: InstallWork, integrity: string): string {
  const hashes = integrity.split(/\s+/).map((sum) => {
    const [algorithm = '', digest = ''] = sum.split(/-(.*)/s);
    return ` --hash=${algorithm}:${Buffer.from(digest, 'base64').toString('hex')}`;
  });
  return `${name}==${version}${hashes.join('')}\n`;
}

function uvFailure({ wanted }: InstallWork, stderr: readonly string[]): PlugError {
  const output = stderr.filter((line) => line.trim() !== '').join(' ');
  const code = CODES.find(([words]) => words.test(output))?.[1];
  return installFailure(wanted, 'uv', { says: output, ...(code === undefined ? {} : { code }) });
}

/** uv names no codes: its words, by the code that npm has for the same. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/no space left on device/i, 'ENOSPC'],
  [/hash mismatch/i, 'EINTEGRITY'],
  [/not found in the package registry|no version of/i, 'ETARGET'],
  [/dns error|connection refused|timed out|network connectivity/i, 'ECONNREFUSED'],
];

async function pythonPrograms(folder: string, bin: string): Promise<InstalledFiles['programs']> {
  const names = await readdir(bin);
  const own = names.filter(
    (name) => !/^(?:python[\d.]*|activate.*|deactivate.*|pydoc.*)(?:\.exe|w\.exe)?$/i.test(name),
  );
  const programs = own.map(
    (name) => [name.replace(/\.exe$/i, ''), { file: relative(folder, join(bin, name)) }] as const,
  );
  return Object.fromEntries(programs);
}

async function sitePackages(folder: string): Promise<readonly string[]> {
  const lib = join(folder, VENV, 'lib');
  for (const python of await readdir(lib).catch((): string[] => [])) {
    const place = join(lib, python, 'site-packages');
    if (
      await access(place).then(
        () => true,
        () => false,
      )
    )
      return readdir(place);
  }
  return readdir(join(folder, VENV, 'Lib', 'site-packages')).catch((): string[] => []);
}
