import type { NextStep } from '../../base/remedy.ts';
import type { Owner } from '../../base/errors.ts';
import type { Endpoint } from '../definition.ts';
import type { ServerFields } from '../entry/fields.ts';
import type { RegistryEntry } from '../registry/entry.ts';

export type PastedTransport = Endpoint['kind'];

export interface PastedRef {
  readonly kind:
    | 'npm'
    | 'pypi'
    | 'docker'
    | 'docker-catalog'
    | 'toolhive'
    | 'mcpb'
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

/** As pasted: values untouched, placeholders named in `needs`. */
export interface PastedServer extends ServerFields {
  readonly name: string | null;
  readonly needs: readonly string[];
  readonly ref?: PastedRef;
  /** A registry's document that was pasted: its plan is made of it, not of the fields here. */
  readonly listed?: RegistryEntry;
  /** Without its wrapper: the URL behind `npx mcp-remote URL`. */
  readonly alt?: {
    readonly transport: PastedTransport;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** In remote-only mode, why a local server is declined. */
  readonly declined?: string;
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

/** A line of the paste, and what it became; without `after` it is gone, without `before` it is new. */
export interface MendedLine {
  readonly line: number;
  readonly before?: string;
  readonly after?: string;
}

export interface PasteRepair {
  /** The whole paste with nothing changed but what was wrong. */
  readonly text: string;
  readonly changes: readonly PasteChange[];
  readonly lines: readonly MendedLine[];
}

export interface Paste {
  readonly format: string;
  readonly servers: readonly PastedServer[];
  /** Groups of indices in `servers`: ways to one and the same server, of which one is chosen. */
  readonly alternatives?: readonly (readonly number[])[];
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
  /** A name that a misspelled word stands for, if there is only one. */
  near?(words: string): FeaturedEntry | undefined;
}

export interface PasteOptions {
  /** Teams and hosted hubs decline local servers. */
  readonly remoteOnly?: boolean;
  readonly featured?: FeaturedLookup;
}
