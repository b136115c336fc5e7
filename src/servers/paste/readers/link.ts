import { defined } from '../../../base/defined.ts';
import { imageDraft, isImage } from '../commands/run-image.ts';
import { decodePercent, findUrls, queryOf } from '../urls.ts';
import type { PastedRef } from '../paste.ts';
import type { Draft, Finding, Range, Reader, Reading, View } from '../view.ts';

export const linkReader: Reader = { name: 'link', read: readLinks };

function readLinks(view: View): Reading {
  const found: Finding[] = [];
  const claims: Range[] = [];
  const short = view.text.trim().length < 600;
  for (const { url, at, end } of findUrls(view)) {
    const draft = draftOf(url);
    if (!draft) continue;
    claims.push({ from: at, to: end });
    // A long text links to many repositories: only server listings count.
    if (draft !== 'ignored' && (short || !LOOSE.has(draft.ref?.kind ?? '')))
      found.push({ draft, at, rank: 'link', document: at });
  }
  for (const { end, ...name } of registryNames(view)) {
    found.push(name);
    claims.push({ from: name.at, to: end });
  }
  found.push(...shortNames(view), ...bareImage(view));
  return {
    found: withoutSearches(found),
    claims,
    ...(found.length > 0 ? { format: formatOf(found[0]?.draft.ref) } : {}),
  };
}

/** A search adds nothing when the full name is linked too. */
function withoutSearches(found: readonly Finding[]): readonly Finding[] {
  const ids = found.flatMap(({ draft: { ref } }) => (ref?.kind === 'mcp-registry' ? [ref.id] : []));
  return found.filter(
    ({ draft: { ref } }) => ref?.kind !== 'mcp-registry-search' || !ids.some((id) => id.includes(ref.id)),
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
  mcpb: 'a bundle',
};

/** `weaver-0.4.1.mcpb`, the old `.dxt` too; the version is no part of the name. */
const BUNDLE = /\/([^/]+?)(?:[-_]v?\d+(?:\.[\w.]+)?)?\.(?:mcpb|dxt)$/i;
const BUNDLE_URL_CHARS_MAX = 2_000;

interface Site {
  readonly host: RegExp;
  readonly path: RegExp;
  /** The first two groups of the path are id and version, unless `ref` says otherwise. */
  readonly kind: PastedRef['kind'];
  readonly ref?: (match: RegExpExecArray, url: string) => PastedRef | undefined;
  /** Default: the last part of the id. */
  readonly name?: (match: RegExpExecArray) => string;
}

const SITES: readonly Site[] = [
  {
    kind: 'mcpb',
    host: /./,
    path: BUNDLE,
    ref: (_, url) => (url.length > BUNDLE_URL_CHARS_MAX ? undefined : { kind: 'mcpb', id: url }),
    name: (match) => match[1] ?? '',
  },
  {
    kind: 'npm',
    host: /^(www\.)?npmjs\.com$/,
    path: /^\/package\/((?:@[^/]+\/)?[^/]+)(?:\/v\/([^/]+))?/,
  },
  { kind: 'npm', host: /^npm\.im$/, path: /^\/((?:@[^/]+\/)?[^/]+)/ },
  { kind: 'pypi', host: /^pypi\.org$/, path: /^\/project\/([^/]+)(?:\/(\d[^/]*))?/ },
  { kind: 'smithery', host: /^smithery\.ai$/, path: /^\/(?:servers?|badge)\/((?:@?[^/]+\/)?[^/]+)/ },
  {
    kind: 'mcp-registry',
    host: /^registry\.modelcontextprotocol\.io$/,
    path: /^\/v0(?:\.\d+)?\/servers\/([^/]+(?:\/(?!versions(?:\/|$))[^/]+)?)(?:\/versions\/([^/]+))?/,
  },
  {
    kind: 'mcp-registry-search',
    host: /^registry\.modelcontextprotocol\.io$/,
    path: /^\//,
    ref: (_, url) => searched(url),
  },
  {
    kind: 'mcp-registry',
    host: /^img\.shields\.io$/,
    path: /-((?:io\.github|com|io|ai|dev|app|net|org)\.[\w.-]+?%2F[\w.-]+?)-[0-9a-z]+$/i,
    ref: (match) => ref('mcp-registry', match[1]?.replaceAll('--', '-')),
  },
  { kind: 'glama', host: /^glama\.ai$/, path: /^\/mcp\/servers\/(@?[^/]+(?:\/[^/]+)?)/ },
  {
    kind: 'mcp.so',
    host: /^mcp\.so$/,
    path: /^\/server\/([^/]+)\/([^/]+)/,
    ref: (match) => ref('mcp.so', `${match[1]}/${match[2]}`),
    name: (match) => match[1] ?? '',
  },
  { kind: 'pulsemcp', host: /^(www\.)?pulsemcp\.com$/, path: /^\/servers\/([^/]+)/ },
  { kind: 'lobehub', host: /^(www\.)?lobehub\.com$/, path: /^\/(?:[a-z-]+\/)?mcp\/([^/]+)/ },
  { kind: 'docker-catalog', host: /^hub\.docker\.com$/, path: /^\/mcp\/server\/([^/]+)/ },
  {
    kind: 'docker',
    host: /^hub\.docker\.com$/,
    path: /^\/(?:r|_|repository\/docker)\/([^/]+(?:\/[^/]+)?)/,
  },
  { kind: 'github-mcp-registry', host: /^github\.com$/, path: /^\/mcp\/([^/]+\/[^/]+)/ },
  {
    kind: 'github',
    host: /^github\.com$/,
    path: /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/[^/]+\/(.+))?\/?$/,
    ref: (match) => ref('github', match[1]),
    name: (match) => lastPart(match[2] ?? match[1] ?? ''),
  },
  { kind: 'gitlab', host: /^gitlab\.com$/, path: /^\/([\w./-]+?)(?:\.git)?\/?$/ },
];

