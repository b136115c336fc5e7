import { decodePercent, findUrls, queryOf } from '../urls.ts';
import type { PastedRef } from '../paste.ts';
import type { Draft, Found, Range, Reader, Reading, View } from '../view.ts';

export const linkReader: Reader = { name: 'link', read: readLinks };

function readLinks(view: View): Reading {
  const found: Found[] = [];
  const claims: Range[] = [];
  const short = view.text.trim().length < 600;
  for (const { url, at, end } of findUrls(view)) {
    const draft = draftOf(url);
    if (draft === 'ignored') claims.push({ from: at, to: end });
    if (!draft || draft === 'ignored') continue;
    claims.push({ from: at, to: end });
    // A long text links to many repositories: only server listings count.
    if (short || !LOOSE.has(draft.ref?.kind ?? '')) found.push({ draft, at, rank: 'link', document: at });
  }
  for (const { at, end, ...rest } of registryNames(view)) {
    found.push({ ...rest, at });
    claims.push({ from: at, to: end });
  }
  found.push(...shortNames(view));
  return {
    found: withoutSearches(found),
    claims,
    ...(found.length > 0 ? { format: formatOf(found[0]?.draft.ref) } : {}),
  };
}

/** A search adds nothing when the full name is linked too. */
function withoutSearches(found: readonly Found[]): readonly Found[] {
  const ids = found
    .map(({ draft }) => draft.ref)
    .filter((other) => other?.kind === 'mcp-registry')
    .map((other) => other?.id ?? '');
  return found.filter(
    ({ draft }) =>
      draft.ref?.kind !== 'mcp-registry-search' || !ids.some((id) => id.includes(draft.ref?.id ?? '')),
  );
}

const LOOSE: ReadonlySet<string> = new Set(['github', 'gitlab']);

function formatOf(ref: PastedRef | undefined): string {
  return `a link to ${ref === undefined ? 'a server' : (NAMES[ref.kind] ?? ref.kind)}`;
}

const NAMES: Partial<Record<PastedRef['kind'], string>> = {
  npm: 'an npm package',
  pypi: 'a PyPI package',
  github: 'a GitHub repository',
  smithery: 'Smithery',
  'mcp-registry': 'the MCP registry',
  docker: 'a Docker image',
};

interface Site {
  readonly host: RegExp;
  readonly path: RegExp;
  readonly ref: (match: RegExpExecArray, url: string) => PastedRef | undefined;
  readonly name?: (match: RegExpExecArray) => string;
}

const SITES: readonly Site[] = [
  {
    host: /^(www\.)?npmjs\.com$/,
    path: /^\/package\/((?:@[^/]+\/)?[^/]+)(?:\/v\/([^/]+))?/,
    ref: (match) => ref('npm', match[1], match[2]),
  },
  { host: /^npm\.im$/, path: /^\/((?:@[^/]+\/)?[^/]+)/, ref: (match) => ref('npm', match[1]) },
  {
    host: /^pypi\.org$/,
    path: /^\/project\/([^/]+)(?:\/(\d[^/]*))?/,
    ref: (match) => ref('pypi', match[1], match[2]),
  },
  {
    host: /^smithery\.ai$/,
    path: /^\/(?:servers?|badge)\/((?:@?[^/]+\/)?[^/]+)/,
    ref: (match) => ref('smithery', match[1]),
  },
  {
    host: /^registry\.modelcontextprotocol\.io$/,
    path: /^\/v0(?:\.\d+)?\/servers\/([^/]+(?:\/(?!versions(?:\/|$))[^/]+)?)(?:\/versions\/([^/]+))?/,
    ref: (match) => ref('mcp-registry', match[1], match[2]),
  },
  { host: /^registry\.modelcontextprotocol\.io$/, path: /^\//, ref: (_, url) => searched(url) },
  {
    host: /^img\.shields\.io$/,
    path: /-((?:io\.github|com|io|ai|dev|app|net|org)\.[\w.-]+?%2F[\w.-]+?)-[0-9a-z]+$/i,
    ref: (match) => ref('mcp-registry', match[1]?.replaceAll('--', '-')),
  },
  {
    host: /^glama\.ai$/,
    path: /^\/mcp\/servers\/(@?[^/]+(?:\/[^/]+)?)/,
    ref: (match) => ref('glama', match[1]),
  },
  {
    host: /^mcp\.so$/,
    path: /^\/server\/([^/]+)\/([^/]+)/,
    ref: (match) => ref('mcp.so', `${match[1]}/${match[2]}`),
    name: (match) => match[1] ?? '',
  },
  { host: /^(www\.)?pulsemcp\.com$/, path: /^\/servers\/([^/]+)/, ref: (match) => ref('pulsemcp', match[1]) },
  {
    host: /^(www\.)?lobehub\.com$/,
    path: /^\/(?:[a-z-]+\/)?mcp\/([^/]+)/,
    ref: (match) => ref('lobehub', match[1]),
  },
  {
    host: /^hub\.docker\.com$/,
    path: /^\/mcp\/server\/([^/]+)/,
    ref: (match) => ref('docker-catalog', match[1]),
  },
  {
    host: /^hub\.docker\.com$/,
    path: /^\/(?:r|_|repository\/docker)\/([^/]+(?:\/[^/]+)?)/,
    ref: (match) => ref('docker', match[1]),
  },
  {
    host: /^github\.com$/,
    path: /^\/mcp\/([^/]+\/[^/]+)/,
    ref: (match) => ref('github-mcp-registry', match[1]),
  },
  {
    host: /^github\.com$/,
    path: /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/[^/]+\/(.+))?\/?$/,
    ref: (match) => ref('github', match[1]),
    name: (match) => lastPart(match[2] ?? match[1] ?? ''),
  },
  { host: /^gitlab\.com$/, path: /^\/([\w./-]+?)(?:\.git)?\/?$/, ref: (match) => ref('gitlab', match[1]) },
];

