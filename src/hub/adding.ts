import type { ErrorCode, ErrorView, Owner } from '../base/errors.ts';
import type { PasteProblem, PasteRepair } from '../servers/paste/paste.ts';
import type { FieldValue } from '../servers/plans/values.ts';
import type { PlanView } from '../servers/plans/render.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import type { RegistryAnswer, SearchOutcome } from '../servers/registry/search.ts';
import type { SyncOutcome } from '../servers/registry/sync.ts';
import type { AddOutcome } from './servers.ts';

/** The ways in which a server gets here without anybody editing a file. */

interface Waiting {
  readonly signal?: AbortSignal;
}

// ── Import from other clients ──────────────────────────────────────────────

export interface ImportsApi {
  /** What other clients on this machine know, and what an import would make of it. */
  scan(query?: ImportQuery): Promise<ImportPreview>;
  /** Saves the picked finds. One that fails is named, and the others are saved. */
  run(request: ImportRequest): Promise<ImportOutcome>;
}

export interface ImportQuery {
  /** Names of clients, such as `cursor`; absent means all. */
  readonly clients?: readonly string[];
}

export interface ImportRequest extends ImportQuery {
  /** Finds by their `ref`; one whose fingerprint is no longer as it was shown is not imported. */
  readonly pick: 'all' | readonly { readonly ref: string; readonly fingerprint?: string }[];
  /** Leave the client's file as the only source of truth. */
  readonly follow?: boolean;
}

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
  readonly problems: readonly ImportProblem[];
}

export interface ImportFind {
  readonly ref: string;
  /** What it would be called here. */
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
  readonly warnings: readonly string[];
  readonly fingerprint: string;
  /** Why it would not be imported. */
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
    /** Names in the vault. */
    readonly keys: readonly string[];
    readonly follows?: string;
  }[];
  readonly skipped: readonly { readonly ref: string; readonly why: string }[];
  readonly failed: readonly { readonly ref: string; readonly error: ErrorView }[];
  readonly problems: readonly ImportProblem[];
}

// ── Registries ─────────────────────────────────────────────────────────────

export interface RegistriesApi {
  list(): Promise<readonly RegistryView[]>;
  /** Adds one that speaks the official API, or switches one that everybody has on or off. */
  save(registry: NewRegistry): Promise<readonly RegistryView[]>;
  /** Forgets one that was added. */
  remove(name: string): Promise<readonly RegistryView[]>;
  /** All registries at once; one that fails is named, and the others answer. */
  search(query: RegistryQuery, options?: Waiting): Promise<SearchOutcome>;
  /** Copies what can be copied into the local index: the first time all, then what changed. */
  sync(request?: { readonly registries?: readonly string[] }, options?: Waiting): Promise<SyncAnswers>;
}

export interface RegistryQuery {
  readonly query: string;
  /** Names of registries; absent means all. */
  readonly registries?: readonly string[];
  readonly offline?: boolean;
  readonly limit?: number;
}

export interface RegistryView {
  readonly name: string;
  readonly url: string;
  readonly kind: 'official' | 'smithery';
  readonly enabled: boolean;
  /** Added by the user. */
  readonly own: boolean;
}

export interface NewRegistry {
  readonly name: string;
  /** Needed for one that is not known yet. */
  readonly url?: string;
  readonly enabled?: boolean;
}

export interface SyncAnswers {
  readonly synced: readonly SyncOutcome[];
  readonly failed: readonly { readonly registry: string; readonly error: ErrorView }[];
}

// ── Plans ──────────────────────────────────────────────────────────────────

