import { isObject } from '../base/json.ts';
import { HIDDEN } from '../base/redact.ts';
import { namesSecret } from '../base/secret-names.ts';
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

/** Secrets that stand readable in a definition, as in a file that somebody wrote by hand. */
export function literalSecretsIn(definition: ServerDefinition): readonly string[] {
  const { keys } = takeKeys(definition);
  return [...keys.map(({ value }) => value.reveal()), ...secretArguments(definition.endpoint)];
}

/** A definition as it may be kept for a later comparison: what stands readable in it is hidden. */
export function withoutSecrets(given: ServerDefinition): ServerDefinition {
  const { definition, keys } = takeKeys(given);
  const text = keys.reduce(
    (shown, { name }) => shown.replaceAll(`\${vault:${name}}`, HIDDEN),
    JSON.stringify(definition),
  );
  return JSON.parse(text) as ServerDefinition; // the same, but for some texts
}

/** What a server gets as an argument cannot be kept from the process list; from all else it can. */
function secretArguments(endpoint: Endpoint): readonly string[] {
  if (endpoint.kind !== 'stdio') return [];
  const { args, secretAt } = maskArguments(endpoint.args, []);
  return secretAt.map((at) => {
    const shown = args[at] ?? '';
    const head = shown.slice(0, Math.max(0, shown.indexOf(HIDDEN)));
    return (endpoint.args[at] ?? '').slice(head.length);
  });
}
