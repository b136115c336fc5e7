import { limits } from '../../base/limits.ts';
import type { Pin } from '../../catalog/pin.ts';
import type { ToolOverride } from '../../catalog/store.ts';
import type { Grant } from '../../policy/grant.ts';
import type { ServerTrust } from '../../policy/store.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, ServerOverride } from '../../servers/store.ts';
import type { StoredModel } from '../../vault/models.ts';
import type { Account } from '../../vault/store.ts';

export const CARRIED_FILES = ['mcp.json', 'rules.json', 'rules.jsonc', 'registries.json'] as const;

export interface CarriedFile {
  readonly name: (typeof CARRIED_FILES)[number];
  readonly text: string;
}

export interface Contents {
  readonly servers: readonly ServerDefinition[];
  readonly overrides: readonly ServerOverride[];
  readonly profiles: readonly Profile[];
  readonly fileTrust: readonly FileTrust[];
  readonly serverTrust: readonly ServerTrust[];
  readonly grants: readonly Grant[];
  readonly pins: readonly Pin[];
  readonly tools: readonly ToolOverride[];
  readonly models: readonly StoredModel[];
  readonly accounts: readonly Account[];
  readonly files: readonly CarriedFile[];
}

export interface OpenContents extends Contents {
  /** Servers of files that are not ours: they are named, not carried. */
  readonly elsewhere: readonly { readonly server: string; readonly file: string }[];
  /** What holds a secret that cannot be taken out of it: sealed, or not in the backup at all. */
  readonly leftOut: readonly { readonly kind: keyof Contents; readonly name: string }[];
}

export interface SealedContents extends Contents {
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

/** How an item of each kind is named to people. */
export const nameOfItem: { readonly [Kind in keyof Contents]: (item: Contents[Kind][number]) => string } = {
  servers: ({ id }) => id,
  overrides: ({ server }) => server,
  profiles: ({ name }) => name,
  fileTrust: ({ server, file }) => `${server} in ${file}`,
  serverTrust: ({ server }) => server,
  grants: ({ server, scope }) =>
    scope.kind === 'reads' ? `${server} (reads)` : `${server}/${scope.tool}${argumentsOf(scope)}`,
  pins: ({ server, tool }) => `${server}/${tool}`,
  tools: ({ server, tool }) => `${server}/${tool}`,
  models: ({ name }) => name,
  accounts: ({ server, account }) => `${account} at ${server}`,
  files: ({ name }) => name,
};

function argumentsOf(scope: Exclude<Grant['scope'], { kind: 'reads' }>): string {
  return scope.kind === 'arguments' ? ` (${Object.keys(scope.pattern).join(', ')})` : '';
}

export const KINDS = Object.keys(nameOfItem) as [keyof Contents]; // its own keys, and it has some

export const backupLimits = {
  /** It travels in one request, which has other fields too. */
  documentBytesMax: limits.apiBodyBytesMax - 64 * 1024,
  depthMax: limits.apiJsonDepthMax,
  itemsMax: limits.apiJsonItemsMax,
  serversMax: 1_000,
  rowsMax: 50_000,
  secretsMax: 10_000,
  fileCharsMax: limits.configBytesMax,
  textCharsMax: 64 * 1024,
  nameCharsMax: 1_024,
  /** A stored derivation may not ask for more: half a gigabyte. */
  scryptCostMax: 2 ** 18,
  scryptBlockSizeMax: 16,
  todoMax: 200,
} as const;
