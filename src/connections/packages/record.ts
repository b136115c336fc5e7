import { createHash } from 'node:crypto';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { WantedPackage } from './packaged-run.ts';

/** A program of a package, and what starts it. */
export interface PackageProgram {
  /** Within the package's folder. */
  readonly file: string;
  /** Options of Node that its first line names; absent for what is no script of Node's. */
  readonly node?: readonly string[];
}

/** What is known of an installed version; written last, so that where it is, all is. */
export interface PackageRecord extends WantedPackage {
  readonly format: 1;
  readonly integrity: string;
  readonly programs: Readonly<Record<string, PackageProgram>>;
  /** What the package says of the versions of Node that it runs on. */
  readonly engines?: string;
  /** Packages that were installed with it, itself included. */
  readonly packages: number;
  readonly files: number;
  readonly bytes: number;
  /** Packages whose install scripts a person has allowed to run. */
  readonly scripts?: readonly string[];
  /** Why it is not started from here; nothing but this record is there then. */
  readonly refused?: string;
  readonly installedAt: number;
}

export interface InstalledPackage extends PackageRecord {
  readonly folder: string;
  readonly lastUsedAt: number;
}

export const RECORD = 'package-record.json';
export const FILES = 'package-files.json';

/** One path component, whatever the name holds; the digest keeps apart what the letters do not. */
export function folderName({
  registry,
  name,
  version,
  integrity,
}: WantedPackage & { integrity: string }): string {
  const id = createHash('sha256')
    .update(JSON.stringify([registry, name, version, integrity]))
    .digest('hex');
  return `${folderPrefix({ registry, name, version })}${id.slice(0, DIGEST_CHARS)}`;
}

/** All contents that ever were this version. */
export function folderPrefix({ registry, name, version }: WantedPackage): string {
  const plain = (text: string, chars: number): string => text.replaceAll(/[^\w.@+~-]/g, '+').slice(0, chars);
  return `${registry}-${plain(name, NAME_CHARS_MAX)}@${plain(version, VERSION_CHARS_MAX)}-`;
}

const DIGEST_CHARS = 16;
const NAME_CHARS_MAX = 100;
const VERSION_CHARS_MAX = 40;

export async function readRecord(folder: string): Promise<PackageRecord | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, RECORD), 'utf8'));
    // Written by ourselves into a folder that nobody else may write.
    return isObject(record) && record['format'] === 1 ? (record as unknown as PackageRecord) : undefined;
  } catch {
    return undefined; // not whole, or not ours
  }
}

/** The time of the record is when the package was last started. */
export async function markUsed(folder: string, now: number): Promise<void> {
  await utimes(join(folder, RECORD), now / 1000, now / 1000);
}
