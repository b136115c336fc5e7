import type { JsonObject } from '../../base/json.ts';
import type { Endpoint } from '../definition.ts';
import type { KeyPath } from './documents/document.ts';
import { type PlaceholderSyntax, noSyntax } from './placeholder-syntax.ts';

/** A client's way to write down one server. Reading is more generous than writing. */
export interface Dialect {
  /** Names of fields as this client writes them; a dot goes one level down. */
  readonly fields: {
    readonly command: string;
    /** Absent where the command is a list that starts with the program. */
    readonly args?: string;
    readonly env: string;
    /** Absent where the client is not known to have it. */
    readonly cwd?: string;
    readonly url: string;
    readonly headers: string;
  };
  /**
   * The word in `type` for each kind of connection; null where none is needed. A kind that
   * is missing here is one that the client does not know.
   */
  readonly kinds: Readonly<Partial<Record<Endpoint['kind'], string | null>>>;
  readonly placeholders: PlaceholderSyntax;
  /** The field with a name to show, where the client has one beside the key. */
  readonly name?: string;
  /** The flag that switches a server off, and the value that does it. */
  readonly off?: { readonly field: string; readonly value: boolean };
  /** A list of names beside the servers' container: those are switched off. */
  readonly offList?: KeyPath;
  readonly startTimeout?: TimeoutField;
  readonly callTimeout?: TimeoutField;
  readonly allowTools?: string;
  readonly denyTools?: string;
  /** Entries of the same map that are not MCP servers at all. */
  readonly isServer?: (entry: unknown, key: string) => boolean;
  /** Turns what only this client has into common fields, before anything else is read. */
  readonly beforeRead?: (entry: JsonObject, file: FileContext) => JsonObject;
  /** The reverse, after everything else is written. */
  readonly afterWrite?: (entry: JsonObject) => AfterWrite;
}

export interface AfterWrite {
  readonly entry: JsonObject;
  readonly warnings: readonly string[];
}

export interface TimeoutField {
  readonly field: string;
  /** Milliseconds in one unit of the field. */
  readonly unitMs: number;
}

/** What an entry may refer to outside of itself. */
export interface FileContext {
  readonly key: string;
  readonly home: string;
  /** The folder of the project; absent for a user's own file. */
  readonly workspace?: string;
  /** `inputs` at the top of the same file. */
  readonly inputs: readonly JsonObject[];
}

/** What most clients share: `{"command", "args", "env"}` or `{"url", "headers"}`. */
export const standardDialect: Dialect = {
  fields: { command: 'command', args: 'args', env: 'env', url: 'url', headers: 'headers' },
  kinds: { stdio: null, http: null },
  placeholders: noSyntax,
};
