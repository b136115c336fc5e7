import { messageOf, PlugError, toPlugError } from '../../base/errors.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { runningPackage } from '../../servers/plans/running-package.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { Core } from '../core.ts';
import type { UpdateView } from '../hub.ts';
import type { Implementations } from '../operations/table.ts';
import { serverKey, type Workspace } from '../workspace.ts';
import { applyUpdate, planUpdate, UpdateShelf } from './update.ts';

const shelves = new WeakMap<Core['changes'], UpdateShelf>();

/** One shelf for each hub, whatever folder it is seen from. */
function shelfOf(core: Core): UpdateShelf {
  const shelf = shelves.get(core.changes) ?? new UpdateShelf(core);
  shelves.set(core.changes, shelf);
  return shelf;
}

export function updatesOf(core: Core, workspace: Workspace): Pick<Implementations, 'updates'> {
  const shelf = shelfOf(core);
  return {
    updates: {
      list: async ({ server, check = false }, { signal }) => {
        const chosen = server === undefined ? workspace.servers : [workspace.resolved(server)];
        return await Promise.all(chosen.map((each) => viewOf(core, each, { check, signal })));
      },
      plan: ({ server, version }, options) =>
        planUpdate(core, workspace, shelf, { server, version, options }),
      apply: async ({ server, update }) => {
        const made = shelf.take(update);
        if (made.server !== server) {
          throw new PlugError('usage', `This update is of ${made.server}.`, { owner: 'you', server });
        }
        return await applyUpdate(core, workspace, made);
      },
    },
  };
}

async function viewOf(
  core: Core,
  { definition }: ResolvedServer,
  { check, signal }: { readonly check: boolean; readonly signal: AbortSignal | undefined },
): Promise<UpdateView> {
  const key = serverKey(definition);
  const { id: server } = definition;
  let failure: string | undefined;
  if (check) {
    try {
      await core.versions.check(key, definition, { signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      failure = messageOf(toPlugError(error));
    }
  }
  const pack = runningPackage(definition);
  const known = core.versions.view(key, pack, core.pool.manifest(key)) ?? {};
  const view = { server, ...known };
  if (pack?.registry !== 'npm' && pack?.registry !== 'pypi') {
    const why =
      definition.endpoint.kind === 'stdio'
        ? 'It isn’t started from a package registry.'
        : 'Its provider updates it.';
    return { ...view, state: 'unknown', why };
  }
  if (known.latest === undefined) {
    const why = failure ?? 'Not checked yet.';
    return { ...view, state: pack.pinned === 'exact' ? 'unknown' : 'unpinned', why };
  }
  const why = failure === undefined ? {} : { why: failure };
  if (pack.pinned !== 'exact') return { ...view, ...why, state: 'unpinned' };
  if (known.latest === pack.version) return { ...view, ...why, state: 'newest' };
  return { ...view, ...why, state: 'newer', ...nextStep({ do: 'update', server }) };
}
