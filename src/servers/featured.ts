import type { FeaturedEntry, FeaturedLookup } from './paste/paste.ts';
import type { AuthKind, Endpoint } from './definition.ts';
import { featuredServers } from './featured-table.ts';

export type FeaturedRisk = 'read' | 'write' | 'destructive';

/** Needed before a featured package can run. */
export type FeaturedInput = { readonly what: string; readonly kind: 'text' | 'secret' | 'file' | 'files' } & (
  | { readonly env: string }
  | { readonly arg: string }
);

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
  readonly words: readonly string[];
  readonly remote?: { readonly kind: 'http' | 'sse'; readonly url: string };
  readonly package?: FeaturedPackage;
  readonly auth: AuthKind;
  readonly docs: string;
  readonly risk: FeaturedRisk;
  /** A read-only tool for the live check, if the server lists it. */
  readonly readTool?: string;
}

export interface FeaturedMatch {
  readonly server: FeaturedServer;
  /** 3: the words are its name; 2: they include it; 1: they are a prefix of it. */
  readonly strength: 1 | 2 | 3;
}

/** Matches for words such as “connect me to Notion”, best first, from the table alone. */
export function findFeatured(words: string): readonly FeaturedMatch[] {
  const spoken = plainName(words.slice(0, WORDS_CHARS_MAX));
  const tokens = spoken.split(' ').filter((token) => token !== '');
  const meant = tokens.filter((token) => !FILLERS.has(token)).join(' ');
  if (meant === '') return [];
  return TABLE.map(({ server, names }) => ({ server, ...bestOf(names, ` ${spoken} `, meant) }))
    .filter(({ strength }) => strength > 0)
    .toSorted((a, b) => b.strength - a.strength || b.words - a.words || a.at - b.at)
    .map(({ server, strength }) => ({ server, strength: strength as FeaturedMatch['strength'] })); // 0 is filtered out
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
};

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

const WORDS_CHARS_MAX = 500;

/** Words that don't say which server is meant. */
const FILLERS = new Set(
  (
    'a an the my our me us i we you please can could would want wanna need like to with into for of from and in on ' +
    'connect add install plug setup set up use using get give hook link enable open start access talk ' +
    'mcp server servers account app tool tools integration'
  ).split(' '),
);

interface Best {
  readonly strength: 0 | 1 | 2 | 3;
  readonly words: number;
  /** Position of the name: on a tie, the first one wins. */
  readonly at: number;
}

function bestOf(names: readonly string[], spoken: string, meant: string): Best {
  let best: Best = { strength: 0, words: 0, at: 0 };
  for (const name of names) {
    const at = spoken.indexOf(` ${name} `);
    const strength = name === meant ? 3 : at >= 0 ? 2 : name.startsWith(meant) && meant.length > 2 ? 1 : 0;
    const words = strength === 2 ? name.split(' ').length : 0;
    if (strength > best.strength || (strength === best.strength && words > best.words))
      best = { strength, words, at: Math.max(at, 0) };
  }
  return best;
}

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
  if (endpoint.kind !== 'stdio') return featuredServers.find(({ remote }) => remote?.url === endpoint.url);
  const { command, args, cwd, env } = endpoint;
  // The folder may hold settings or a package of that name.
  if (cwd !== undefined || Object.keys(env).some((name) => MISLEADING.test(name))) return undefined;
  const registry = { npx: 'npm', uvx: 'pypi' }[command];
  const [first = '', second = ''] = args;
  const named = command === 'npx' && (first === '-y' || first === '--yes') ? second : first;
  // A version may follow; a scope also starts with @.
  const name = named.replace(/(?<=.)(@|==)[\w.-]+$/, '');
  return featuredServers.find(
    (server) => server.package?.registry === registry && server.package?.name === name,
  );
}

/** Make npx, uvx or what they run load code from elsewhere. */
const MISLEADING =
  /^(?:(?:npm|npx|node|uv|uvx|pip|python|ld|dyld|bash|git|ssl|xdg)_.*|.*_proxy|python.*|path|pathext|home|userprofile|(?:local)?appdata|prefix|env|shell|comspec|perl5opt|rubyopt)$/i;