/** Never a server: badges, pictures, pages about clients. */
const IGNORED =
  /^https?:\/\/(?:img\.shields\.io|badge|camo\.|raw\.githubusercontent\.com|(?:www\.)?(?:github|npmjs|pypi|smithery|glama|youtube|twitter|x|claude|chatgpt|openai|anthropic|perplexity|docs\.\w+)\.(?:com|org|ai)(?:[/?]|$)|code\.visualstudio\.com|modelcontextprotocol\.io|cursor\.com|discord\.gg)|\.(?:svg|png|jpe?g|gif|webp|ico)(?:[?#]|$)/i;

function draftOf(url: string): Draft | 'ignored' | undefined {
  const plain = url.replace(/^git\+/, '');
  const parts = /^https?:\/\/([^/?#]+)([^?#]*)/i.exec(plain);
  if (!parts) return undefined;
  const host = (parts[1] ?? '').toLowerCase();
  // Slashes in a name may be encoded: decoded after the path is split.
  const path = (parts[2] || '/').replace(/\/+$/, '') || '/';
  for (const site of SITES) {
    const match = site.host.test(host) ? site.path.exec(path) : null;
    const found = match ? site.ref(match, plain) : undefined;
    if (!match || !found) continue;
    const name = site.name?.(match) ?? lastPart(found.id);
    return { name, transport: null, ref: found, ...obviousCommand(found), extra: {} };
  }
  return IGNORED.test(plain) ? 'ignored' : undefined;
}

function ref(kind: PastedRef['kind'], id = '', version?: string): PastedRef | undefined {
  const plain = decodePercent(id);
  if (plain === '' || plain.length > 200) return undefined;
  return { kind, id: plain, ...(version === undefined ? {} : { version: decodePercent(version) }) };
}

function lastPart(id: string): string {
  return id.split('/').findLast((part) => part !== '') ?? id;
}

function searched(url: string): PastedRef | undefined {
  const words = queryOf(url).find(([key]) => key === 'search' || key === 'q')?.[1];
  if (words === undefined || words === '') return undefined;
  return words.includes('/') ? ref('mcp-registry', words) : ref('mcp-registry-search', words);
}

function obviousCommand({
  kind,
  id,
  version,
}: PastedRef): Pick<Draft, 'command' | 'args' | 'transport'> | undefined {
  if (kind === 'npm')
    return {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', version === undefined ? id : `${id}@${version}`],
    };
  if (kind === 'pypi')
    return { transport: 'stdio', command: 'uvx', args: [version === undefined ? id : `${id}==${version}`] };
  return undefined;
}

const REGISTRY_NAME =
  /(?<![\w./@-])((?:io\.github|com|io|ai|dev|app|net|org|co)\.[\w.-]{1,80}(?:\/|%2F)[\w.-]{1,80})(?:@(\d[\w.-]{0,40}))?/g;

/** `app.example.com/mcp` is a URL without its scheme. */
const HOST = /^[^/]+\.(?:com|net|org|io|ai|dev|app|co)\//;

/** A longer text must mention a registry. */
const WISH_CHARS_MAX = 200;

/** `io.github.someone/server` is a registry name. */
function registryNames({ text }: View): readonly (Found & { readonly end: number })[] {
  const said = /registry/i.test(text);
  if (text.trim().length > WISH_CHARS_MAX && !said) return [];
  const found: (Found & { readonly end: number })[] = [];
  for (const match of text.matchAll(REGISTRY_NAME)) {
    const id = decodePercent(match[1] ?? '')
      .replaceAll('--', '-')
      .replace(/-[0-9a-f]{6}$/, '')
      .replace(/[.]$/, '');
    if (!said && HOST.test(id)) continue;
    const draft: Draft = {
      name: lastPart(id),
      transport: null,
      ref: { kind: 'mcp-registry', id, ...(match[2] === undefined ? {} : { version: match[2] }) },
      extra: {},
    };
    const at = match.index;
    found.push({ draft, at, rank: 'link', document: at, end: at + match[0].length });
    if (found.length >= 20) break;
  }
  return found;
}

function shortNames({ text }: View): readonly Found[] {
  const whole = text.length > 300 ? '' : text.trim();
  const short = /^(github|npm|pypi|smithery):((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)?)$/.exec(whole);
  const scoped = /^(@[\w.-]+\/[\w.-]+?)(?:@([\w.-]+))?$/.exec(whole);
  const found = short
    ? ref(short[1] as PastedRef['kind'], short[2]) // one of the four kinds in the pattern
    : scoped
      ? ref('npm', scoped[1], scoped[2])
      : undefined;
  if (!found) return [];
  const draft: Draft = {
    name: lastPart(found.id),
    transport: null,
    ref: found,
    ...obviousCommand(found),
    extra: {},
  };
  return [{ draft, at: 0, rank: 'link', document: 0 }];
}
