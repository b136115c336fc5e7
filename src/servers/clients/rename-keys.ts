import type { JsonObject } from '../../base/json.ts';
import type { Endpoint, ServerDefinition } from '../definition.ts';
import type { PlaintextKey } from './plaintext-keys.ts';

/** Gives each key a name that is free in the vault, and lets the definition refer to it. */
export function renameKeys(
  definition: ServerDefinition,
  keys: readonly PlaintextKey[],
  taken: ReadonlySet<string>,
): { readonly definition: ServerDefinition; readonly keys: readonly PlaintextKey[] } {
  const used = new Set(taken);
  const renamed = keys.map((key) => {
    const plain = `${definition.id}/${key.name.slice(key.name.indexOf('/') + 1)}`;
    let name = plain;
    for (let count = 2; used.has(name); count += 1) name = `${plain}-${count}`;
    used.add(name);
    return { from: `\${vault:${key.name}}`, to: `\${vault:${name}}`, key: { ...key, name } };
  });
  const references = new Map(renamed.map(({ from, to }) => [from, to]));
  const rewrite = (text: string): string =>
    text.replaceAll(/\$\{vault:[^}]*\}/g, (reference) => references.get(reference) ?? reference);
  return {
    definition: {
      ...definition,
      endpoint: rewriteEndpoint(definition.endpoint, rewrite),
      // Text in, text out: the fields are Json before and after.
      extra: JSON.parse(rewrite(JSON.stringify(definition.extra))) as JsonObject,
    },
    keys: renamed.map(({ key }) => key),
  };
}

/** The same definition whatever its keys are called in the vault: for comparisons. */
export function withPlainNames(definition: ServerDefinition): ServerDefinition {
  const plain = (text: string): string => text.replaceAll(/\$\{vault:[^}]*\}/g, '${vault:key}');
  return { ...definition, endpoint: rewriteEndpoint(definition.endpoint, plain) };
}

function rewriteEndpoint(endpoint: Endpoint, rewrite: (text: string) => string): Endpoint {
  const all = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, rewrite(text)]));
  if (endpoint.kind === 'stdio') {
    return { ...endpoint, args: endpoint.args.map(rewrite), env: all(endpoint.env) };
  }
  return { ...endpoint, url: rewrite(endpoint.url), headers: all(endpoint.headers) };
}
