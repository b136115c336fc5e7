import type { JsonObject } from '../../base/json.ts';

export interface RegistryEntry {
  readonly registry: string;
  readonly kind: RegistryKind | 'featured';
  /** `io.github.acme/files`, `acme/files`. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version?: string;
  readonly status: RegistryStatus;
  readonly statusMessage?: string;
  readonly updatedAt?: number;
  readonly isLatest: boolean;
  readonly verified: boolean;
  readonly useCount: number;
  readonly repository?: { readonly url: string; readonly subfolder?: string };
  readonly websiteUrl?: string;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
  /** `listed` entries have no packages and remotes yet. */
  readonly detail: 'listed' | 'full';
  readonly extra: JsonObject;
}

export type RegistryKind = 'official' | 'smithery';
export type RegistryStatus = 'active' | 'deprecated' | 'deleted';

export interface RegistryPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, or a type that we can't install. */
  readonly type: string;
  readonly identifier: string;
  readonly version?: string;
  readonly baseUrl?: string;
  readonly sha256?: string;
  readonly runtimeHint?: string;
  readonly runtimeArguments: readonly RegistryArgument[];
  readonly packageArguments: readonly RegistryArgument[];
  readonly environment: readonly NamedInput[];
  /** Other than stdio: the server must be started first, and is reached by URL. */
  readonly transport: RegistryRemote | { readonly kind: 'stdio' };
  readonly configSchema?: JsonObject;
  readonly extra: JsonObject;
}

export interface RegistryRemote {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: readonly NamedInput[];
  readonly variables: Readonly<Record<string, RegistryInput>>;
  readonly configSchema?: JsonObject;
  readonly extra: JsonObject;
}

export interface RegistryInput {
  readonly description?: string;
  readonly required: boolean;
  /** Absent if the publisher didn't say. */
  readonly secret?: boolean;
  readonly format: 'string' | 'number' | 'boolean' | 'filepath';
  /** Fixed; may hold `{variables}`. */
  readonly value?: string;
  readonly default?: string;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly variables: Readonly<Record<string, RegistryInput>>;
}

export interface NamedInput extends RegistryInput {
  readonly name: string;
}

export interface RegistryArgument extends RegistryInput {
  readonly kind: 'named' | 'positional';
  readonly name?: string;
  readonly hint?: string;
  readonly repeated: boolean;
}
