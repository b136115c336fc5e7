import { listFeatured } from '../featured.ts';
import type { RegistryEntry } from './entry.ts';

type Judged = Pick<RegistryEntry, 'name' | 'remotes' | 'packages' | 'websiteUrl'>;

/** Whether the publisher proved its domain, or the server is featured. */
export function isVerified(entry: Judged): boolean {
  return provesItsDomain(entry) || isFeatured(entry);
}

/** `com.acme/…` is only for the owner of acme.com; `io.github.…` proves just an account. */
function provesItsDomain({ name, remotes, websiteUrl }: Judged): boolean {
  const namespace = name.split('/', 1)[0]?.toLowerCase() ?? '';
  if (!name.includes('/') || !namespace.includes('.')) return false;
  if (LENT.some((lent) => `${namespace}.`.startsWith(`${lent}.`))) return false;
  const domain = namespace.split('.').toReversed().join('.');
  return [...remotes.map(({ url }) => url), websiteUrl ?? ''].some((address) =>
    `.${hostOf(address)}`.endsWith(`.${domain}`),
  );
}

/** Namespaces of hosting services: they don't prove who made a server. */
const LENT = 'io.github io.gitlab ai.smithery live.alpic app.vercel dev.workers app.netlify'.split(' ');

/** Only if everything it offers is featured. */
function isFeatured({ packages, remotes }: Judged): boolean {
  const offered = [...packages.map(({ identifier }) => identifier), ...remotes.map(({ url }) => url)];
  return offered.length > 0 && offered.every((each) => FEATURED.has(each.replace(/\/$/, '')));
}

const FEATURED: ReadonlySet<string> = new Set(
  listFeatured().map(({ remote, package: pack }) => (remote?.url ?? pack?.name ?? '').replace(/\/$/, '')),
);

/** Lower case; `{variables}` don't matter. */
export function hostOf(address: string): string | undefined {
  const plain = address.replaceAll(/\{[^}]*\}/g, 'x');
  return URL.canParse(plain) ? new URL(plain).hostname.toLowerCase() : undefined;
}
