import { listFeatured, type FeaturedServer } from '../featured.ts';
import { wordSet } from '../word-set.ts';
import type { RegistryEntry } from './entry.ts';

type Judged = Pick<RegistryEntry, 'name' | 'remotes' | 'packages' | 'websiteUrl'>;

/** `io.github.acme/files` is called “files”. */
export function ownName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Whose namespace it is: “acme” of `io.github.acme/…`, `com.acme.mcp/…` and `@acme/…`. */
export function makerOf(name: string): string | undefined {
  const namespace = namespaceOf(name);
  if (namespace === undefined) return undefined;
  const account = accountIn(namespace);
  if (account !== undefined) return account;
  if (isLentName(namespace)) return undefined;
  const labels = namespace.split('.');
  if (labels.length === 1) return labels[0];
  return SECOND_LEVEL.has(labels[1] ?? '') ? labels[2] : labels[1];
}

/**
 * Whether a registry has proved who the maker is: only the owner of an account or a domain gets its namespace.
 * Handles, such as Smithery's, can be taken by anybody.
 */
export function isProvedMaker({ kind, name }: Pick<RegistryEntry, 'kind' | 'name'>): boolean {
  const namespace = namespaceOf(name);
  if (kind !== 'official' || namespace === undefined || !namespace.includes('.')) return false;
  return accountIn(namespace) !== undefined || !isLentName(namespace);
}

function namespaceOf(name: string): string | undefined {
  if (!name.includes('/')) return undefined;
  return name.split('/', 1)[0]?.toLowerCase().replace(/^@/, '');
}

function accountIn(namespace: string): string | undefined {
  return /^io\.(?:github|gitlab)\.([^.]+)$/.exec(namespace)?.[1];
}

/** `uk.co.acme`: the domain is acme.co.uk. */
const SECOND_LEVEL = wordSet('co com org net gov ac edu');

/** Whether the publisher proved its domain, or the server or its maker is featured. */
export function isVerified(entry: Judged & Pick<RegistryEntry, 'kind'>): boolean {
  return provesItsDomain(entry) || isFeatured(entry) || isOfFeaturedMaker(entry);
}

/** `com.acme/…` is only for the owner of acme.com; `io.github.…` proves just an account. */
function provesItsDomain({ name, remotes, websiteUrl }: Judged): boolean {
  const namespace = namespaceOf(name);
  if (namespace === undefined || !namespace.includes('.') || isLentName(namespace)) return false;
  const domain = domainOf(namespace);
  return [...remotes.map(({ url }) => url), websiteUrl ?? ''].some((address) =>
    `.${hostOf(address)}`.endsWith(`.${domain}`),
  );
}

function domainOf(namespace: string): string {
  return namespace.split('.').toReversed().join('.');
}

function isLentName(namespace: string): boolean {
  return LENT_NAMES.some((lent) => `${namespace}.`.startsWith(`${lent}.`));
}

/** Namespaces of hosting services: they don't prove who made a server. */
const LENT_NAMES = 'io.github io.gitlab ai.smithery live.alpic app.vercel dev.workers app.netlify'.split(' ');

/** Only if everything it offers is featured. */
function isFeatured({ packages, remotes }: Pick<Judged, 'packages' | 'remotes'>): boolean {
  const offered = [...packages.map(({ identifier }) => identifier), ...remotes.map(({ url }) => url)];
  return offered.length > 0 && offered.every((each) => OFFERS.has(withoutSlash(each)));
}

const OFFERS: ReadonlySet<string> = new Set(
  listFeatured().map(({ remote, package: pack }) => withoutSlash(remote?.url ?? pack?.name ?? '')),
);

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

function isOfFeaturedMaker(entry: Pick<RegistryEntry, 'kind' | 'name'>): boolean {
  const account = accountIn(namespaceOf(entry.name) ?? '');
  return account !== undefined && isProvedMaker(entry) && ACCOUNTS.has(account);
}

/** The account that the code of a featured server is kept in. */
function accountOf({ docs }: FeaturedServer): string | undefined {
  return /^https:\/\/github\.com\/([^/]+)\//.exec(docs)?.[1]?.toLowerCase();
}

const ACCOUNTS: ReadonlySet<string> = new Set(listFeatured().flatMap((server) => accountOf(server) ?? []));

/** Whether a registry's entry is published by who makes the featured server: it may then stand for it. */
export function isBySameMaker(entry: RegistryEntry, featured: FeaturedServer): boolean {
  if (!isProvedMaker(entry)) return false;
  const namespace = namespaceOf(entry.name) ?? '';
  const account = accountIn(namespace);
  if (account !== undefined) return account === accountOf(featured);
  const hosts = [featured.remote?.url, featured.docs].flatMap((url) => hostOf(url ?? '') ?? []);
  return hosts.some((host) => !isLentHost(host) && `.${host}`.endsWith(`.${domainOf(namespace)}`));
}

/** Lower case; `{variables}` don't matter. */
export function hostOf(address: string): string | undefined {
  const plain = address.replaceAll(/\{[^}]*\}/g, 'x');
  return URL.canParse(plain) ? new URL(plain).hostname.toLowerCase() : undefined;
}

/** Shared hosting: the same host means nothing. */
export function isLentHost(host: string): boolean {
  return LENT_HOSTS.some((lent) => `.${host}`.endsWith(`.${lent}`));
}

const LENT_HOSTS = [
  'smithery.ai github.io gitlab.io github.com githubusercontent.com workers.dev vercel.app netlify.app',
  'railway.app onrender.com fly.dev run.app azurewebsites.net azurecontainerapps.io herokuapp.com alpic.live',
  'example.com localhost 127.0.0.1',
].flatMap((hosts) => hosts.split(' '));
