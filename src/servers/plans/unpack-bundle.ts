import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { inThread } from '../../base/thread.ts';

export interface UnpackStart {
  readonly archive: Uint8Array;
  readonly folder: string;
  readonly limits: Limits;
}

export interface UnpackOptions {
  readonly parent: string;
  readonly sha256: string;
  readonly limits: Limits;
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Unpacks into `parent/<sha256>`, all or nothing, in a thread that takes over `bytes`. An existing folder has the
 * same content and is kept.
 */
export async function unpackBundle(
  bytes: Uint8Array,
  options: UnpackOptions,
): Promise<{ readonly folder: string; readonly manifest: unknown; readonly isNew: boolean }> {
  const { parent, sha256, limits } = options;
  const folder = join(parent, sha256);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const unfinished = await mkdtemp(join(parent, 'unpacking-'));
  try {
    await unpackInThread({ archive: bytes, folder: unfinished, limits }, options);
    const manifest = await readManifest(join(unfinished, 'manifest.json'), limits);
    const isNew = await moved(unfinished, folder);
    return { folder, manifest, isNew };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function unpackInThread(start: UnpackStart, { clock = systemClock, signal }: UnpackOptions): Promise<void> {
  const { limits } = start;
  const archive = owned(start.archive);
  return inThread(import.meta.url, {
    workerData: { ...start, archive } satisfies UnpackStart,
    transferList: [archive.buffer],
    resourceLimits: { maxOldGenerationSizeMb: limits.bundleThreadMemoryMb },
    timeoutMs: limits.bundleUnpackMs,
    clock,
    signal,
    late: () => failed('it takes too long'),
    broken: (error) => failed(messageOf(error), error),
  });
}

function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const whole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  // A small one may share its buffer.
  return whole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

function failed(why: string, cause?: unknown): PlugError {
  return new PlugError('unsupported', `The bundle could not be unpacked: ${why}.`, {
    owner: 'server',
    cause,
  });
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
}

function isThere(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}

async function readManifest(file: string, { bundleManifestBytesMax }: Limits): Promise<unknown> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) {
    throw new PlugError('unsupported', 'The download is no bundle: it holds no manifest.json.', {
      owner: 'server',
    });
  }
  await using opened = handle;
  const { size } = await opened.stat();
  if (size > bundleManifestBytesMax) throw failed('its manifest.json is too large');
  try {
    return JSON.parse(await opened.readFile('utf8')) as unknown;
  } catch (cause) {
    throw new PlugError('unsupported', "The bundle's manifest.json is not JSON.", { owner: 'server', cause });
  }
}
