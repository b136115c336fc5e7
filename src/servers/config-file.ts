import { commandOf } from '../base/remedy-command.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { foreignPlace } from '../base/own-places.ts';
import { parseConfigText, type RawEntry } from './config-text.ts';
import type { DeclaredInput } from './entry/inputs.ts';
import { readTextFile, stampFile, type FileStamp } from './text-file.ts';

export type { RawEntry } from './config-text.ts';

export interface ReadableConfigFile {
  readonly kind: 'ok';
  readonly path: string;
  readonly entries: readonly RawEntry[];
  readonly inputs: readonly DeclaredInput[];
  readonly warnings: readonly string[];
  readonly modifiedMs: number;
}

export type ConfigFile =
  | ReadableConfigFile
  | { readonly kind: 'missing'; readonly path: string }
  | (BrokenConfigFile & { readonly kind: 'unreadable' })
  /** Line and column count from 1. */
  | (BrokenConfigFile & { readonly kind: 'malformed'; readonly line: number; readonly column: number });

interface BrokenConfigFile {
  readonly path: string;
  readonly reason: string;
  /** The last readable content: a typo must not stop running servers. */
  readonly lastGood?: ReadableConfigFile;
}

export async function readConfigFile(path: string): Promise<ConfigFile> {
  return (await readStamped(path, false)).file;
}

/** Remembers each file until its stamp changes. */
export class ConfigFileCache {
  readonly #clock: Clock;
  readonly #known = new Map<string, KnownFile>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `own`: the file counts as the user's word, so others must not be able to write it. */
  async read(path: string, { own = false }: { readonly own?: boolean } = {}): Promise<ConfigFile> {
    const known = this.#known.get(path);
    const stamp = await stampFile(path);
    if (known?.stamp && stamp?.text === known.stamp.text && known.settled) return known.file;
    const fresh = await readStamped(path, own);
    const unchanged = known !== undefined && fresh.text !== undefined && fresh.text === known.text;
    const file = unchanged ? known.file : withLastGood(fresh.file, known?.lastGood);
    const lastGood = unchanged ? known.lastGood : readableOf(file);
    // A file written just now may change again without a new stamp.
    const age = fresh.stamp ? this.#clock.now() - fresh.stamp.modifiedMs : 0;
    this.#known.set(path, { ...fresh, file, lastGood, settled: age > limits.configFreshMs });
    return file;
  }
}

function withLastGood(file: ConfigFile, lastGood: ReadableConfigFile | undefined): ConfigFile {
  return lastGood && (file.kind === 'unreadable' || file.kind === 'malformed') ? { ...file, lastGood } : file;
}

/** A broken file counts as it was: a typo stops nothing. */
export function readableOf(file: ConfigFile): ReadableConfigFile | undefined {
  if (file.kind === 'ok') return file;
  return file.kind === 'missing' ? undefined : file.lastGood;
}

interface Stamped {
  readonly file: ConfigFile;
  readonly stamp?: FileStamp;
  readonly text?: string;
}

interface KnownFile extends Stamped {
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
