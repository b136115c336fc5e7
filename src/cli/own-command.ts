import type { Session } from './session.ts';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `plug` once installed, `npx plug` in a clone; elsewhere the file, as npx would fetch another package. */
export function ownCommand({ cwd, env }: Pick<Session, 'cwd' | 'env'>, program: string = PROGRAM): string {
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

export function firstSteps(plug: string): readonly string[] {
  return [
    'Open the page in your browser:',
    `  ${plug} open`,
    'Or stay in the terminal.',
    ...terminalSteps(plug),
  ];
}

export function terminalSteps(plug: string): readonly string[] {
  return [
    'Plug in a demo server that needs no account:',
    `  ${plug} add everything -- npx -y @modelcontextprotocol/server-everything stdio`,
    'Then call one of its tools:',
    `  ${plug} tools everything`,
    `  ${plug} call everything/echo message=hello`,
    'A remote server is added by its address:',
    `  ${plug} add docs https://example.com/mcp`,
  ];
}
