import { clientTitle } from '../../servers/clients/clients.ts';
import type { ChangeKind, ChangeView } from '../changes.ts';
import type { Change } from './change.ts';

export function changeView({ id, at, kind, names, state, files, servers }: Change): ChangeView {
  return {
    id,
    at,
    kind,
    says: SAYS[kind](names),
    servers: servers.map((server) => server.id),
    files: files.map(({ path }) => path),
    ...(state === 'open' ? { unfinished: true } : {}),
  };
}

type Says = (names: readonly string[]) => string;

const listed: Says = (names) => {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown;
};
const NAMES_SHOWN = 5;

const titled: Says = (names) => listed(names.map(clientTitle));

const SAYS: Readonly<Record<ChangeKind, Says>> = {
  add: (names) => `Added ${listed(names)}.`,
  replace: (names) => `Replaced ${listed(names)}.`,
  remove: (names) => `Removed ${listed(names)}.`,
  enable: (names) => `Enabled ${listed(names)}.`,
  disable: (names) => `Disabled ${listed(names)}.`,
  set: (names) => `Changed a setting of ${listed(names)}.`,
  apply: () => 'Replaced the list of servers.',
  import: (names) => `Imported ${listed(names)}.`,
  connect: (names) => `Connected ${titled(names)}.`,
  disconnect: (names) => `Disconnected ${titled(names)}.`,
  setup: (names) => (names.length === 0 ? 'Setup.' : `Setup of ${titled(names)}.`),
  update: (names) => `Updated ${listed(names)}.`,
};