/** Never a server: badges, pictures, pages about clients. */
const IGNORED =
  /^https?:\/\/(?:img\.shields\.io|badge|camo\.|raw\.githubusercontent\.com|(?:www\.)?(?:github|npmjs|pypi|smithery|glama|youtube|twitter|x|claude|chatgpt|openai|anthropic|perplexity|docs\.\w+)\.(?:com|org|ai)(?:[/?]|$)|code\.visualstudio\.com|modelcontextprotocol\.io|cursor\.com|discord\.gg)|\.(?:svg|png|jpe?g|gif|webp|ico)(?:[?#]|$)/i;

function draftOf(url: string): Draft | 'ignored' | undefined {
  const plain = url.replace(/^git\+/, '');
  const file = /^file:\/\/\//i.test(plain) ? BUNDLE.exec(plain) : null;
  if (file) return refDraft({ kind: 'mcpb', id: plain }, decodePercent(file[1] ?? ''));
  const parts = /^https?:\/\/([^/?#]+)([^?#]*)/i.exec(plain);
  if (!parts) return undefined;
  const host = (parts[1] ?? '').toLowerCase();
  // Slashes in a name may be encoded: decoded after the path is split.
  const path = (parts[2] || '/').replace(/\/+$/, '') || '/';
  for (const site of SITES) {
    const match = site.host.test(host) ? site.path.exec(path) : null;
    const found = match && (site.ref ? site.ref(match, plain) : ref(site.kind, match[1], match[2]));
    if (match && found) return refDraft(found, site.name?.(match));
  }
  return IGNORED.test(plain) ? 'ignored' : undefined;
}

function refDraft(found: PastedRef, name: string = lastPart(found.id)): Draft {
  return { name, transport: null, ref: found, ...obviousCommand(found), extra: {} };
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

function obviousCommand({ kind, id, version }: PastedRef): Partial<Draft> {
  const pinned = (sign: string): string => (version === undefined ? id : `${id}${sign}${version}`);
  if (kind === 'npm') return { transport: 'stdio', command: 'npx', args: ['-y', pinned('@')] };
  return kind === 'pypi' ? { transport: 'stdio', command: 'uvx', args: [pinned('==')] } : {};
}

const REGISTRY_NAME =
  /(?<![\w./@-])((?:io\.github|com|io|ai|dev|app|net|org|co)\.[\w.-]{1,80}(?:\/|%2F)[\w.-]{1,80})(?:@(\d[\w.-]{0,40}))?/g;

/** `app.example.com/mcp` is a URL without its scheme. */
const HOST = /^[^/]+\.(?:com|net|org|io|ai|dev|app|co)\//;

/** A longer text must mention a registry. */
const WISH_CHARS_MAX = 200;

/** `io.github.someone/server` is a registry name. */
function registryNames({ text }: View): readonly (Finding & { readonly end: number })[] {
  const said = /registry/i.test(text);
  if (text.trim().length > WISH_CHARS_MAX && !said) return [];
  const found = [...text.matchAll(REGISTRY_NAME)].flatMap(
    ({ 0: whole, 1: name = '', 2: version, index: at }) => {
      const id = decodePercent(name)
        .replaceAll('--', '-')
        .replace(/-[0-9a-f]{6}$/, '')
        .replace(/[.]$/, '');
      if (!said && HOST.test(id)) return [];
      const draft = refDraft({ kind: 'mcp-registry', id, ...defined({ version }) });
      return [{ draft, at, rank: 'link' as const, document: at, end: at + whole.length }];
    },
  );
  return found.slice(0, 20);
}

/** `github:owner/repo`, `npm:package` or a scoped package's name as the whole paste. */
function shortNames({ text }: View): readonly Finding[] {
  const whole = text.length > 300 ? '' : text.trim();
  const short = /^(github|npm|pypi|smithery):((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)?)$/.exec(whole);
  const scoped = /^(@[\w.-]+\/[\w.-]+?)(?:@([\w.-]+))?$/.exec(whole);
  const found = short
    ? ref(short[1] as PastedRef['kind'], short[2]) // one of the four kinds in the pattern
    : scoped
      ? ref('npm', scoped[1], scoped[2])
      : undefined;
  return found ? [{ draft: refDraft(found), at: 0, rank: 'link', document: 0 }] : [];
}

/** `ghcr.io/acme/mcp`, `mcp/postgres` or `acme/mcp:1.2` as the whole paste, or named in a sentence about an image. */
function bareImage({ text }: View): readonly Finding[] {
  const whole = text.length > 400 ? '' : text.trim();
  const image =
    (/^(?:(?:docker |container )?image\s*[:=]\s*)?[`"']?([^\s`"']+?)[`"']?$/i.exec(whole) ??
      (/\b(?:image|container)\b/i.test(whole) ? /`([^\s`]+)`/.exec(whole) : null))?.[1] ?? '';
  const [first = ''] = image.split('/');
  const [, id = '', version] = /^(.+?)(?::([^/]+))?$/.exec(image) ?? [];
  if (!isImage(image) || !(IMAGE_HOST.test(first) || first === 'mcp' || version !== undefined)) return [];
  const found: PastedRef = { kind: 'docker', id, ...defined({ version }) };
  return [
    { draft: { ...imageDraft({ image }), name: lastPart(id), ref: found }, at: 0, rank: 'link', document: 0 },
  ];
}

/** Hosts that keep images; `host.example.com/mcp` is the address of a server. */
const IMAGE_HOST =
  /^(?:(?:[\w-]+\.)*(?:ghcr|docker|quay|gcr|azurecr|lscr|nvcr)\.io|(?:[\w-]+\.)*pkg\.dev|public\.ecr\.aws|[\w.-]+\.amazonaws\.com|mcr\.microsoft\.com|cgr\.dev|(?:registry|harbor|docker)\.[\w.-]+|localhost:\d+)$/;
