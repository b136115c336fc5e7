import type { JsonObject } from '../../base/json.ts';
import type { Endpoint } from '../definition.ts';
import type { Placeholder } from '../placeholders.ts';

/** How a client writes one server. Reading is more lenient than writing. */
export interface Dialect {
  /** A dot goes one level down. */
  readonly fields: {
    readonly command: string;
    /** Absent where `command` is a list that starts with the program. */
    readonly args?: string;
    readonly env: string;
    /** Absent where the client isn't known to have it. */
    readonly cwd?: string;
    readonly url: string;
    readonly headers: string;
  };
  /** The client's `type` for each kind: null where it needs none, missing where it can't connect. */
  readonly kinds: Readonly<Partial<Record<Endpoint['kind'], string | null>>>;
  readonly placeholders: PlaceholderSyntax;
  readonly name?: string;
  /** The flag that disables a server. */
  readonly off?: { readonly field: string; readonly value: boolean };
  readonly startTimeout?: TimeoutField;
  readonly callTimeout?: TimeoutField;
  readonly allowTools?: string;
  readonly denyTools?: string;
  /** False for entries of the same map that aren't MCP servers. */
  readonly isServer?: (entry: unknown, key: string) => boolean;
  readonly afterWrite?: (entry: JsonObject) => AfterWrite;
}

export interface AfterWrite {
  readonly entry: JsonObject;
  readonly warnings: readonly string[];
}

export interface TimeoutField {
  readonly field: string;
  readonly unitMs: number;
}

/** The parts of a file that an entry may refer to. */
export interface FileContext {
  readonly key: string;
  readonly home: string;
  readonly workspace?: string;
  readonly inputs: readonly JsonObject[];
}

export type TextField = 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers';

/** How a client writes placeholders. */
export interface PlaceholderSyntax {
  /** Named groups give the kind: `env` (or `env2`, with `fallback`), `input`, `file`, `vault`, `home`, `workspace`. */
  readonly pattern: RegExp;
  readonly write: (placeholder: Placeholder) => string | undefined;
  /** Fields where the client fills them in; absent means all. */
  readonly fields?: readonly TextField[];
}

const FALLBACK = String.raw`(?::-(?<fallback>(?:(?!\$\{)[^}])*))?`;
const VARIABLE = String.raw`[A-Za-z_][A-Za-z0-9_]*`;

export const shellSyntax: PlaceholderSyntax = {
  pattern: new RegExp(String.raw`\$\{(?<env>${VARIABLE})${FALLBACK}\}`, 'g'),
  write: ({ kind, name, fallback }) =>
    kind === 'env' ? `\${${name}${fallback === undefined ? '' : `:-${fallback}`}}` : undefined,
};

export const bareSyntax: PlaceholderSyntax = {
  pattern: new RegExp(String.raw`\$\{(?<env>${VARIABLE})\}`, 'g'),
  write: ({ kind, name }) => (kind === 'env' ? `\${${name}}` : undefined),
};

export const editorSyntax = (kinds: readonly ('env' | 'file' | 'input')[]): PlaceholderSyntax => ({
  pattern: new RegExp(
    [
      ...kinds.map((kind) => String.raw`\$\{${kind}:(?<${kind}>[^}$]+)\}`),
      String.raw`(?<home>\$\{userHome\})`,
      String.raw`(?<workspace>\$\{workspaceFolder\})`,
    ].join('|'),
    'g',
  ),
  write: ({ kind, name }) => (kinds.some((known) => known === kind) ? `\${${kind}:${name}}` : undefined),
});

/** No placeholders: texts go to the server as they are. */
const noSyntax: PlaceholderSyntax = { pattern: /(?!)/g, write: () => undefined, fields: [] };

/** The form most clients share. */
export const standardDialect: Dialect = {
  fields: { command: 'command', args: 'args', env: 'env', url: 'url', headers: 'headers' },
  kinds: { stdio: null, http: null },
  placeholders: noSyntax,
};
