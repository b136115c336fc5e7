import type { RegistryEntry } from './entry.ts';
import { hostOf } from './verified.ts';

export interface SameKey {
  readonly key: string;
  /** How much it says that two entries are the same server. */
  readonly weight: number;
}

/** Who shares one of these is the same server, also within one registry. */
export function strongKeys(entry: RegistryEntry): readonly SameKey[] {
  const packages = entry.packages.map(({ type, identifier }) => `package ${type} ${bare(type, identifier)}`);
  const remotes = entry.remotes.map(({ url }) => `address ${addressOf(url)}`);
  return [...new Set([...packages, ...remotes])].map((key) => ({ key, weight: 8 }));
}

/** Who shares one of these in another registry is probably the same server. */
export function weakKeys(entry: RegistryEntry): readonly SameKey[] {
  const hosts = entry.remotes.flatMap(({ url }) => hostOf(url) ?? []).filter((host) => !isLent(host));
  const repository = repositoryOf(entry);
  return [
    { key: `name ${nameKey(entry.name)}`, weight: 4 },
    ...(repository === undefined ? [] : [{ key: `repository ${repository}`, weight: 2 }]),
    ...[...new Set(hosts)].map((host) => ({ key: `host ${host}`, weight: 1 })),
  ];
}

/** The package without its version: a tag or digest of an image, `@1.2.3` of an npm package. */
function bare(type: string, identifier: string): string {
  const lower = identifier.toLowerCase();
  if (type === 'oci')
    return lower
      .replace(/@sha256:.*$/, '')
      .replace(/:[^/:]*$/, '')
      .replace(/^docker\.io\//, '');
  return type === 'npm' ? lower.replace(/(?<=.)@[^/]*$/, '') : lower;
}

function addressOf(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
}

function repositoryOf({ repository }: RegistryEntry): string | undefined {
  const plain = repository?.url
    .toLowerCase()
    .replace(/^git\+/, '')
    .replace(/^(https?|ssh|git):\/\//, '')
    .replace(/^(git@|www\.)/, '')
    .replace(':', '/')
    .replace(/\/tree\/.*$/, '')
    .replace(/(\.git)?\/*$/, '');
  return plain === undefined || plain === '' ? undefined : plain;
}

/** `io.github.upstash/context7` and `@upstash/context7-mcp` are both `upstash/context7`. */
function nameKey(name: string): string {
  const parts = name.toLowerCase().split('/');
  const base = plainName(parts.at(-1) ?? '');
  const publisher = parts.length > 1 ? publisherOf(parts[0] ?? '') : base;
  return `${publisher}/${base === '' ? publisher : base}`;
}

function publisherOf(namespace: string): string {
  const labels = namespace.replace(/^@/, '').split('.');
  return plainName(labels.findLast((label) => label !== 'mcp') ?? '');
}

function plainName(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => !NOISE.has(word));
  return words.join('');
}

const NOISE = new Set(['mcp', 'server', 'servers', 'official', 'remote', 'com', '']);

/** Hosts where many makers live: sharing one says nothing. */
function isLent(host: string): boolean {
  return LENT.some((lent) => host === lent || host.endsWith(`.${lent}`));
}

const LENT = [
  'smithery.ai github.io gitlab.io github.com githubusercontent.com workers.dev vercel.app netlify.app',
  'railway.app onrender.com fly.dev run.app azurewebsites.net azurecontainerapps.io herokuapp.com alpic.live',
  'example.com localhost 127.0.0.1',
].flatMap((hosts) => hosts.split(' '));
