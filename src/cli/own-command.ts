import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Typist {
  /** The folder in which the command was typed. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What a person types to run this very program: `plug` once it is installed, `npx plug` in a clone.
 * Elsewhere npx would fetch some package of that name, so there the file itself is named.
 */
export function ownCommand({ cwd, env }: Typist, program: string = PROGRAM): string {
  const clone = dirname(dirname(program));
  // Sources are not published: where they are, this is a clone.
  if (!existsSync(join(clone, 'src', 'bin.ts')) || isOnPath(program, env['PATH'])) return 'plug';
  const inClone = !/^\.\.|^[A-Za-z]:/.test(relative(realOf(clone) ?? clone, realOf(cwd) ?? cwd));
  return inClone ? 'npx plug' : `node ${program}`;
}

/** This module stands one folder below the program, as source and as built. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../bin.ts' : '../bin.js', import.meta.url),
);

/** A clone may be linked into the PATH. What npm adds to it while it runs a script does not count. */
function isOnPath(program: string, path = ''): boolean {
  const own = realOf(program);
  return path
    .split(delimiter)
    .filter((folder) => folder !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .some((folder) => own !== undefined && realOf(join(folder, 'plug')) === own);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // there is nothing of that name
  }
}
