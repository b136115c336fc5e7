import { readFileSync } from 'node:fs';
import { systemClock } from '../src/base/clock.ts';
import { limits } from '../src/base/limits.ts';
import { readDocument } from '../src/servers/registry/document.ts';
import type { FoundServer } from '../src/servers/registry/merge.ts';
import { defaultRegistries, openRegistry } from '../src/servers/registry/open.ts';
import { searchRegistries, type SearchOutcome } from '../src/servers/registry/search.ts';
import type { Storage } from '../src/storage/open.ts';

/** A request as somebody would say it, and the servers that may answer it first. */
export interface PlainRequest {
  readonly say: string;
  readonly first: readonly string[];
}

export function readRequests(file: string): readonly PlainRequest[] {
  return JSON.parse(readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8')) as PlainRequest[]; // our own file
}

export function readRegistryCopy(): readonly object[] {
  return JSON.parse(readFileSync(new URL('data/registry-copy.json', import.meta.url), 'utf8')) as object[]; // likewise
}

/** Searches a copy of the official registry and the featured table; nobody is asked. */
export async function openFinding(
  storage: Storage,
  documents: readonly unknown[],
): Promise<(words: string) => Promise<SearchOutcome>> {
  const entries = documents.flatMap((document) => {
    const read = readDocument(document, 'official');
    return read.kind === 'ok' ? [read.entry] : [];
  });
  const common = { store: storage.registry, owner: 'local', clock: systemClock, limits };
  await storage.registry.putEntries(common.owner, entries, systemClock.now());
  const fetch = (): Promise<never> => Promise.reject(new Error('Nobody is asked.'));
  const registries = defaultRegistries.map((config) => openRegistry(config, { ...common, fetch }));
  return (words) => searchRegistries(words, { ...common, registries, offline: true, featured: true });
}

/** By its own name, or by any list that has it. */
export function isExpected({ first }: PlainRequest, found: FoundServer | undefined): boolean {
  return found?.entries.some(({ name }) => first.includes(name)) ?? false;
}
