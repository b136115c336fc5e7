import type { PackageRef, Source } from '../definition.ts';
import type { DetectedAuth } from './auth.ts';

/** Literal, a value from the user, or the package with its exact version. */
export type PlanPart = string | { readonly field: string } | { readonly package: true };
export type PlanText = readonly PlanPart[];

export interface PlanArgument {
  readonly flag?: string;
  readonly text?: PlanText;
  readonly style: 'equals' | 'separate';
  /** Left out while a field has no value. */
  readonly optional: boolean;
  /** Left out unless this variable is set: `docker run -e NAME`. */
  readonly whenEnv?: string;
}

export interface PlanValue {
  readonly name: string;
  readonly text: PlanText;
  readonly optional: boolean;
}

export interface PlanCommand {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly PlanArgument[];
  readonly env: readonly PlanValue[];
  readonly cwd?: string;
}

export interface PlanRemote {
  readonly kind: 'remote';
  readonly transport: 'http' | 'sse' | 'ws';
  readonly url: PlanText;
  readonly query: readonly PlanValue[];
  readonly headers: readonly PlanValue[];
}

/** Its command is known only once unpacked: see `planBundle`. */
export interface PlanBundle {
  readonly kind: 'bundle';
  readonly url: string;
  readonly sha256: string;
  readonly env: readonly PlanValue[];
}

export type PlanTarget = PlanCommand | PlanRemote | PlanBundle;

/** Steps for the user. */
export type PlanStep =
  | { readonly kind: 'download'; readonly url: string; readonly sha256: string }
  | { readonly kind: 'start-yourself'; readonly command: PlanCommand };

export interface PlanPackage {
  readonly registry: PackageRef['registry'];
  readonly name: string;
  readonly version?: string;
  /** `exact`: one version; `content`: its bytes (digest, sha256); `tag`: may move; `none`: no version. */
  readonly pinned: 'exact' | 'content' | 'tag' | 'none';
  readonly integrity?: string;
  readonly runtimeHint?: string;
}

export interface FormField {
  /** `env:API_KEY`, `arg:--port`, `header:Authorization`, `var:region`, `config:apiKey`. */
  readonly id: string;
  /** As the server calls it: `API_KEY`, `--port`, `Authorization`. */
  readonly label: string;
  /** As people call it: “API key”. */
  readonly title?: string;
  readonly kind:
    | 'text'
    | 'secret'
    | 'file'
    | 'files'
    | 'folder'
    | 'folders'
    | 'choice'
    | 'boolean'
    | 'number';
  readonly where: 'env' | 'argument' | 'header' | 'url' | 'config';
  readonly required: boolean;
  readonly default?: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  readonly many?: boolean;
  /** Fields that may be given in place of this one. */
  readonly instead?: readonly string[];
}

export type WarningKind =
  | 'deprecated'
  | 'similar-name'
  | 'unpinned'
  | 'other-package-registry'
  | 'dangerous-variable'
  | 'powerful-container'
  | 'secret-in-arguments'
  | 'insecure-url'
  | 'start-yourself'
  | 'untrusted-link';

export interface PlanWarning {
  readonly kind: WarningKind;
  readonly message: string;
}

export interface InstallPlan {
  readonly id: string;
  readonly title: string;
  readonly source: Source;
  /** From a link that anybody can make: nothing happens without a yes. */
  readonly untrusted: boolean;
  readonly target: PlanTarget;
  readonly package?: PlanPackage;
  readonly form: readonly FormField[];
  readonly auth: DetectedAuth;
  readonly warnings: readonly PlanWarning[];
  readonly steps: readonly PlanStep[];
}

export interface RefusedPlan {
  readonly what: string;
  readonly why: string;
}

/** The package as its runner takes it. */
export function specOf({ registry, name, version }: PlanPackage): string {
  if (version === undefined) return name;
  if (registry === 'pypi') return `${name}==${version}`;
  if (registry === 'oci') return version.startsWith('sha256:') ? `${name}@${version}` : `${name}:${version}`;
  return `${name}@${version}`;
}

export function fieldsOf(text: PlanText | undefined): readonly string[] {
  return (text ?? []).flatMap((part) => (typeof part === 'object' && 'field' in part ? [part.field] : []));
}
