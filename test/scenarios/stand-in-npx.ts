import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { fixtureCommand } from './plug-command.ts';

export interface StandInNpx {
  readonly PATH: string;
  /** Its arguments, a line for each time it was called, oldest first. */
  readonly calls: () => readonly string[];
}

/** An npx that writes down how it was called, and starts a real server in place of the package. */
export function standInNpx(): StandInNpx {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  const log = join(folder, 'npx.log');
  mkdirSync(bin);
  const server = fixtureCommand('dual')
    .map((word) => `'${word}'`)
    .join(' ');
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\necho "$@" >> '${log}'\nexec ${server}\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  const calls = (): readonly string[] =>
    existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { PATH: `${bin}:${process.env['PATH']}`, calls };
}
