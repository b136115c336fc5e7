import { findPlaceholders, type Placeholder } from '../placeholders.ts';
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
  const literal = inCommand ? escape : (part: string): string => fill(part, MEANT, escape);
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
  if (home !== undefined && folders) return escape(folders.home);
  if (workspace !== undefined && folders?.workspace !== undefined) return escape(folders.workspace);
  // Kept: the missing value is reported when the server starts.
  return text;
}

/** `$${VAR}` would be an escape; `{env:VAR}` means the same. */
function afterDollar(before: string, placeholder: string): string {
  const [, name] = before.endsWith('$') ? (/^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(placeholder) ?? []) : [];
  return name === undefined ? placeholder : `{env:${name}}`;
}

export interface WrittenText {
  readonly text: string;
  readonly lost: readonly string[];
}

export function writeText(ours: string, syntax: PlaceholderSyntax, field: TextField): WrittenText {
  const lost: string[] = [];
  const text = splitOurs(ours)
    .map((part) => {
      if (typeof part === 'string') return part;
      const written = isFilled(syntax, field) ? syntax.write(part) : undefined;
      if (written === undefined) lost.push(part.text);
      return written ?? part.text;
    })
    .join('');
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
  for (const part of splitOurs(ours)) {
    if (typeof part === 'string') text += escape(part);
    else if (part.kind !== 'env') text += part.text;
    else if (part.fallback !== undefined) text += `\${${part.name}:-${part.fallback}}`;
    else text += afterDollar(text, `\${${part.name}}`);
  }
  return text;
}

export function splitOurs(text: string): readonly (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = [];
  const placeholders = [...findPlaceholders(text)];
  let literal = '';
  for (let at = 0; at < text.length;) {
    const [next] = placeholders;
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (next && text.startsWith(next.text, at)) {
      if (literal !== '') parts.push(literal);
      parts.push(next);
      placeholders.shift();
      literal = '';
      at += next.text.length;
    } else {
      literal += text[at];
      at += 1;
    }
  }
  return literal === '' ? parts : [...parts, literal];
}

/** A function, because `$$` in a replacement text means one dollar. */
function escape(text: string): string {
  return text.replaceAll('${', () => '$${');
}
