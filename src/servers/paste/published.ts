import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { readDocument } from '../registry/document.ts';
import type { RegistryEntry, RegistryPackage } from '../registry/entry.ts';
import { readSmithery } from '../registry/smithery.ts';
import type { Draft } from './view.ts';

/**
 * Documents of a registry: a server.json, alone or as the official API wraps it, a list of them, or an entry
 * of Smithery. What they declare becomes a plan as if the registry had been asked.
 */
export function publishedServers(root: unknown): readonly Draft[] {
  if (!isObject(root)) return [];
  const { servers } = root;
  const documents = Array.isArray(servers) ? servers.slice(0, limits.pasteServersMax) : [root];
  return documents.flatMap((document) => {
    const listed = entryOf(document);
    return listed ? [draftOf(listed)] : [];
  });
}

function entryOf(document: unknown): RegistryEntry | undefined {
  if (!isObject(document)) return undefined;
  const isSmithery = typeof document['qualifiedName'] === 'string' && Array.isArray(document['connections']);
  const read = isSmithery ? readSmithery(document, 'smithery') : readDocument(document, 'official');
  if (read.kind === 'bad') return undefined;
  const { entry } = read;
  // Other documents have a name and packages, too: a package.json, a lock file.
  const isNamed =
    isSmithery ||
    isObject(document['server']) ||
    entry.remotes.length > 0 ||
    /^[\w.-]+\/[\w.-]+$/.test(entry.name);
  return isNamed && entry.packages.length + entry.remotes.length > 0 ? entry : undefined;
}

/** The first remote, else the first package with a known command: what there is to see of it. */
function draftOf(listed: RegistryEntry): Draft {
  const { name, version, kind, remotes, packages } = listed;
  const base = {
    name: name.slice(name.indexOf('/') + 1),
    ref: {
      kind: kind === 'smithery' ? ('smithery' as const) : ('mcp-registry' as const),
      id: name,
      ...defined({ version }),
    },
    listed,
    extra: {},
  };
  const [remote] = remotes;
  if (remote) return { ...base, transport: remote.kind, url: remote.url };
  const line = packages.map(commandOf).find((found) => found !== undefined);
  return { ...base, transport: line ? 'stdio' : null, ...line };
}

function commandOf(pack: RegistryPackage): Pick<Draft, 'command' | 'args' | 'asked'> | undefined {
  const { type, identifier, version = '', environment } = pack;
  const asked = environment.filter(({ required }) => required).map(({ name }) => name);
  const pinned = (sign: string): string => (version === '' ? identifier : `${identifier}${sign}${version}`);
  const more = asked.length > 0 ? { asked } : {};
  if (type === 'npm') return { command: 'npx', args: ['-y', pinned('@')], ...more };
  if (type === 'pypi') return { command: 'uvx', args: [pinned('==')], ...more };
  if (type !== 'oci' && type !== 'docker') return undefined;
  const image = identifier.includes(':') ? identifier : pinned(':');
  const args = ['run', '-i', '--rm', ...asked.flatMap((name) => ['-e', name]), image];
  return { command: 'docker', args, ...more };
}
