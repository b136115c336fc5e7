import { basename } from 'node:path';
import { isObject } from '../base/json.ts';
import { HIDDEN, namesSecret } from '../base/secret-names.ts';
import type { Manifest } from '../connections/manifest.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';
import { takeKeys } from '../servers/clients/plaintext-keys.ts';
import { maskArguments } from '../vault/mask-arguments.ts';

/** The secrets in a value from the vault. Of a sign-in document, only the tokens are secrets. */
export function secretsIn(value: string): readonly string[] {
  const document = value.startsWith('{') ? parsed(value) : undefined;
  if (!document) return [value];
  const inside = secretFields(document);
  return isSignIn(document) ? inside : [value, ...inside];
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // a key that merely begins like JSON
  }
}

function isSignIn(document: Record<string, unknown>): boolean {
  return typeof document['issuer'] === 'string' && isObject(document['client']);
}

function secretFields(document: Record<string, unknown>): readonly string[] {
  return Object.entries(document).flatMap(([key, value]): readonly string[] => {
    if (isObject(value)) return key === 'metadata' ? [] : secretFields(value);
    const secret = typeof value === 'string' && (namesSecret(key) || /^(access|refresh)$/.test(key));
    return secret ? [value] : [];
  });
}

/** Plain-text secrets of a definition, as in a file that was written by hand. */
export function literalSecretsIn(definition: ServerDefinition): readonly string[] {
  const { keys } = takeKeys(definition);
  return [...keys.map(({ value }) => value.reveal()), ...secretArguments(definition.endpoint)];
}

/** For a later comparison, with plain-text secrets hidden. */
export function withoutSecrets(given: ServerDefinition): ServerDefinition {
  const { definition, keys } = takeKeys(given);
  const text = keys.reduce(
    (shown, { name }) => shown.replaceAll(`\${vault:${name}}`, HIDDEN),
    JSON.stringify(definition),
  );
  return JSON.parse(text) as ServerDefinition; // the same, but for some texts
}

/** Arguments show in the process list, but nowhere else. */
function secretArguments(endpoint: Endpoint): readonly string[] {
  if (endpoint.kind !== 'stdio') return [];
  const { args, secretAt } = maskArguments(endpoint.args, []);
  return secretAt.map((at) => {
    const shown = args[at] ?? '';
    const head = shown.slice(0, Math.max(0, shown.indexOf(HIDDEN)));
    return (endpoint.args[at] ?? '').slice(head.length);
  });
}

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
