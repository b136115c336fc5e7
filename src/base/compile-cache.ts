import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { foreignPlace } from './own-places.ts';
import type { Paths } from './paths.ts';

/** Compiled code is cached only in a folder of our own: others could plant code in a shared one. */
export function cacheCompiledCode({ state }: Paths): void {
  const folder = join(state, 'compile-cache');
  if (existsSync(state) && !foreignPlace(folder)) enableCompileCache(folder);
}
