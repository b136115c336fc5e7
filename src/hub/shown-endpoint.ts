import { HIDDEN, namesSecret } from '../base/secret-names.ts';
import { describeEndpoint, type Endpoint } from '../servers/definition.ts';
import { findPlaceholders, type Placeholder } from '../servers/placeholders.ts';
import { exposureOf, maskArguments } from '../vault/mask-arguments.ts';

/** The command line or address as it may be shown: without the secrets that stand in it. */
export function shownTarget(endpoint: Endpoint): string {
  if (endpoint.kind !== 'stdio') return withoutQuerySecrets(endpoint.url);
  return describeEndpoint({ ...endpoint, args: maskArguments(endpoint.args, []).args });
}

/** Set when a secret is among the arguments: the process list shows it while the server runs. */
export function exposureIn(server: string, endpoint: Endpoint): string | undefined {
  if (endpoint.kind !== 'stdio') return undefined;
  const { secretAt } = maskArguments(endpoint.args, []);
  const filled = endpoint.args.flatMap((arg, at) => (findPlaceholders(arg).some(isSecret) ? [at] : []));
  const all = [...new Set([...secretAt, ...filled])];
  return exposureOf(server, { args: endpoint.args, secretAt: all });
}

/** A folder may be an input too; what comes from the vault or a key file is always a secret. */
function isSecret({ kind, name }: Placeholder): boolean {
  return kind === 'vault' || kind === 'file' || namesSecret(name);
}

function withoutQuerySecrets(url: string): string {
  return url.replaceAll(/([?&]([^=&#]+)=)([^&#]+)/g, (whole, head: string, name: string, value: string) =>
    namesSecret(name) && findPlaceholders(value).length === 0 ? head + HIDDEN : whole,
  );
}
