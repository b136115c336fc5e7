import type { FeaturedEntry, FeaturedLookup } from './paste/paste.ts';
import { isCommonWord } from '../base/common-words.ts';
import { editsBetween } from '../base/edit-distance.ts';
import type { AuthKind, Endpoint } from './definition.ts';
import { featuredServers } from './featured-table.ts';
import { isAboutRequest } from './registry/request-words.ts';

export type FeaturedRisk = 'read' | 'write' | 'destructive';

/** Needed before a featured package can run. */
export type FeaturedInput = {
  readonly what: string;
  readonly kind: 'text' | 'secret' | 'file' | 'folders';
} & ({ readonly env: string } | { readonly arg: string });

export interface FeaturedPackage {
  readonly registry: 'npm' | 'pypi' | 'oci';
  readonly name: string;
  readonly args: readonly string[];
  readonly inputs: readonly FeaturedInput[];
}

/** Has either `remote` or `package`. */
export interface FeaturedServer {
  readonly id: string;
  readonly title: string;
  /** What it gives access to, in one sentence. */
  readonly about: string;
  /** Other names of it. */
  readonly words: readonly string[];
  /** What people say who want such a server, without naming it: found by a search, never taken for its name. */
  readonly topics: readonly string[];
  readonly remote?: { readonly kind: 'http' | 'sse'; readonly url: string };
  readonly package?: FeaturedPackage;
  readonly auth: AuthKind;
  readonly docs: string;
  readonly risk: FeaturedRisk;
  /** A read-only tool for the live check, if the server lists it. */
  readonly readTool?: string;
}

export function getFeatured(name: string): FeaturedServer | undefined {
  const wanted = plainName(name);
  return (
    TABLE.find(({ server }) => server.id === name)?.server ??
    TABLE.find(({ names }) => names.includes(wanted))?.server
  );
}

/** Exact names and aliases only. */
export const featuredLookup: FeaturedLookup = {
  find: (words) => {
    const server = getFeatured(words);
    return server && entryOf(server);
  },
  near: (words) => {
    const server = nearest(plainName(words));
    return server && entryOf(server);
  },
};

/** The first letter is seldom wrong, and a short word is too near to too many. */
function nearest(word: string): FeaturedServer | undefined {
  if (word.length < SHORTEST_MISSPELLED || isCommonWord(word) || isAboutRequest(word)) return undefined;
  const farthest = word.length < LONG_WORD ? 1 : 2;
  const near = TABLE.flatMap(({ server, names }) => {
    const edits = names
      .filter((name) => name.length > SHORTEST_MISSPELLED && name[0] === word[0] && !isCommonWord(name))
      .map((name) => editsBetween(word, name, farthest));
    const least = Math.min(farthest + 1, ...edits);
    return least > farthest ? [] : [{ server, least }];
  }).toSorted((a, b) => a.least - b.least);
  const [first, second] = near;
  return first && first.least !== second?.least ? first.server : undefined;
}

const SHORTEST_MISSPELLED = 4;
const LONG_WORD = 8;

function entryOf({ id, title: name, remote, package: pack }: FeaturedServer): FeaturedEntry {
  if (remote) return { id, name, url: remote.url };
  if (!pack) return { id, name };
  const env = pack.inputs.flatMap((input) => ('env' in input ? [input.env] : []));
  const passed = env.flatMap((variable) => ['-e', variable]);
  const [command, ...before] = {
    npm: ['npx', '-y'],
    pypi: ['uvx'],
    oci: ['docker', 'run', '-i', '--rm', ...passed],
  }[pack.registry];
  return { id, name, command: command ?? '', args: [...before, pack.name, ...pack.args], env };
}

export function listFeatured(): readonly FeaturedServer[] {
  return featuredServers;
}

const TABLE = featuredServers.map((server) => ({
  server,
  names: [...new Set([server.id, server.title, ...server.words].map(plainName))],
}));

/** “Draw.io” and “draw io” are the same name. */
export function plainName(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** By exact package or URL. Other arguments, such as another registry, make it a different server. */
export function featuredAt(endpoint: Endpoint): FeaturedServer | undefined {
  if (endpoint.kind !== 'stdio') return BY_URL.get(endpoint.url);
  const { command, args, cwd, env } = endpoint;
  const registry = { npx: 'npm', uvx: 'pypi' }[command];
  // The folder may hold settings or a package of that name.
  if (registry === undefined || cwd !== undefined) return undefined;
  if (Object.keys(env).some((name) => MISLEADING.test(name))) return undefined;
  const [first = '', second = ''] = args;
  const named = command === 'npx' && (first === '-y' || first === '--yes') ? second : first;
  // A version may follow; a scope also starts with @.
  const name = named.replace(/(?<=.)(@|==)[\w.-]+$/, '');
  return BY_PACKAGE.get(`${registry} ${name}`);
}

/** Every list of servers asks for each of them. */
const BY_URL = new Map(featuredServers.map((server) => [server.remote?.url, server]));
const BY_PACKAGE = new Map(
  featuredServers.map((server) => [`${server.package?.registry} ${server.package?.name}`, server]),
);

/** Make npx, uvx or what they run load code from elsewhere. */
const MISLEADING =
  /^(?:(?:npm|npx|node|uv|uvx|pip|python|ld|dyld|bash|git|ssl|xdg)_.*|.*_proxy|python.*|path|pathext|home|userprofile|(?:local)?appdata|prefix|env|shell|comspec|perl5opt|rubyopt)$/i;
