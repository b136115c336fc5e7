import type { PackageRef, Source } from '../definition.ts';
import type { DetectedAuth } from './auth.ts';

/** A piece of text: literal, a value that the user gives, or the package with its exact version. */
export type PlanPart = string | { readonly field: string } | { readonly package: true };
export type PlanText = readonly PlanPart[];

export interface PlanArgument {
  /** Of a named argument: `--port`. Without a text it stands alone. */
  readonly flag?: string;
  readonly text?: PlanText;
  /** `--port=1` or `--port 1`; the schema says the first, some programs want the second. */
  readonly style: 'equals' | 'separate';
  /** Left out while one of its fields has no value. */
  readonly optional: boolean;
  /** Left out unless this environment variable is set: `docker run -e NAME`. */
  readonly whenEnv?: string;
}

/** A variable, header or query parameter. */
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

/** A bundle says only once it is unpacked what it runs: see `planBundle`. */
export interface PlanBundle {
  readonly kind: 'bundle';
  readonly url: string;
  readonly sha256: string;
  readonly env: readonly PlanValue[];
}

export type PlanTarget = PlanCommand | PlanRemote | PlanBundle;

/** What has to happen before the server can be used, beside what we do ourselves. */
export type PlanStep =
  | { readonly kind: 'download'; readonly url: string; readonly sha256: string }
  | { readonly kind: 'start-yourself'; readonly command: PlanCommand };

export interface PlanPackage {
  readonly registry: PackageRef['registry'];
  readonly name: string;
  /** Exact, or a tag that has not been looked up yet. */
  readonly version?: string;
  /**
   * `exact`: this version and no other; `content`: its very bytes (digest, sha256); `tag`: a
   * name that its maker can move; `none`: not even that.
   */
  readonly pinned: 'exact' | 'content' | 'tag' | 'none';
  /** As the package registry states it, such as `sha512-…`. */
  readonly integrity?: string;
  readonly runtimeHint?: string;
}

export interface FormField {
  /** `env:API_KEY`, `arg:--port`, `header:Authorization`, `var:region`, `config:apiKey`. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'text' | 'secret' | 'file' | 'files' | 'choice' | 'boolean' | 'number';
  readonly where: 'env' | 'argument' | 'header' | 'url' | 'config';
  readonly required: boolean;
  readonly default?: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** Several values may be given; each makes an argument of its own. */
  readonly many?: boolean;
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
  /** One sentence. */
  readonly message: string;
}

/** Everything that would be installed, run or contacted, before any of it happens. */
export interface InstallPlan {
  /** Suggested; the user may choose another. */
  readonly id: string;
  readonly title: string;
  readonly source: Source;
  /** Set when it comes from a link that anybody may have made: nothing happens without a yes. */
  readonly untrusted: boolean;
  readonly target: PlanTarget;
  readonly package?: PlanPackage;
  readonly form: readonly FormField[];
  readonly auth: DetectedAuth;
  readonly warnings: readonly PlanWarning[];
  readonly steps: readonly PlanStep[];
}

/** A way to install that was looked at and is not possible, with the reason in a sentence. */
export interface RefusedPlan {
  readonly what: string;
  readonly why: string;
}

/** `name@1.2.3`, `name==1.2.3`, `image:tag`: the package as its runner takes it. */
export function specOf({ registry, name, version }: PlanPackage): string {
  if (version === undefined) return name;
  if (registry === 'pypi') return `${name}==${version}`;
  if (registry === 'oci') return version.startsWith('sha256:') ? `${name}@${version}` : `${name}:${version}`;
  return `${name}@${version}`;
}

export function fieldsOf(text: PlanText | undefined): readonly string[] {
  return (text ?? []).flatMap((part) => (typeof part === 'object' && 'field' in part ? [part.field] : []));
}
