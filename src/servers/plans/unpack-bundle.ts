import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { unzip } from './unzip.ts';

/**
 * Unpacks a bundle into `parent/<sha256>` and reads its manifest. The folder appears whole or not
 * at all; one that is there already holds the same bytes and is used as it is.
 */
export async function unpackBundle(
  bytes: Uint8Array,
  { parent, sha256, limits }: { readonly parent: string; readonly sha256: string; readonly limits: Limits },
): Promise<{ readonly folder: string; readonly manifest: unknown }> {
  const files = unzip(bytes, limits);
  const manifest = manifestOf(files.find(({ path }) => path === 'manifest.json')?.bytes);
  const folder = join(parent, sha256);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const half = await mkdtemp(join(parent, 'unpacking-'));
  try {
    for (const { path, bytes: content, executable } of files) {
      const file = join(half, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, content, { flag: 'wx', mode: executable ? 0o700 : 0o600 });
    }
    await rename(half, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!isThere(error)) throw error;
  }
  return { folder, manifest };
}

function isThere(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}

function manifestOf(bytes: Uint8Array | undefined): unknown {
  try {
    if (bytes) return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (cause) {
    throw new PlugError('unsupported', "The bundle's manifest.json is not JSON.", { owner: 'server', cause });
  }
  throw new PlugError('unsupported', 'The download is no bundle: it holds no manifest.json.', {
    owner: 'server',
  });
}
