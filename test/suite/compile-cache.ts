import { join } from 'node:path';
import { lastingFolder } from './lasting-folder.ts';

/**
 * For programs that tests start by the hundred: the product caches its compiled code below its home,
 * and every test has a new one. The folder is outside of every home, so that nothing a test looks at changes.
 */
export const compileCache: Readonly<Record<'NODE_COMPILE_CACHE', string>> = {
  NODE_COMPILE_CACHE: join(lastingFolder, 'plug-tests-compile-cache'),
};