export interface PlansApi {
  /** What a text is, as far as reading it tells: quick, for every pause in typing. Asks nobody. */
  recognise(request: { readonly text: string }): Promise<Recognised>;
  /** The text on a picture of a configuration (PNG or JPEG), read on this machine. */
  readImage(request: { readonly image: string }, options?: Waiting): Promise<{ readonly text: string }>;
  /** Reads whatever was pasted and says what would be installed, run or contacted. Runs nothing. */
  make(request: PlanRequest, options?: Waiting): Promise<PlanOffer>;
  /** Downloads a bundle, checks its sum, and answers with the plan of what it runs. */
  unpack(request: { readonly plan: string }, options?: Waiting): Promise<OfferedPlan>;
  /** Carries out exactly the plan that was shown: keys into the vault, a try, then it is saved. */
  install(request: InstallRequest, options?: InstallOptions): Promise<InstallOutcome>;
  /** Connects as `install` would and saves nothing: no server, no key. */
  try(request: InstallRequest, options?: InstallOptions): Promise<TryOutcome>;
}

export interface Recognised {
  /** In words: “VS Code mcp.json, 3 servers”; empty for nothing. */
  readonly format: string;
  readonly servers: readonly {
    readonly name: string;
    readonly transport?: 'stdio' | 'http' | 'sse' | 'ws';
    /** What must still be filled in, by name. */
    readonly needs: readonly string[];
    /** Set in remote-only mode: why it is declined and what to give instead. */
    readonly declined?: string;
  }[];
  readonly problems: readonly PasteProblem[];
  readonly repair?: PasteRepair;
  readonly notMcp?: string;
}

export interface InstallOptions extends Waiting {
  readonly onProgress?: (progress: InstallProgress) => void;
}

/** What happens while a server is tried, line by line. */
export interface InstallProgress {
  /** `step`: what we do. `log`: what the server wrote to stderr, keys left out. */
  readonly kind: 'step' | 'log';
  readonly text: string;
}

export interface TryOutcome {
  /** A sentence: “Connected to X, 12 tools including a, b, c.” */
  readonly summary: string;
  readonly tools: readonly string[];
  /** Set when the server works and waits for its user to sign in. */
  readonly signIn?: true;
}

export interface PlanRequest {
  readonly text: string;
  /** `file`: somebody else may have written it, so that dangerous variables are refused. */
  readonly origin?: 'paste' | 'file';
  /** Decline everything that would run on the hub's machine. */
  readonly remoteOnly?: boolean;
  readonly offline?: boolean;
}

export interface PlanOffer {
  /** In words: “VS Code mcp.json, 3 servers”. */
  readonly format: string;
  readonly problems: readonly PasteProblem[];
  readonly repair?: PasteRepair;
  readonly notMcp?: string;
  readonly plans: readonly OfferedPlan[];
  readonly declined: readonly DeclinedServer[];
  /** What registries list under these words, when they name no server that is known. */
  readonly choices: readonly FoundServer[];
  readonly registries: readonly RegistryAnswer[];
}

export interface OfferedPlan {
  /** To be given to `install`; forgotten after a while. */
  readonly plan: string;
  /** The suggested id. */
  readonly server: string;
  readonly view: PlanView;
  /** Ids of fields of the form that have no value yet and must get one. */
  readonly needs: readonly string[];
  /** True as long as a bundle has to be unpacked before it can be installed. */
  readonly bundle: boolean;
  readonly publisher?: string;
  readonly docs?: string;
}

export interface DeclinedServer {
  readonly name: string;
  readonly code: ErrorCode;
  readonly why: string;
  readonly owner: Owner;
  readonly next?: string;
}

export interface InstallRequest {
  readonly plan: string;
  /** The server's id; default: the suggested one. */
  readonly id?: string;
  /** By the id of the form's field. */
  readonly values?: Readonly<Record<string, FieldValue>>;
  /** Variables and headers beyond the form. */
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly test?: boolean;
  readonly replace?: boolean;
}

export interface InstallOutcome extends AddOutcome {
  /** Names in the vault. */
  readonly secrets: readonly string[];
  /** Set when the server works and waits for its user to sign in: it is saved. */
  readonly signIn?: true;
}
