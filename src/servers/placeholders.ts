import type { Remedy } from '../base/remedy.ts';
import { PlugError } from '../base/errors.ts';
import type { Endpoint } from './definition.ts';

export function findPlaceholders(text: string): readonly Placeholder[] {
  return splitTemplate(text).filter((part) => typeof part !== 'string');
}

type MaybeValue = string | undefined | Promise<string | undefined>;

/** `undefined` means no value; a throw says why. */
export interface PlaceholderSources {
  env(name: string): MaybeValue;
  input(id: string): MaybeValue;
  /** An absolute path; see `readValueFile`. */
  file(path: string): MaybeValue;
  vault(name: string): MaybeValue;
  /** Asks a password manager; see `readCommand`. */
  command(line: string): MaybeValue;
}

export interface MissingValue {
  readonly placeholder: string;
  /** `env.API_KEY`, `args[2]`, `url`, `headers.Authorization`. */
  readonly where: string;
  readonly kind: PlaceholderKind;
  readonly reason: string;
  /** If it differs from the usual advice. */
  readonly remedy?: Remedy;
}

type Resolved<T> =
  /** `secrets`: values to be redacted wherever they show up. */
  | ({ readonly kind: 'ok'; readonly secrets: readonly string[] } & T)
  | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] };

export type ResolvedEndpoint = Resolved<{ readonly endpoint: Endpoint }>;

export type ResolvedTexts = Resolved<{ readonly values: Readonly<Record<string, string>> }>;

export function missingInput(server: string, missing: readonly MissingValue[]): PlugError {
  const first = missing[0];
  const list = missing.map((value) => `${value.placeholder} in ${value.where} (${value.reason})`).join('; ');
  return new PlugError('missing_input', `“${server}” cannot start: ${list}.`, {
    owner: 'you',
    server,
    details: { missing },
    ...(first ? { remedy: first.remedy ?? { do: 'say', text: ADVICE[first.kind] } } : {}),
  });
}

const ADVICE: Readonly<Record<PlaceholderKind, string>> = {
  env: 'Set the variable, or give a default as in ${NAME:-default}, then start the server again.',
  input: 'Give the value that the placeholder stands for, then start the server again.',
  file: 'Create the file, or correct its path, then start the server again.',
  vault: 'Put the secret into the vault, then start the server again.',
  command: 'Run the command in a terminal, sign in there if it asks for it, then start the server again.',
  unknown: 'Correct the placeholder, or write $${ where a literal ${ is meant.',
};

export type PlaceholderKind = 'env' | 'input' | 'file' | 'vault' | 'command' | 'unknown';

/** `unknown` looks like a placeholder, but means nothing to us. */
export interface Placeholder {
  readonly kind: PlaceholderKind;
  /** A variable, input id, path, vault name or command line; for `unknown`, the text between the braces. */
  readonly name: string;
  /** From `${VAR:-fallback}`: for a variable that is unset or empty. */
  readonly fallback?: string;
  readonly text: string;
}

export type TemplatePart = string | Placeholder;

/** Splits a text into literals and placeholders. `$${` is a literal `${`, as is a `${` that never closes. */
export function splitTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  let from = 0;
  // Found once: searching again for a brace that isn't there would be quadratic.
  const lastClose = text.lastIndexOf('}');
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    const [opening] = match;
    literal += text.slice(from, match.index);
    from = OPENING.lastIndex;
    if (opening === '$${' || from > lastClose) {
      literal += opening === '$${' ? '${' : opening;
      continue;
    }
    const end = text.indexOf('}', from);
    if (literal !== '') parts.push(literal);
    parts.push(readPlaceholder(text.slice(match.index, end + 1), text.slice(from, end), opening));
    literal = '';
    from = end + 1;
    OPENING.lastIndex = from;
  }
  literal += text.slice(from);
  return literal === '' ? parts : [...parts, literal];
}

export function joinTemplate(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? escapeLiteral(part) : part.text)).join('');
}

export function escapeLiteral(text: string): string {
  // A function, because `$$` in a replacement text means one dollar.
  return text.replaceAll('${', () => '$${');
}

const OPENING = /\$\$\{|\$\{|\{env:/g;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_.()-]*$/;
const INPUT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const VAULT = /^[A-Za-z0-9_][A-Za-z0-9_./:@-]*$/;

function readPlaceholder(text: string, body: string, opening: string): Placeholder {
  if (opening === '{env:') return named('env', body, VARIABLE, text);
  const [, prefix, rest] = /^(input|file|vault|command):([^]*)$/.exec(body) ?? [];
  if (rest !== undefined && !rest.startsWith('-')) {
    if (prefix === 'file' || prefix === 'command') return named(prefix, rest, /[^]/, text);
    return prefix === 'vault' ? named('vault', rest, VAULT, text) : named('input', rest, INPUT, text);
  }
  const split = body.indexOf(':-');
  const head = split < 0 ? body : body.slice(0, split);
  const placeholder = named('env', head.replace(/^env:/, ''), VARIABLE, text);
  if (split < 0 || placeholder.kind === 'unknown') return placeholder;
  const fallback = body.slice(split + 2);
  // A placeholder inside a fallback would end at the wrong brace.
  return fallback.includes('${') ? { kind: 'unknown', name: body, text } : { ...placeholder, fallback };
}

function named(kind: PlaceholderKind, name: string, allowed: RegExp, text: string): Placeholder {
  return allowed.test(name) && !name.includes('${') ? { kind, name, text } : { kind: 'unknown', name, text };
}
