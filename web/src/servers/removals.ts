import type { Hub } from '../hub/hub-context.tsx';

/** Removes a server; answers the change by which that is undone, if it can be. */
export async function removeServer(hub: Hub, id: string): Promise<string | undefined> {
  await hub.servers.remove({ id });
  try {
    const [last] = await hub.changes.list();
    return last?.servers.includes(id) === true ? last.id : undefined;
  } catch {
    return undefined; // it is removed all the same
  }
}

/** Only the last change can be undone, then the one before. */
export async function undoRemovals(hub: Hub, changes: readonly string[]): Promise<void> {
  for (const change of changes.toReversed()) await hub.changes.undo({ change });
}
