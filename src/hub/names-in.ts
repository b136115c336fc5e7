import { basename } from 'node:path';
import { takeKeys } from '../servers/clients/plaintext-keys.ts';
import type { Manifest } from '../connections/manifest.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';

/** The names by which people know a server. They stay readable even when a secret is the same word. */
export function namesIn(given: ServerDefinition): readonly string[] {
  const { definition } = takeKeys(given);
  const { id, name, endpoint, source } = definition;
  const names = [id, name, source.name, source.file, definition.package?.name];
  const more = endpoint.kind === 'stdio' ? commandNames(endpoint) : addressNames(endpoint.url);
  return [...names, ...more].flatMap((word) => (word ? [word] : []));
}

export function toolNames(manifest: Manifest | undefined): readonly string[] {
  return (manifest?.tools ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

function commandNames({
  command,
  args,
  cwd,
}: Extract<Endpoint, { kind: 'stdio' }>): readonly (string | undefined)[] {
  const paths = args.filter((arg) => PATH.test(arg));
  const packages = args.flatMap((arg) => PACKAGE.exec(arg)?.slice(0, 2) ?? []);
  return [command, basename(command), cwd, ...paths, ...paths.map((path) => basename(path)), ...packages];
}

const PATH = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/])/;
/** `@scope/name@1.2.3`, or a name with a version or dashes, as package managers take them. */
const PACKAGE = /^(@[\w.-]+\/[\w.-]+|[a-z][a-z0-9._-]*[a-z0-9])(?:@[\w.^~-]+)?$/;

function addressNames(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { host, hostname, origin } = new URL(url);
  return [url, origin, host, hostname];
}
