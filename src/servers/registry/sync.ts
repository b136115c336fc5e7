import type { RegistryContext } from './search.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { defined } from '../../base/defined.ts';
import { latestOf } from './official.ts';
import type { ListQuery, Registry, RegistryPage } from './registry.ts';
import type { RegistrySync } from './store.ts';

export interface SyncOptions extends RegistryContext {
  readonly limits: Limits;
}

export interface SyncOutcome {
  readonly registry: string;
  readonly pages: number;
  readonly seen: number;
  readonly removed: number;
  readonly problems: readonly string[];
}

/** Copies a registry: all of it first, later only changes. Each page is stored, so a pass can resume. */
export async function syncRegistry(registry: Registry, options: SyncOptions): Promise<SyncOutcome> {
  const { store, owner, clock, limits } = options;
  const list = listOf(registry, options);
  const start = await startOf(registry, options);
  const since = start.resume ? start.resume.since : start.updatedSince;
  let cursor = start.resume?.cursor;
  let newest = start.resume?.newest ?? since;
  const done = { pages: 0, seen: 0, removed: 0, problems: [] as string[] };
  const cursors = new Set<string>();
  for (;;) {
    const page = await list({ limit: limits.registryPageSize, ...defined({ cursor, updatedSince: since }) });
    done.pages += 1;
    done.seen += page.entries.length;
    done.removed += await keepPage(page, registry.name, options);
    done.problems.push(...page.problems.slice(0, limits.registryProblemsMax - done.problems.length));
    newest = page.entries.reduce((max, { updatedAt = 0 }) => Math.max(max, updatedAt), newest ?? 0);
    cursor = page.nextCursor;
    const enough = done.pages >= limits.registryPagesMax || done.seen >= limits.registryEntriesMax;
    // A repeated cursor would never end.
    if (cursor === undefined || cursors.has(cursor) || enough) break;
    cursors.add(cursor);
    await store.putSync(owner, { ...start, resume: { cursor, newest, ...defined({ since }) } });
  }
  await store.putSync(owner, {
    registry: registry.name,
    url: registry.url,
    completedAt: clock.now(),
    ...(newest === 0 ? {} : { updatedSince: newest }),
  });
  return { registry: registry.name, ...done };
}

/** Entries from another URL under this name are dropped. */
async function startOf(registry: Registry, { store, owner }: SyncOptions): Promise<RegistrySync> {
  const { name, url } = registry;
  const known = await store.getSync(owner, name);
  if (known?.url === url) return known;
  if (known) await store.dropRegistry(owner, name);
  return { registry: name, url };
}

/** Waits when the registry asks for a pause. */
function listOf(registry: Registry, options: SyncOptions): (query: ListQuery) => Promise<RegistryPage> {
  const { clock, limits, signal } = options;
  if (registry.list === undefined) {
    throw new PlugError('unsupported', `The registry “${registry.name}” can be asked, but not copied.`, {
      owner: 'registry',
    });
  }
  const list = registry.list.bind(registry);
  return async (query) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await list(query, { signal });
      } catch (error) {
        const failure = toPlugError(error);
        if (failure.code !== 'rate_limited' || attempt > limits.rateLimitRetriesMax) throw error;
        const asked = Number(failure.details?.['retryAfterMs'] ?? limits.rateLimitBackoffBaseMs);
        await clock.sleep(Math.min(asked, limits.registrySyncPauseMs), signal);
      }
    }
  };
}

async function keepPage(page: RegistryPage, registry: string, options: SyncOptions): Promise<number> {
  const { store, owner, clock } = options;
  const latest = latestOf(page.entries).filter(({ isLatest }) => isLatest);
  const gone = latest.filter(({ status }) => status === 'deleted').map(({ name }) => name);
  const kept = latest.filter(({ status }) => status !== 'deleted');
  await store.putEntries(owner, kept, clock.now());
  return gone.length === 0 ? 0 : await store.deleteEntries(owner, registry, gone);
}
