import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Machine } from './client.ts';
import { standardDialect } from './dialect.ts';
import { ELISP_CONTAINER } from './documents/elisp.ts';
import { configFolder } from './places.ts';

/** Has no file of servers: what is written is a block of code that loads our package. */
export const emacs: Client = {
  name: 'emacs',
  title: 'Emacs',
  dialect: { ...standardDialect, kinds: { stdio: null } },
  places: (machine) => [
    { scope: 'user', path: initFile(machine), syntax: 'elisp', container: ELISP_CONTAINER },
  ],
  mistakes: () => [],
};

/** The file that Emacs itself would read, in its order; a new one where there is none. */
function initFile(machine: Machine): string {
  const { home } = machine;
  const named = ['.emacs.el', '.emacs'].map((name) => join(home, name)).find((path) => existsSync(path));
  if (named !== undefined) return named;
  const own = join(home, '.emacs.d');
  const xdg = join(configFolder(machine), 'emacs');
  return join(!existsSync(own) && existsSync(xdg) ? xdg : own, 'init.el');
}
