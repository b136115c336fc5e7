import type { JsonObject } from '../../base/json.ts';

/** One server as a registry lists it, whichever registry it is. */
export interface RegistryEntry {
  /** Name of the registry that it came from, as configured: `official`, `smithery`, `acme`. */
  readonly registry: string;
  readonly kind: RegistryKind;
  /** The registry's own name for it: `io.github.acme/files`, `acme/files`. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version?: string;
  readonly status: RegistryStatus;
  readonly statusMessage?: string;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  readonly isLatest: boolean;
  readonly verified: boolean;
  readonly useCount: number;
  readonly repository?: { readonly url: string; readonly subfolder?: string };
  readonly websiteUrl?: string;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
  /** `listed` entries lack packages and remotes until their details are asked for. */
  readonly detail: 'listed' | 'full';
  /** Fields without a meaning to us, kept. */
  readonly extra: JsonObject;
}

export type RegistryKind = 'official' | 'smithery';
export type RegistryStatus = 'active' | 'deprecated' | 'deleted';

export interface RegistryPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, or a type that we cannot install. */
  readonly type: string;
  readonly identifier: string;
  readonly version?: string;
  readonly baseUrl?: string;
  readonly sha256?: string;
  readonly runtimeHint?: string;
  readonly runtimeArguments: readonly RegistryArgument[];
  readonly packageArguments: readonly RegistryArgument[];
  readonly environment: readonly NamedInput[];
  /** Anything but stdio is a server that must be started first and is then reached by its url. */
  readonly transport: RegistryRemote | { readonly kind: 'stdio' };
  /** A JSON Schema of what the user configures (Smithery). */
  readonly configSchema?: JsonObject;
  readonly extra: JsonObject;
}

export interface RegistryRemote {
  readonly kind: 'http' | 'sse';
  /** May hold `{variables}`. */
  readonly url: string;
  readonly headers: readonly NamedInput[];
  readonly variables: Readonly<Record<string, RegistryInput>>;
  readonly configSchema?: JsonObject;
  readonly extra: JsonObject;
}

/** A value that is fixed, or that the user gives. */
export interface RegistryInput {
  readonly description?: string;
  readonly required: boolean;
  /** Absent when the publisher did not say. */
  readonly secret?: boolean;
  readonly format: 'string' | 'number' | 'boolean' | 'filepath';
  /** Fixed: the user is not asked. May hold `{variables}`. */
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
  /** Of a named one, dashes included: `--port`. */
  readonly name?: string;
  readonly hint?: string;
  readonly repeated: boolean;
}
