import type { NextStep } from '../../base/remedy.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Owner } from '../../base/errors.ts';
import type { Timeouts, ToolFilter } from '../definition.ts';

export type PastedTransport = 'stdio' | 'http' | 'sse' | 'ws';

/** Where a server is published, when the paste says only that. */
export interface PastedRef {
  readonly kind:
    | 'npm'
    | 'pypi'
    | 'docker'
    | 'docker-catalog'
    | 'github'
    | 'gitlab'
    | 'github-mcp-registry'
    | 'mcp-registry'
    | 'mcp-registry-search'
    | 'smithery'
    | 'glama'
    | 'mcp.so'
    | 'pulsemcp'
    | 'lobehub'
    | 'featured';
  readonly id: string;
  readonly version?: string;
}

/** A value that the paste itself says must be asked for. */
export interface PastedInput {
  readonly id: string;
  readonly description?: string;
  readonly password?: boolean;
  readonly default?: string;
}

/** One server as it was pasted: values untouched, placeholders named in `needs`. */
export interface PastedServer {
  readonly name: string | null;
  readonly transport: PastedTransport | null;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  /** What the user must still fill in, by name. */
  readonly needs: readonly string[];
  readonly ref?: PastedRef;
  /** The same server without its wrapper: what `npx mcp-remote URL` would contact. */
  readonly alt?: {
    readonly transport: PastedTransport;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly timeouts?: Timeouts;
  readonly tools?: ToolFilter;
  readonly readOnly?: true;
  readonly inputs?: readonly PastedInput[];
  /** Set in remote-only mode on a local server: why it is declined and what to give instead. */
  readonly declined?: string;
  /** Fields without a meaning to us, kept for a lossless round trip. */
  readonly extra: JsonObject;
  /** Where it stands in the paste, counted from 1. */
  readonly line?: number;
}

export interface PasteProblem extends NextStep {
  /** One sentence for a person. */
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly owner: Owner;
  readonly line?: number;
  readonly column?: number;
}

export interface PasteChange {
  readonly line: number;
  readonly what: string;
}

export interface PasteRepair {
  readonly text: string;
  readonly changes: readonly PasteChange[];
}

export interface Paste {
  /** In words: “VS Code mcp.json, 3 servers”. */
  readonly format: string;
  readonly servers: readonly PastedServer[];
  readonly problems: readonly PasteProblem[];
  /** Present when the text was damaged: what was changed to read it, to be confirmed by the user. */
  readonly repair?: PasteRepair;
  /** Present when the text is recognised as something else: one sentence that says what. */
  readonly notMcp?: string;
}

/** A server that is known by name, for plain words such as “connect me to Notion”. */
export interface FeaturedEntry {
  readonly id: string;
  readonly name: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Names of environment variables that must be filled in. */
  readonly env?: readonly string[];
}

export interface FeaturedLookup {
  /** Given one or more plain words in lower case; exact names and aliases only. */
  find(words: string): FeaturedEntry | undefined;
}

export interface PasteOptions {
  /** Teams and hosted hubs run nothing: local servers are recognised and declined. */
  readonly remoteOnly?: boolean;
  readonly featured?: FeaturedLookup;
}
