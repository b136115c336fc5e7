import { spawnSync } from 'node:child_process';

/** Installs programs of Debian that tests need; where that cannot be done, says what to install. */
export function installPackages(packages: readonly string[], why: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Tests run side by side: whoever comes second waits for the first.
  const apt = (...words: readonly string[]): boolean =>
    spawnSync(INSTALLER, ['-o', 'DPkg::Lock::Timeout=300', ...words], { env }).status === 0;
  const install = (): boolean => apt('install', '-y', '--no-install-recommends', ...packages);
  // A new machine has no lists of packages yet.
  if (install() || (apt('update') && install())) return;
  throw new Error(`Install ${packages.join(' and ')} ${why}.`);
}

const INSTALLER = 'apt-get';
