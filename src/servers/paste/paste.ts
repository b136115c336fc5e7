import type { NextStep } from '../../base/remedy.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Owner } from '../../base/errors.ts';
import type { Timeouts, ToolFilter } from '../definition.ts';

export type PastedTransport = 'stdio' | 'http' | 'sse' | 'ws';

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

export interface PastedInput {
  readonly id: string;
  readonly description?: string;
  readonly password?: boolean;
  readonly default?: string;
}

/** As pasted: values untouched, placeholders named in `needs`. */
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
  readonly needs: readonly string[];
  readonly ref?: PastedRef;
  /** Without its wrapper: the URL behind `npx mcp-remote URL`. */
  readonly alt?: {
    readonly transport: PastedTransport;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly timeouts?: Timeouts;
  readonly tools?: ToolFilter;
  readonly readOnly?: true;
  readonly inputs?: readonly PastedInput[];
  /** In remote-only mode, why a local server is declined. */
  readonly declined?: string;
  /** Unknown fields, kept for a lossless round trip. */
  readonly extra: JsonObject;
  readonly line?: number;
}

export interface PasteProblem extends NextStep {
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
  readonly format: string;
  readonly servers: readonly PastedServer[];
  readonly problems: readonly PasteProblem[];
  /** Present when the text was damaged: the changes, for the user to confirm. */
  readonly repair?: PasteRepair;
  readonly notMcp?: string;
}

/** For words such as “connect me to Notion”. */
export interface FeaturedEntry {
  readonly id: string;
  readonly name: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly string[];
}

export interface FeaturedLookup {
  /** Given lower-case words; exact names and aliases only. */
  find(words: string): FeaturedEntry | undefined;
}

export interface PasteOptions {
  /** Teams and hosted hubs decline local servers. */
  readonly remoteOnly?: boolean;
  readonly featured?: FeaturedLookup;
}
