import type { Placeholder } from '../placeholders.ts';

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
export const noSyntax: PlaceholderSyntax = { pattern: /(?!)/g, write: () => undefined, fields: [] };
