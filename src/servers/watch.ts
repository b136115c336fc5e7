import { watch, type FSWatcher } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Cancel, Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { stampFile, stampFileNow, type FileStamp } from './text-file.ts';

export interface WatchOptions {
  readonly paths: readonly string[];
  readonly clock: Clock;
  readonly onChange: (paths: readonly string[]) => void;
}

export interface ConfigWatch {
  /** Stops all calls of onChange. May be called twice. */
  close(): void;
}

/**
 * Watches folders, since editors replace files and folders may not exist yet. An event is only a hint: a change is
 * a new stamp.
 */
export function watchConfigFiles(options: WatchOptions): ConfigWatch {
  const watching = new Watching(options);
  watching.look();
  return watching;
}

interface WantedFolder {
  readonly identity: string;
  /** Names in this folder that concern us. */
  names: Set<string>;
}

interface WatchedFolder extends WantedFolder {
  readonly watcher: FSWatcher;
}

class Watching implements ConfigWatch {
  readonly #options: WatchOptions;
  readonly #folders = new Map<string, WatchedFolder>();
  #stamps: ReadonlyMap<string, string>;
  #closed = false;
  #looking = false;
  #lookAgain = false;
  #cancelLook: Cancel | undefined;
  #cancelPoll: Cancel | undefined;
  #hintedAt: number | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    // Taken here, so that a caller who watches first and reads second misses nothing.
    this.#stamps = stampMap(options.paths, options.paths.map(stampFileNow));
  }

  close(): void {
    this.#closed = true;
    this.#cancelLook?.();
    this.#cancelPoll?.();
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  look(): void {
    this.#lookAgain = true;
    if (this.#looking || this.#closed) return;
    this.#looking = true;
    void this.#lookUntilCalm();
  }

  /** Waits for a pause in the events, but not forever. */
  #hint(): void {
    if (this.#closed) return;
    const { clock } = this.#options;
    this.#hintedAt ??= clock.monotonic();
    const left = this.#hintedAt + limits.configMaxWaitMs - clock.monotonic();
    this.#cancelLook?.();
    this.#cancelLook = clock.after(Math.max(0, Math.min(limits.configDebounceMs, left)), () => {
      this.#hintedAt = undefined;
      this.look();
    });
  }

  async #lookUntilCalm(): Promise<void> {
    try {
      while (this.#lookAgain && !this.#closed) {
        this.#lookAgain = false;
        await this.#lookOnce();
      }
    } finally {
      this.#looking = false;
    }
  }

  async #lookOnce(): Promise<void> {
    const { paths, onChange } = this.#options;
    // Watch first: a change in between is seen either way.
    const watched = await this.#watchFolders();
    const stamps = stampMap(paths, await Promise.all(paths.map(stampFile)));
    if (this.#closed) return;
    this.#pollEvery(watched ? limits.configPollMs : limits.configPollUnwatchedMs);
    const before = this.#stamps;
    this.#stamps = stamps;
    const changed = paths.filter((path) => before.get(path) !== stamps.get(path));
    if (changed.length > 0) onChange(changed);
  }

  #pollEvery(ms: number): void {
    this.#cancelPoll?.();
    this.#cancelPoll = this.#options.clock.every(ms, () => this.look());
  }

  /** False when some folder cannot be watched. */
  async #watchFolders(): Promise<boolean> {
    const wanted = await foldersToWatch(this.#options.paths);
    if (this.#closed) return true;
    for (const [folder, known] of this.#folders) {
      if (wanted.get(folder)?.identity === known.identity) continue;
      known.watcher.close();
      this.#folders.delete(folder);
    }
    let all = true;
    for (const [folder, want] of wanted) {
      const known = this.#folders.get(folder);
      if (known) known.names = want.names;
      else all = this.#watchFolder(folder, want) && all;
    }
    return all;
  }

  #watchFolder(folder: string, want: WantedFolder): boolean {
    try {
      const watcher = watch(folder, { persistent: false });
      const watched: WatchedFolder = { ...want, watcher };
      const drop = (): void => {
        watcher.close();
        if (this.#folders.get(folder) === watched) this.#folders.delete(folder);
        this.#hint();
      };
      watcher.on('change', (_event, name) => {
        // A removed folder reports its own name, and its watcher is dead even if a new folder takes its place.
        if (name === basename(folder)) drop();
        else if (name === null || watched.names.has(String(name))) this.#hint();
      });
      watcher.on('error', drop);
      this.#folders.set(folder, watched);
      return true;
    } catch {
      // No watches left, or no support: polling takes over.
      return false;
    }
  }
}

/** The deepest existing folder of each path, and of a link's target. */
async function foldersToWatch(paths: readonly string[]): Promise<ReadonlyMap<string, WantedFolder>> {
  const wanted = new Map<string, WantedFolder>();
  for (const path of paths) {
    const target = await realpath(path).catch(() => path);
    for (const file of new Set([path, target])) {
      const found = await deepestFolder(file);
      if (!found) continue;
      const { names } = wanted.get(found.folder) ?? { names: new Set<string>() };
      wanted.set(found.folder, { identity: found.identity, names: names.add(found.name) });
    }
  }
  return wanted;
}

async function deepestFolder(file: string) {
  for (let at = file; at !== dirname(at); at = dirname(at)) {
    const stats = await stat(dirname(at), { bigint: true }).catch(() => undefined);
    if (stats?.isDirectory())
      return { folder: dirname(at), name: basename(at), identity: `${stats.dev}:${stats.ino}` };
  }
  return undefined;
}

function stampMap(
  paths: readonly string[],
  stamps: readonly (FileStamp | undefined)[],
): ReadonlyMap<string, string> {
  return new Map(paths.map((path, index) => [path, stamps[index]?.text ?? 'missing']));
}
