import { escapeLiteral, splitTemplate } from '../placeholders.ts';
import type { PlaceholderSyntax, TextField } from './dialect.ts';

export interface Folders {
  readonly home: string;
  readonly workspace?: string;
}

/** `${VAR}` in a value is always the variable, as its author meant; in a command it may be for a shell. */
export function readText(
  text: string,
  syntax: PlaceholderSyntax,
  field: TextField,
  folders?: Folders,
): string {
  const inCommand = field === 'command' || field === 'args' || field === 'cwd';
  const literal = inCommand ? escapeLiteral : (part: string) => fill(part, MEANT, escapeLiteral);
  return isFilled(syntax, field) ? fill(text, syntax.pattern, literal, folders) : literal(text);
}

const MEANT = /\$\{(?:env:)?(?<env>[A-Za-z_][A-Za-z0-9_]*)\}/g;

function fill(text: string, pattern: RegExp, literal: (part: string) => string, folders?: Folders): string {
  let ours = '';
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    ours += literal(text.slice(from, match.index));
    ours += afterDollar(ours, ourPlaceholder(match, folders));
    from = match.index + match[0].length;
  }
  return ours + literal(text.slice(from));
}

function ourPlaceholder({ 0: text, groups = {} }: RegExpExecArray, folders: Folders | undefined): string {
  const { env = groups['env2'], fallback, input, file, vault, home, workspace } = groups;
  if (env !== undefined) return fallback === undefined ? `\${${env}}` : `\${${env}:-${fallback}}`;
  if (input !== undefined) return `\${input:${input}}`;
  if (file !== undefined) return `\${file:${file}}`;
  if (vault !== undefined) return `\${vault:${vault}}`;
  if (home !== undefined && folders) return escapeLiteral(folders.home);
  if (workspace !== undefined && folders?.workspace !== undefined) return escapeLiteral(folders.workspace);
  // Kept: the missing value is reported when the server starts.
  return text;
}

/** `$${VAR}` would be an escape; `{env:VAR}` means the same. */
function afterDollar(before: string, placeholder: string): string {
  const [, name] = before.endsWith('$') ? (/^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(placeholder) ?? []) : [];
  return name === undefined ? placeholder : `{env:${name}}`;
}

/** `lost`: placeholders and texts that this client won't read as they are meant. */
export function writeText(
  ours: string,
  syntax: PlaceholderSyntax,
  field: TextField,
): { readonly text: string; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const parts = splitTemplate(ours).map((part) => {
    if (typeof part === 'string') return part;
    const written = isFilled(syntax, field) ? syntax.write(part) : undefined;
    if (written === undefined) lost.push(part.text);
    return written ?? part.text;
  });
  const text = parts.join('');
  // Reading it back also finds literal texts that look like placeholders.
  const same = lost.length > 0 || readText(text, syntax, field) === normal(ours);
  return { text, lost: same ? lost : [ours] };
}

function isFilled({ fields }: PlaceholderSyntax, field: TextField): boolean {
  return fields?.includes(field) ?? true;
}

/** `${env:V}` and `{env:V}` mean `${V}`. */
function normal(ours: string): string {
  let text = '';
  for (const part of splitTemplate(ours)) {
    if (typeof part === 'string') text += escapeLiteral(part);
    else if (part.kind !== 'env') text += part.text;
    else if (part.fallback !== undefined) text += `\${${part.name}:-${part.fallback}}`;
    else text += afterDollar(text, `\${${part.name}}`);
  }
  return text;
}
