import { defined } from '../../base/defined.ts';
import type { RegistryContext } from './search.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import type { RegistryEntry } from './entry.ts';
import type { Registry } from './registry.ts';

/** Fetched and stored. If the registry fails, a complete stored entry answers. */
export async function loadEntry(
  registry: Registry,
  name: string,
  options: RegistryContext & { readonly offline?: boolean; readonly version?: string },
): Promise<RegistryEntry> {
  const { store, owner, clock, version, signal } = options;
  const known = (await store.getEntry(owner, registry.name, name))?.entry;
  const usable = known?.detail === 'full' && (version === undefined || known.version === version);
  if (options.offline) {
    if (usable) return known;
    const why = `“${name}” isn't known here, and no requests are made offline.`;
    throw new PlugError('unreachable', why, { owner: 'you', remedy: { do: 'add-server', name } });
  }
  try {
    const entry = await registry.details(name, { signal, ...defined({ version }) });
    if (version === undefined) await store.putEntries(owner, [entry], clock.now());
    return entry;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    // “Not found” is final; for other failures the stored entry answers.
    if (usable && toPlugError(error).code !== 'not_found') return known;
    throw error;
  }
}
