import { spawnSync } from 'node:child_process';
import { newPlug, type Plug } from '../scenarios/plug-command.ts';
import { realEnvironment } from './environment.ts';

/** Small published servers that need no account. */
export const MEMORY = '@modelcontextprotocol/server-memory';
export const THINKING = '@modelcontextprotocol/server-sequential-thinking';
export const FILES = '@modelcontextprotocol/server-filesystem';

/** `plug` as shipped, for somebody who just installed it. */
export function realPlug(): Plug {
  return newPlug(realEnvironment(), { rules: 'shipped', hub: 'process' });
}

/** These tests are about the real registry: without it they must fail, and say why. */
export function needRegistry(): void {
  const { status, stderr } = spawnSync('npm', ['view', MEMORY, 'version', '--fetch-retries=1'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status === 0) return;
  throw new Error(
    `The package registry that npm is set up for does not answer, and these tests add published packages. ` +
      `Try: npm view ${MEMORY} version\n${stderr}`,
  );
}
