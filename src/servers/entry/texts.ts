import type { PlaceholderSyntax, TextField } from '../clients/dialect.ts';
import { escapeLiteral } from '../placeholders.ts';
import type { Blank } from './blanks.ts';

export interface TextContext {
  /** How the client writes placeholders, beside the forms that everyone understands. */
  readonly syntax?: PlaceholderSyntax | undefined;
  /** In our own files `$${` is a literal `${`. */
  readonly escapes?: boolean;
  readonly workspace?: string | undefined;
  /** In a script for a shell, only plain variables that the script doesn't get itself are ours. */
  readonly script?: { readonly env: Readonly<Record<string, string>> } | undefined;
}

/** The text in our own words: placeholders of any client, and sample text as inputs that are asked for. */
export function readText(
  text: string,
  field: TextField,
  context: TextContext,
  samples: readonly Blank[] = [],
): string {
  const known = context.script ? scriptMarks(text, context) : marksIn(text, field, context);
  const free = samples.filter(
    (sample) =>
      sample.kind === 'literal' && sample.weak !== true && !known.some((mark) => overlaps(mark, sample)),
  );
  const marks = [...known, ...free.map(({ from, to, name }) => ({ from, to, ours: inputFor(name) }))];
  let ours = '';
  let at = 0;
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    if (mark.from < at) continue;
    ours += literal(text.slice(at, mark.from), context);
    ours += afterDollar(ours, mark.ours);
    at = mark.to;
  }
  return ours + literal(text.slice(at), context);
}

/** “your API key” becomes `${input:your-API-key}`. */
function inputFor(name: string): string {
  const id = name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64);
  return `\${input:${id === '' ? 'value' : id}}`;
}

interface Mark {
  readonly from: number;
  readonly to: number;
  readonly ours: string;
}

function overlaps(a: { from: number; to: number }, b: { from: number; to: number }): boolean {
  return a.from < b.to && b.from < a.to;
}

const VARIABLE = String.raw`[A-Za-z_][A-Za-z0-9_.()-]*`;
const FALLBACK = String.raw`(?<fallback>:-(?:(?!\$\{)[^}])*)?`;

/** One alternative for each way to write a placeholder; the group says which. */
const COMMON = new RegExp(
  [
    String.raw`(?<escape>\$\$\{)`,
    String.raw`\$\{\{\s*(?:(?<scope>secrets|inputs|env|vars)\.)?(?<actions>[\w./:@-]+)\s*\}\}`,
    String.raw`\{\{\s*(?<braces>\w[\w .-]{0,60}?)\s*\}\}`,
    String.raw`(?<pwd>\$\(pwd\)|\x60pwd\x60|\$PWD\b|\$\{PWD\}|%(?:cd|CD)%)`,
    String.raw`(?<own>\$\{(?:input|file|vault|command):[^}$]+\})`,
    String.raw`\$\{(?:user_config|config|secrets?)[.:](?<config>[^}$]{1,80})\}`,
    String.raw`\$\{(?:env[:.])?(?<env>${VARIABLE})${FALLBACK}\}`,
    String.raw`\{env:(?<opencode>${VARIABLE})\}`,
    String.raw`\{file:(?<file>[^}$]+)\}`,
    String.raw`\$env:(?<powershell>[A-Za-z_]\w*)`,
    String.raw`(?<=^|[\s=:/,;"'(@])\$(?<shell>[A-Z_][A-Z0-9_]+)(?=$|[\s/:,;"')&@.\\])`,
    String.raw`%(?<windows>[A-Z_][A-Z0-9_]{2,})%`,
    String.raw`#\{(?<hash>[\w.-]{1,60})\}`,
    String.raw`(?<![$\w{])\{(?<single>[A-Za-z][\w-]{1,60})\}(?!\})`,
  ].join('|'),
  'g',
);

