import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { makePrivateFolder } from '../../base/private-files.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import type { Runtime } from '../limits.ts';
import { changedFiles, type ListedFile, listFiles } from './file-list.ts';
import { installFailure } from './install-failure.ts';
import type { InstallWork } from './install-work.ts';
import { installNpm } from './npm-install.ts';
import type { WantedPackage } from './packaged-run.ts';
import { installPython } from './uv-install.ts';
import {
  FILES,
  folderName,
  folderPrefix,
  type InstalledPackage,
  markUsed,
  type PackageRecord,
  readRecord,
  RECORD,
} from './record.ts';
import { SharedInstalls, type InstallRequest } from './shared-installs.ts';

export interface PackageStoreOptions
  extends Runtime, Pick<InstallWork, 'hubEnv' | 'platform' | 'searchPath'> {
  /** Only its owner may enter it. */
  readonly folder: string;
}

/**
 * Packages of servers, each version in a folder of its own. A version is there wholly or not at all: it is
 * installed beside its place and moved there in one step, so that several hubs may do so at once.
 */
export class PackageStore {
  readonly #options: PackageStoreOptions;
  readonly #installs: SharedInstalls;

  constructor(options: PackageStoreOptions) {
    this.#options = options;
    this.#installs = new SharedInstalls(options.limits.packageInstallsAtOnceMax, (request) =>
      this.#install(request),
    );
  }

  /** The installed version with the approved content; without a checksum, what was installed last. */
  async find(wanted: WantedPackage): Promise<InstalledPackage | undefined> {
    const prefix = folderPrefix(wanted);
    const names = (await this.#names()).filter((name) => name.startsWith(prefix));
    const found = (await Promise.all(names.map((name) => this.#read(name)))).flatMap((one) => one ?? []);
    return found
      .filter(({ name, version }) => name === wanted.name && version === wanted.version)
      .filter(({ integrity }) => wanted.integrity === undefined || isSameContent(wanted.integrity, integrity))
      .toSorted((a, b) => b.installedAt - a.installedAt)[0];
  }

  async list(): Promise<readonly InstalledPackage[]> {
    const names = (await this.#names()).filter((name) => !name.startsWith('.'));
    const found = await Promise.all(names.map((name) => this.#read(name)));
    return found.flatMap((one) => one ?? []);
  }

  /** Those who want the same at the same time share one installation. It ends when none of them waits any more. */
  async install(request: InstallRequest): Promise<InstalledPackage> {
    return await this.#installs.run(request);
  }

  async used(installed: InstalledPackage): Promise<void> {
    await markUsed(installed.folder, this.#options.clock.now());
  }

  /** Files that are not what was installed. */
  async changed(
    installed: InstalledPackage,
    how: { readonly thorough: boolean },
  ): Promise<readonly string[]> {
    if (installed.refused !== undefined) return [];
    const text = await readFile(join(installed.folder, FILES), 'utf8').catch(() => undefined);
    if (text === undefined) return [FILES];
    const listed = JSON.parse(text) as readonly ListedFile[]; // written by ourselves
    return await changedFiles(installed.folder, listed, how);
  }

  /** Moved out of its place first: nobody ever finds half of it. */
  async remove({ folder }: InstalledPackage): Promise<void> {
    const away = this.#beside('removing');
    try {
      await rename(folder, away);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      throw error;
    }
    await rm(away, { recursive: true, force: true });
  }

  /** Removes what no server names and none has started for long, and what was begun and never finished. */
  async tidy(isWanted: (installed: InstalledPackage) => boolean): Promise<readonly InstalledPackage[]> {
    await this.#removeLeftovers();
    const { clock, limits } = this.#options;
    const unused = (await this.list())
      .filter((installed) => !isWanted(installed))
      .toSorted((a, b) => b.lastUsedAt - a.lastUsedAt);
    const old = unused.filter(({ lastUsedAt }, index) => {
      const age = clock.now() - lastUsedAt;
      return (
        age > limits.packageUnusedMs || (index >= limits.packageUnusedMax && age > limits.packageLeftoverMs)
      );
    });
    for (const installed of old) await this.remove(installed);
    return old;
  }

  async #install({
    wanted,
    server,
    scripts,
    again,
    tell,
    signal,
  }: InstallRequest & { tell: (step: string) => void; signal: AbortSignal }): Promise<InstalledPackage> {
    const { folder: store, clock, limits } = this.#options;
    await makePrivateFolder(store);
    await this.#removeLeftovers();
    const folder = this.#beside('installing');
    const cancel = clock.every(limits.packageInstallTellMs, () => void this.#tellSize(folder, tell));
    try {
      await makePrivateFolder(folder);
      const work = { ...this.#options, wanted, server, folder, scripts, tell, signal };
      const found = await (wanted.registry === 'npm' ? installNpm(work) : installPython(work));
      cancel();
      signal.throwIfAborted();
      const record = await this.#writeRecord(
        folder,
        { ...wanted, ...found, format: 1, files: 0, bytes: 0, installedAt: clock.now() },
        tell,
      );
      const name = folderName({ ...wanted, integrity: record.integrity });
      const placed = await this.#place(folder, join(store, name), { again: again || scripts });
      const installed = await this.#read(name);
      if (!installed) throw new Error(`${name} went away while it was installed`);
      if (placed && installed.refused === undefined) {
        const { packages, bytes } = installed;
        tell(`Installed ${wanted.name} ${wanted.version}: ${packages} packages, ${sizeInWords(bytes)}.`);
      }
      return installed;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof PlugError) throw error;
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      throw installFailure(wanted, 'Plugboard', {
        says: messageOf(error),
        cause: error,
        ...(code === undefined ? {} : { code }),
      });
    } finally {
      cancel();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #writeRecord(
    folder: string,
    found: PackageRecord,
    tell: (step: string) => void,
  ): Promise<PackageRecord> {
    let record = found;
    if (found.refused === undefined) {
      tell('Noting the checksum of every file …');
      // A Python environment runs the interpreter that it was made with.
      const ofPython = (path: string): boolean => found.registry === 'pypi' && PYTHON.test(path);
      const files = await listFiles(folder, this.#options.limits, ofPython);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      record = { ...found, files: files.length, bytes };
      await writeFile(join(folder, FILES), JSON.stringify(files), { mode: 0o600 });
    } else {
      for (const name of await readdir(folder))
        await rm(join(folder, name), { recursive: true, force: true });
    }
    await writeFile(join(folder, RECORD), JSON.stringify(record), { mode: 0o600 });
    return record;
  }

  /** Whoever comes second keeps what is there, unless it was asked to be replaced. */
  async #place(from: string, to: string, { again }: { readonly again: boolean }): Promise<boolean> {
    for (let attempt = 0; attempt < PLACE_ATTEMPTS_MAX; attempt += 1) {
      try {
        await rename(from, to);
        return true;
      } catch (error) {
        if (!hasCode(error, 'EEXIST') && !hasCode(error, 'ENOTEMPTY')) throw error;
        if (!again && (await readRecord(to))) return false;
        const away = this.#beside('removing');
        await rename(to, away).catch((gone: unknown) => {
          if (!hasCode(gone, 'ENOENT')) throw gone;
        });
        await rm(away, { recursive: true, force: true });
      }
    }
    throw new Error(`${to} is replaced again and again`);
  }

  async #tellSize(folder: string, tell: (step: string) => void): Promise<void> {
    const names = await readdir(join(folder, 'node_modules')).catch((): string[] => []);
    const packages = names.filter((name) => !name.startsWith('.')).length;
    if (packages > 0) tell(`Unpacking, ${packages} packages so far …`);
  }

  async #names(): Promise<readonly string[]> {
    return await readdir(this.#options.folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
  }

  async #read(name: string): Promise<InstalledPackage | undefined> {
    const folder = join(this.#options.folder, name);
    // A link in its place could lead anywhere.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) return undefined;
    const record = await readRecord(folder);
    if (!record) return undefined;
    const { mtimeMs } = await stat(join(folder, RECORD));
    return { ...record, folder, lastUsedAt: mtimeMs };
  }

  #beside(what: string): string {
    return join(this.#options.folder, `.${what}-${process.pid}-${this.#options.ids.next('p')}`);
  }

  /** Of processes that are gone, or that began so long ago that the number may be another's. */
  async #removeLeftovers(): Promise<void> {
    const { folder, clock, limits } = this.#options;
    for (const name of await this.#names()) {
      const pid = /^\.(?:installing|removing)-(\d+)-/.exec(name)?.[1];
      if (pid === undefined) continue;
      const path = join(folder, name);
      const found = await lstat(path).catch(() => undefined);
      const old = found !== undefined && clock.now() - found.mtimeMs > limits.packageLeftoverMs;
      if (old || !isAlive(Number(pid))) await rm(path, { recursive: true, force: true });
    }
  }
}

const PLACE_ATTEMPTS_MAX = 5;
const PYTHON = /^venv[/\\]bin[/\\]python[\d.]*$/;

function isSameContent(approved: string, installed: string): boolean {
  const sums = installed.split(/\s+/);
  return approved.split(/\s+/).every((sum) => sums.includes(sum));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM'); // another user's process has the number now
  }
}
