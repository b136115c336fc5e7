import { fingerprintOf, type Endpoint, type ServerDefinition } from '../definition.ts';

export interface Duplicates {
  readonly fingerprint: string;
  readonly refs: readonly string[];
}

export function groupDuplicates(
  found: readonly { readonly ref: string; readonly fingerprint: string }[],
): readonly Duplicates[] {
  const groups = Map.groupBy(found, ({ fingerprint }) => fingerprint);
  return [...groups]
    .filter(([, servers]) => servers.length > 1)
    .map(([fingerprint, servers]) => ({ fingerprint, refs: servers.map(({ ref }) => ref) }));
}

export function sameness(definition: ServerDefinition): string {
  return fingerprintOf({ endpoint: normalEndpoint(definition.endpoint), config: definition.config });
}

function normalEndpoint(endpoint: Endpoint): Endpoint {
  if (endpoint.kind !== 'stdio') {
    const headers = Object.entries(endpoint.headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { kind: endpoint.kind, url: normalUrl(endpoint.url), headers: Object.fromEntries(headers) };
  }
  const command = endpoint.command.replace(/\.(cmd|exe|bat)$/i, '');
  const runner = /^(npx|bunx|pnpx)$/.test(command);
  const args = runner
    ? endpoint.args
        .filter((arg) => arg !== '-y' && arg !== '--yes')
        .map((arg) => arg.replace(/(?<=.)@latest$/, ''))
    : endpoint.args;
  return { ...endpoint, command, args };
}

function normalUrl(url: string): string {
  if (!URL.canParse(url) || url.includes('${')) return url;
  return new URL(url).href.replace(/\/$/, '');
}
