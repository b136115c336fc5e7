import type { JsonObject } from '../../base/json.ts';
import type { Dialect } from './dialect.ts';
import type { KeyPath, Syntax } from './documents/document.ts';

export type ClientName =
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'copilot-cli'
  | 'gemini-cli'
  | 'codex'
  | 'opencode'
  | 'goose'
  | 'zed'
  | 'windsurf'
  | 'continue'
  | 'lm-studio'
  | 'librechat'
  | 'cline'
  | 'roo'
  | 'mcp-json'
  | 'emacs';

/** Passed in, so that a test folder can stand for a whole machine. */
export interface Machine {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export type ClientScope = 'user' | 'project' | 'local' | 'managed' | 'devcontainer';

/** In a container's path: every name at that level. */
export const EACH = '*';

export interface ClientPlace {
  readonly scope: ClientScope;
  readonly path: string;
  readonly syntax: Syntax;
  /** A map by name, or a list whose items carry their name. */
  readonly container: KeyPath;
  readonly list?: true;
  /** `path` is a folder: each file in it with such an ending is read. */
  readonly endings?: readonly string[];
  /** `path` is a folder: this file in each folder below it is read. */
  readonly inEach?: string;
}

/** Which entry is meant, for what a client decides outside of it. */
export interface EntryAddress {
  readonly key: string;
  readonly scope: ClientScope;
  readonly file: string;
  /** The project whose section of the file holds it. */
  readonly project?: string;
  readonly workspace?: string;
}

/** Another file of a client that says which servers are off. */
export interface OffFile {
  readonly path: string;
  readonly isOff: (content: unknown, entry: EntryAddress) => boolean;
}

export interface Mistake {
  readonly path: string;
  readonly syntax: Syntax;
  readonly why: string;
}

/** Facts about another MCP client. */
export interface Client {
  readonly name: ClientName;
  readonly title: string;
  readonly dialect: Dialect;
  /** The first place of a scope is written when none exists. */
  places(machine: Machine): readonly ClientPlace[];
  mistakes(machine: Machine): readonly Mistake[];
  /** A server that is off there stays off here. */
  offFiles?(machine: Machine): readonly OffFile[];
  /** What the client itself fills in for `${NAME}`; undefined where nothing is known. */
  variables?(entry: EntryAddress): Readonly<Record<string, string | undefined>>;
  /** Why an entry of the same map can't be imported. */
  leftOut?(entry: unknown): string | undefined;
  /** What a person should know who imports this entry. */
  notes?(entry: JsonObject): readonly string[];
}
