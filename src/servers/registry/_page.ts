import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ReadDocument } from './document.ts';
import type { RegistryEntry } from './entry.ts';
import type { RegistryPage } from './registry.ts';

type Read = (document: unknown, registry: string) => ReadDocument;

export function readPage(answer: unknown, registry: string, read: Read): RegistryPage {
  if (!isObject(answer) || !Array.isArray(answer['servers'])) {
    throw new PlugError('protocol_error', `The registry “${registry}” answered without a list of servers.`, {
      owner: 'registry',
      details: { registry },
    });
  }
  const entries: RegistryEntry[] = [];
  const problems: string[] = [];
  // Extra entries are ignored.
  for (const document of (answer['servers'] as unknown[]).slice(0, limits.registryPageEntriesMax)) {
    const found = read(document, registry);
    if (found.kind === 'ok') entries.push(found.entry);
    else if (problems.length < limits.registryProblemsMax)
      problems.push(`${registry} lists ${found.name}, which was left out: ${found.reason}.`);
  }
  return { entries, problems };
}

export function readOne(document: unknown, registry: string, server: string, read: Read): RegistryEntry {
  const found = read(document, registry);
  if (found.kind === 'ok') return found.entry;
  throw new PlugError('protocol_error', `The registry “${registry}” lists ${server}, but ${found.reason}.`, {
    owner: 'registry',
  });
}
