import type { ErrorView } from '../base/errors.ts';
import type { Manifest } from '../connections/manifest.ts';
import type { OverallState, ServerState } from '../connections/state.ts';
import type { RecordedTraffic } from '../connections/traffic.ts';
import type { Source } from '../servers/definition.ts';
import type { OutsideReference } from '../servers/outside-references.ts';
import type { FileReport } from '../servers/sources.ts';
import type { Untrusted } from '../servers/trust.ts';
import type { Trust } from './decisions.ts';
import type { VersionView } from './updates.ts';

export interface AddOutcome {
  readonly server: ServerView;
  readonly summary: string;
  readonly tested: boolean;
  /** It is saved, and waits for its user to sign in. */
  readonly signIn?: true;
}

export interface PackageOutcome {
  readonly server: ServerView;
  readonly package: {
    readonly registry: 'npm' | 'pypi';
    readonly name: string;
    readonly version: string;
    readonly integrity: string;
    /** With all that it needs. */
    readonly packages: number;
    readonly bytes: number;
    /** Packages whose install scripts have run. */
    readonly scripts?: readonly string[];
  };
  /** It was there already. */
  readonly already: boolean;
}

export interface ApplyOutcome {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly kept: readonly string[];
  readonly errors: Readonly<Record<string, ErrorView>>;
}

export interface ServerList {
  readonly overall: OverallState;
  readonly servers: readonly ServerView[];
  readonly files: readonly ConfigFileView[];
}

export type ConfigFileView = FileReport;

export interface UntrustedView extends Untrusted {
  /** References to what is not its own: the hub's variables, files, other servers' secrets. */
  readonly references: readonly OutsideReference[];
}

type ManifestView = Pick<
  Manifest,
  'serverInfo' | 'instructions' | 'era' | 'protocolVersion' | 'capabilities' | 'extra'
>;

/** The manifest's fields are absent as long as the server has never been connected. */
export interface ServerView extends Partial<ManifestView> {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws';
  /** Command line or address, placeholders unresolved and secrets masked. */
  readonly target: string;
  /** What it is for, in a sentence: as it says itself, as it is known for, or by its first tools. */
  readonly about?: string;
  /** The well-known server that it is, by what it runs or contacts. */
  readonly featured?: string;
  readonly enabled: boolean;
  readonly readOnly: boolean;
  readonly state: ServerState;
  readonly source: Source;
  /** An entry of a project's file that waits for trust, with what changed since it was trusted. */
  readonly untrusted?: UntrustedView;
  /** An entry of a project's file that would take the place of this server once it is trusted. */
  readonly waiting?: Pick<ServerView, 'transport' | 'target'> & { readonly untrusted: UntrustedView };
  readonly trust: Trust;
  readonly toolCount: number;
  readonly toolsOffered: number;
  /** What the tools that are offered cost a model; absent until they were counted. */
  readonly tokens?: number;
  readonly hasIcon?: boolean;
  /** Whether pages that it brings along are shown. */
  readonly apps: boolean;
  /** Set when its calls are not kept in the audit: see `audit.setRecorded`. */
  readonly recorded?: false;
  /** Set when a person has to look at some of its tools. */
  readonly review?: ToolReview;
  readonly problems: readonly string[];
  /** Whom we are at a remote server: its name for us, else ours for the account. */
  readonly account?: string;
  readonly process?: ProcessView;
  /** Which version runs, since when, and which newer one is known. */
  readonly version?: VersionView;
}

export interface ToolReview {
  /** Changed since they were approved: withheld until someone looks at them. */
  readonly changed: number;
  /** Flagged, and never approved as they are. */
  readonly flagged: number;
  /** The name of the first one. */
  readonly tool: string;
}

export interface ServerIcon {
  readonly mimeType?: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  /** In base64. */
  readonly data?: string;
}

export interface ProcessView {
  readonly pid: number;
  readonly processes: number;
  readonly memoryBytes: number;
  readonly warning?: string;
}

export type { TrafficMessage } from '../connections/traffic.ts';

export interface ServerTraffic extends RecordedTraffic {
  readonly server: string;
}

export interface ServerLog {
  readonly server: string;
  /** The process that wrote it; a restarted server begins a new log. */
  readonly pid?: number;
  /** What the server wrote to stderr, newest last. */
  readonly stderr: readonly string[];
  /** Lines on stdout that were not JSON-RPC. */
  readonly noise: { readonly count: number; readonly lines: readonly string[] };
}
