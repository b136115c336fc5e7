import { commandOf } from '../base/remedy-command.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { foreignPlace } from '../base/own-places.ts';
import { parseConfigText, type RawEntry } from './config-text.ts';
import { readTextFile, stampFile, type FileStamp } from './text-file.ts';

export type { RawEntry } from './config-text.ts';

export interface ReadableConfigFile {
  readonly kind: 'ok';
  readonly path: string;
  readonly entries: readonly RawEntry[];
  readonly warnings: readonly string[];
  readonly modifiedMs: number;
}

export type ConfigFile =
  | ReadableConfigFile
  | { readonly kind: 'missing'; readonly path: string }
  | ({ readonly kind: 'unreadable'; readonly path: string; readonly reason: string } & LastGood)
  | ({
      readonly kind: 'malformed';
      readonly path: string;
      readonly line: number;
      readonly column: number;
      readonly reason: string;
    } & LastGood);

interface LastGood {
  /** The last readable content: a typo must not stop running servers. */
  readonly lastGood?: ReadableConfigFile;
}

export async function readConfigFile(path: string): Promise<ConfigFile> {
  return (await readStamped(path, false)).file;
}

export class ConfigFileCache {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `own`: the file counts as the user's word, so others must not be able to write it. */
  async read(path: string, { own = false }: { readonly own?: boolean } = {}): Promise<ConfigFile> {
    const known = this.#known.get(path);
    const stamp = await stampFile(path);
    if (known?.stamp && stamp?.text === known.stamp.text && known.settled) return known.file;
    const fresh = await readStamped(path, own);
    if (known && fresh.text !== undefined && fresh.text === known.text) {
      this.#keep(path, { ...fresh, file: known.file }, known.lastGood);
      return known.file;
    }
    const lastGood =
      fresh.file.kind === 'ok' ? fresh.file : fresh.file.kind === 'missing' ? undefined : known?.lastGood;
    const broken = fresh.file.kind === 'unreadable' || fresh.file.kind === 'malformed';
    const file = broken && lastGood ? { ...fresh.file, lastGood } : fresh.file;
    this.#keep(path, { ...fresh, file }, lastGood);
    return file;
  }

  #keep(path: string, read: Stamped, lastGood: ReadableConfigFile | undefined): void {
    // A file written just now may change again without a new stamp.
    const age = read.stamp ? this.#clock.now() - read.stamp.modifiedMs : 0;
    this.#known.set(path, { ...read, lastGood, settled: age > limits.configFreshMs });
  }
}

interface Stamped {
  readonly file: ConfigFile;
  readonly stamp?: FileStamp;
  readonly text?: string;
}

interface Known extends Stamped {
  readonly lastGood: ReadableConfigFile | undefined;
  readonly settled: boolean;
}

async function readStamped(path: string, own: boolean): Promise<Stamped> {
  const foreign = own ? foreignPlace(path) : undefined;
  if (foreign)
    return { file: { kind: 'unreadable', path, reason: `${foreign.says}. ${commandOf(foreign.remedy)}` } };
  const read = await readTextFile(path, limits.configBytesMax);
  if (read.kind !== 'ok') return { file: { ...read, path } };
  const { text, stamp } = read;
  const parsed = parseConfigText(text);
  if (parsed.kind === 'malformed') return { file: { ...parsed, path }, stamp, text };
  return { file: { ...parsed, path, modifiedMs: stamp.modifiedMs }, stamp, text };
}
