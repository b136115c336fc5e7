import type { Placeholder } from '../placeholders.ts';

export type TextField = 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers';

/** How a client writes “a value from elsewhere”. */
export interface PlaceholderSyntax {
  /**
   * Finds placeholders. The name of the matched group says the kind: `env` (also `env2`),
   * `input`, `file`, `vault`; `fallback` goes with `env`, `home` is the user's folder and
   * `workspace` the project's.
   */
  readonly pattern: RegExp;
  /** Undefined where the client cannot say it. */
  readonly write: (placeholder: Placeholder) => string | undefined;
  /** Where the client fills placeholders in; absent means everywhere. */
  readonly fields?: readonly TextField[];
}

const FALLBACK = String.raw`(?::-(?<fallback>(?:(?!\$\{)[^}])*))?`;
const VARIABLE = String.raw`[A-Za-z_][A-Za-z0-9_]*`;

/** `${VAR}` and `${VAR:-default}`. */
export const shellSyntax: PlaceholderSyntax = {
  pattern: new RegExp(String.raw`\$\{(?<env>${VARIABLE})${FALLBACK}\}`, 'g'),
  write: ({ kind, name, fallback }) =>
    kind === 'env' ? `\${${name}${fallback === undefined ? '' : `:-${fallback}`}}` : undefined,
};

/** `${VAR}` alone. */
export const bareSyntax: PlaceholderSyntax = {
  pattern: new RegExp(String.raw`\$\{(?<env>${VARIABLE})\}`, 'g'),
  write: ({ kind, name }) => (kind === 'env' ? `\${${name}}` : undefined),
};

/** `${env:VAR}`, `${file:path}`, `${input:id}` and the editors' folders. */
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

/** The client has no placeholders: a text goes to the server as it is. */
export const noSyntax: PlaceholderSyntax = { pattern: /(?!)/g, write: () => undefined, fields: [] };
