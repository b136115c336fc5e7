import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { repairOf, type Repair } from '../repair/repair.ts';
import type { ServerView } from './hub-context.tsx';
import { useServers } from './queries.ts';

/** The one name of a server on the page: as its person named it, else its id. */
export function useServerNames(): (id: string) => string {
  const { data } = useServers();
  return (id) => showHidden(data?.servers.find((server) => server.id === id)?.name ?? id);
}

/** What a server calls itself, where that is another name. */
export function ownTitle({ name, serverInfo }: ServerView): string | undefined {
  const title = [serverInfo?.['title'], serverInfo?.['name']].find((each) => typeof each === 'string');
  const isOther = title !== undefined && title !== '' && title.toLowerCase() !== name.toLowerCase();
  return isOther ? showHidden(title) : undefined;
}

/** Why a server is in its state, under the name that its person knows. */
export function reasonOf(server: ServerView): string {
  const { id, name, state } = server;
  const wanted = state.kind === 'needs-input' ? wantedBy(repairOf(server)) : [];
  if (wanted.length > 0) return showHidden(`Needs ${wanted.join(' and ')} to start.`);
  return showHidden(state.reason.replace(`“${id}”`, () => name).replace(`${id} `, () => `${name} `));
}

/** By name: placeholders of a definition tell only those who wrote it. */
function wantedBy(repair: Repair): readonly string[] {
  if (repair.form === 'values') return repair.inputs.map(({ title }) => title);
  return repair.form === 'file' ? repair.names : [];
}
