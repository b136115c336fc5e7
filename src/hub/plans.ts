import type { FeaturedServer } from '../servers/featured.ts';
import type { FeaturedCategory } from '../servers/featured-table.ts';
import type { NextStep } from '../base/remedy.ts';
import type { ErrorCode, ErrorView, Owner } from '../base/errors.ts';
import type { OutsideReference } from '../servers/outside-references.ts';
import type { Paste } from '../servers/paste/paste.ts';
import type { PlanView } from '../servers/plans/render.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import type { RegistryAnswer } from '../servers/registry/search.ts';
import type { SyncOutcome } from '../servers/registry/sync.ts';
import type { AddOutcome } from './servers.ts';

export interface ImportPreview {
  readonly files: readonly { readonly client: string; readonly scope: string; readonly path: string }[];
  readonly found: readonly ImportFind[];
  /** Servers that stand where their client does not look for them. */
  readonly nearMisses: readonly {
    readonly client: string;
    readonly file: string;
    readonly servers: readonly string[];
    readonly why: string;
  }[];
  /** Entries that only their own client can use, and why. */
  readonly leftOut: readonly {
    readonly client: string;
    readonly file: string;
    readonly server: string;
    readonly why: string;
  }[];
  readonly problems: readonly ImportProblem[];
}

export interface ImportFind {
  readonly ref: string;
  readonly id: string;
  readonly name: string;
  readonly client: string;
  readonly scope: string;
  readonly file: string;
  readonly line?: number;
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws';
  /** Command line or address; readable keys are replaced by references to the vault. */
  readonly target: string;
  readonly enabled: boolean;
  /** Keys that stand readable in the file: which, and where. Their values stay unseen. */
  readonly keys: readonly { readonly name: string; readonly where: string }[];
  /** Its address, its headers, and every other text with a placeholder in it. */
  readonly fields: readonly { readonly field: string; readonly text: string }[];
  /** References to what is not its own: the hub's variables, files, other servers' secrets. */
  readonly references: readonly OutsideReference[];
  readonly warnings: readonly string[];
  readonly fingerprint: string;
  readonly skipped?: string;
}

export interface ImportProblem {
  readonly client: string;
  readonly file: string;
  readonly server?: string;
  readonly line?: number;
  readonly message: string;
}

export interface ImportOutcome {
  readonly imported: readonly {
    readonly ref: string;
    readonly id: string;
    readonly renamedFrom?: string;
    readonly keys: readonly string[];
    readonly follows?: string;
  }[];
  readonly skipped: readonly { readonly ref: string; readonly why: string }[];
  readonly failed: readonly { readonly ref: string; readonly error: ErrorView }[];
  readonly problems: readonly ImportProblem[];
}

/** How an imported server stands, once it was looked at. */
export interface ImportCheck extends NextStep {
  readonly id: string;
  readonly is: ImportVerdict;
  readonly says: string;
  /** Where it is fine: how many tools it has. */
  readonly tools?: number;
}

/** `waits`: it hasn't been looked at yet, or is only started on first use. */
export type ImportVerdict =
  | 'fine'
  | 'needs-key'
  | 'needs-sign-in'
  | 'needs-program'
  | 'off'
  | 'failed'
  | 'waits';

export interface RegistryView {
  readonly name: string;
  readonly url: string;
  readonly kind: 'official' | 'smithery';
  readonly enabled: boolean;
  readonly own: boolean;
}

export interface SyncAnswers {
  readonly synced: readonly SyncOutcome[];
  readonly failed: readonly { readonly registry: string; readonly error: ErrorView }[];
}

type PasteView = Pick<Paste, 'format' | 'problems' | 'repair' | 'notMcp'>;

export interface Recognized extends PasteView {
  readonly servers: readonly {
    readonly name: string;
    readonly transport?: 'stdio' | 'http' | 'sse' | 'ws';
    readonly needs: readonly string[];
    /** Set in remote-only mode: why it is declined and what to give instead. */
    readonly declined?: string;
  }[];
}

export interface InstallProgress {
  /** `step`: what we do. `log`: what the server wrote to stderr, keys left out. */
  readonly kind: 'step' | 'log';
  readonly text: string;
}

export interface TryOutcome {
  readonly summary: string;
  readonly tools: readonly string[];
  /** Set when the server works and waits for its user to sign in. */
  readonly signIn?: true;
}

export interface PlanOffer extends PasteView {
  readonly plans: readonly OfferedPlan[];
  readonly declined: readonly DeclinedServer[];
  /** What registries list under these words, when they name no server that is known. */
  readonly choices: readonly FoundServer[];
  readonly registries: readonly RegistryAnswer[];
}

export interface OfferedPlan {
  /** To be given to `install`; forgotten after a while. */
  readonly plan: string;
  readonly server: string;
  readonly view: PlanView;
  /** Ids of fields of the form that have no value yet and must get one. */
  readonly needs: readonly string[];
  /** Other ways to the same server, less demanding ones first; one of all is installed. */
  readonly alternatives?: readonly OfferedPlan[];
  /** True as long as a bundle has to be unpacked before it can be installed. */
  readonly bundle: boolean;
  readonly publisher?: string;
  readonly docs?: string;
  /** Its entry is off: it is saved so, and not tried. */
  readonly disabled?: true;
}

export interface DeclinedServer extends NextStep {
  readonly name: string;
  readonly code: ErrorCode;
  readonly why: string;
  readonly owner: Owner;
}

export interface InstallOutcome extends AddOutcome {
  readonly secrets: readonly string[];
}

export type FeaturedCatalog = Readonly<Record<FeaturedCategory, readonly FeaturedServer[]>>;
