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
}
