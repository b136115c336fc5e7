import { getFeatured } from '../featured.ts';
import { FEATURED } from './featured-entries.ts';
import type { RegistryEntry } from './entry.ts';

/** Which entry of which list is meant: `smithery:@acme/maps`, `official:io.github.acme/maps`, `notion`. */
export interface ServerAddress {
  /** A registry's name, or `featured`. */
  readonly registry: string;
  readonly name: string;
}

export function addressOf({ registry, name }: Pick<RegistryEntry, 'registry' | 'name'>): string {
  return registry === FEATURED ? name : `${registry}:${name}`;
}

/** As it is written: whether there is such a registry, its caller knows. `npm:left-pad` is something else. */
export function readAddress(text: string): ServerAddress | undefined {
  const [, registry, name = ''] = ADDRESS.exec(text.trim()) ?? [];
  if (registry === undefined || registry === FEATURED) return featuredAddress(name || text.trim());
  return { registry, name };
}

function featuredAddress(id: string): ServerAddress | undefined {
  return getFeatured(id)?.id === id ? { registry: FEATURED, name: id } : undefined;
}

const ADDRESS = /^([a-z0-9][a-z0-9._-]{0,63}):([\w@][\w .@/+~-]*)$/;