function marksIn(text: string, field: TextField, context: TextContext): readonly Mark[] {
  if (!/[$%{]/.test(text)) return [];
  const { syntax, workspace } = context;
  const isFilled = syntax !== undefined && (syntax.fields?.includes(field) ?? true);
  const own = isFilled ? [...text.matchAll(syntax.pattern)].flatMap((match) => markOf(match, workspace)) : [];
  const common = [...text.matchAll(COMMON)].flatMap((match) => {
    const { escape, windows, single } = match.groups ?? {};
    // A literal dollar before a variable, where `$${` is no escape.
    if (escape !== undefined && context.escapes !== true)
      return afterLoneDollar(text, match.index, workspace);
    if (windows !== undefined && field === 'url') return [];
    if (single !== undefined && field !== 'url' && !/^[A-Z][A-Z0-9_]{2,}$/.test(single)) return [];
    return markOf(match, workspace);
  });
  return [...own, ...common.filter((mark) => !own.some((other) => overlaps(mark, other)))];
}

function afterLoneDollar(text: string, at: number, workspace: string | undefined): readonly Mark[] {
  const match = new RegExp(String.raw`^\$\{(?:env[:.])?(?<env>${VARIABLE})${FALLBACK}\}`).exec(
    text.slice(at + 1),
  );
  if (!match) return [];
  return markOf(match, workspace).map((mark) => ({ ...mark, from: at + 1, to: at + 1 + match[0].length }));
}

function scriptMarks(text: string, { script }: TextContext): readonly Mark[] {
  return [...text.matchAll(PLAIN)].flatMap((match) =>
    Object.hasOwn(script?.env ?? {}, match.groups?.['env'] ?? '') ? [] : markOf(match, undefined),
  );
}

const PLAIN = new RegExp(String.raw`(?<!\$)\$\{(?<env>[A-Za-z_]\w*)${FALLBACK}\}`, 'g');

function markOf(match: RegExpExecArray, workspace: string | undefined): readonly Mark[] {
  const ours = ourPlaceholder(match[0], match.groups ?? {}, workspace);
  return ours === undefined ? [] : [{ from: match.index, to: match.index + match[0].length, ours }];
}

type Groups = Readonly<Record<string, string | undefined>>;

function ourPlaceholder(text: string, groups: Groups, workspace: string | undefined): string | undefined {
  const { escape, scope, actions, own, home, pwd } = groups;
  if (escape !== undefined) return '$${';
  if (own !== undefined) return own;
  if (home !== undefined) return '${HOME}';
  if (pwd !== undefined || groups['workspace'] !== undefined)
    return variable('workspaceFolder', '', workspace);
  if (actions !== undefined) {
    if (scope === 'secrets') return `\${vault:${actions}}`;
    return scope === 'inputs' ? inputFor(actions) : variable(actions, '', workspace);
  }
  const asked = groups['braces'] ?? groups['config'] ?? groups['single'] ?? groups['hash'];
  if (asked !== undefined) return inputFor(asked);
  if (groups['input'] !== undefined) return `\${input:${groups['input']}}`;
  if (groups['file'] !== undefined) return `\${file:${groups['file']}}`;
  if (groups['vault'] !== undefined) return `\${vault:${groups['vault']}}`;
  const name = ['env', 'env2', 'opencode', 'powershell', 'shell', 'windows']
    .map((group) => groups[group])
    .find((found) => found !== undefined);
  return name === undefined ? text : variable(name, fallbackOf(groups['fallback']), workspace);
}

/** The patterns of clients give it without its sign. */
function fallbackOf(fallback: string | undefined): string {
  if (fallback === undefined) return '';
  return fallback.startsWith(':-') ? fallback : `:-${fallback}`;
}

/** Editors fill in the folder that is open in them; without one it is the caller's, when the server starts. */
function variable(name: string, fallback: string, workspace: string | undefined): string {
  if (name === 'userHome') return '${HOME}';
  const isFolder = name === 'workspaceFolder' || name === 'workspaceRoot';
  if (isFolder && workspace !== undefined) return escapeLiteral(workspace);
  if (name === 'workspaceFolderBasename' && workspace !== undefined)
    return escapeLiteral(workspace.split(/[/\\]/).at(-1) ?? workspace);
  return `\${${isFolder ? 'workspaceFolder' : name}${fallback}}`;
}

/** `$${VAR}` would be an escape; `{env:VAR}` means the same. */
export function afterDollar(before: string, placeholder: string): string {
  const [, name] = before.endsWith('$') ? (/^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(placeholder) ?? []) : [];
  return name === undefined ? placeholder : `{env:${name}}`;
}

/** A `${` that never closes is literal; one that means nothing to us is reported when the server starts. */
function literal(part: string, { script }: TextContext): string {
  if (script) return escapeLiteral(part);
  return part.replaceAll(/\$\{(?![^}]*\})/g, () => '$${');
}
