import { spawnSync } from 'node:child_process';
import { installPackages } from '../install-packages.ts';

/** Debian's Emacs, installed if it is missing; one elsewhere is named by PLUG_TEST_EMACS. */
export function findEmacs(): string {
  const named = process.env['PLUG_TEST_EMACS'];
  if (named !== undefined) return named;
  if (!isThere()) installPackages(['emacs-nox'], 'to run the tests of the Emacs package');
  if (!isThere()) throw new Error('Emacs was installed and is nowhere to be found.');
  return EMACS;
}

function isThere(): boolean {
  return spawnSync(EMACS, ['--version']).status === 0;
}

const EMACS = 'emacs';
