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
  | 'mcp-json';

/** Where we look: passed in, so that a prepared folder can stand for a whole machine. */
export interface Machine {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export type ClientScope = 'user' | 'project' | 'local' | 'managed' | 'devcontainer';

/** Stands in a container's path for every name at that level. */
export const EACH = '*';

/** One file, or one kind of file in a folder, from which a client reads servers. */
export interface ClientPlace {
  readonly scope: ClientScope;
  readonly path: string;
  readonly syntax: Syntax;
  /** Where the servers stand: a map by name, or a list whose items carry their name. */
  readonly container: KeyPath;
  readonly list?: true;
  /** `path` is a folder, and each file in it with such an ending is read. */
  readonly endings?: readonly string[];
}

/** A file that people take for a client's config, and that the client does not read. */
export interface Mistake {
  readonly path: string;
  readonly syntax: Syntax;
  /** One sentence: why it has no effect. */
  readonly why: string;
}

/** What we know of another MCP client. All of it is data. */
export interface Client {
  readonly name: ClientName;
  readonly title: string;
  readonly dialect: Dialect;
  /** The strongest candidate of each scope first: it is the one that is written when none exists. */
  places(machine: Machine): readonly ClientPlace[];
  mistakes(machine: Machine): readonly Mistake[];
}
