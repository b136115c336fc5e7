import { listFeatured } from '../featured.ts';
import type { RegistryEntry } from './entry.ts';

type Judged = Pick<RegistryEntry, 'name' | 'remotes' | 'packages' | 'websiteUrl'>;

/** Whether we know whose server it is: its publisher proved the domain, or it is a featured one. */
export function isVerified(entry: Judged): boolean {
  return provesItsDomain(entry) || isFeatured(entry);
}

/**
 * The official registry hands out `com.acme/…` only to whoever controls acme.com, so an address
 * below that domain is its owner's. `io.github.…` proves an account, which anybody can open.
 */
function provesItsDomain({ name, remotes, websiteUrl }: Judged): boolean {
  const namespace = name.split('/', 1)[0]?.toLowerCase() ?? '';
  if (!name.includes('/') || !namespace.includes('.') || LENT.some((lent) => isBelow(namespace, lent))) {
    return false;
  }
  const domain = namespace.split('.').toReversed().join('.');
  const addresses = [...remotes.map(({ url }) => url), ...(websiteUrl === undefined ? [] : [websiteUrl])];
  return addresses.some((address) => {
    const host = hostOf(address);
    return host !== undefined && (host === domain || host.endsWith(`.${domain}`));
  });
}

/** Namespaces under which others publish: they prove who hosts a server, not who made it. */
const LENT = [
  'io.github',
  'io.gitlab',
  'ai.smithery',
  'live.alpic',
  'app.vercel',
  'dev.workers',
  'app.netlify',
];

function isBelow(namespace: string, root: string): boolean {
  return namespace === root || namespace.startsWith(`${root}.`);
}

/** Only where nothing else is offered beside the featured thing: a good name lends no trust to a bad one. */
function isFeatured({ packages, remotes }: Judged): boolean {
  const offered = [...packages.map(({ identifier }) => identifier), ...remotes.map(({ url }) => url)];
  return offered.length > 0 && offered.every((each) => FEATURED.has(each.replace(/\/$/, '')));
}

const FEATURED: ReadonlySet<string> = new Set(
  listFeatured().map(({ remote, package: pack }) => (remote?.url ?? pack?.name ?? '').replace(/\/$/, '')),
);

/** The host of an address, lower case; `{variables}` in it do not matter. */
export function hostOf(address: string): string | undefined {
  const plain = address.replaceAll(/\{[^}]*\}/g, 'x');
  return URL.canParse(plain) ? new URL(plain).hostname.toLowerCase() : undefined;
}
