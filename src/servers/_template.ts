export type PlaceholderKind = 'env' | 'input' | 'file' | 'vault' | 'command' | 'unknown';

/** One placeholder as written. `unknown` has the shape of one, but no meaning to us. */
export interface Placeholder {
  readonly kind: PlaceholderKind;
  /** Variable, input id, path, vault name or command line; for `unknown`, whatever stood between the braces. */
  readonly name: string;
  /** From `${VAR:-fallback}`: used when the variable is unset or empty. */
  readonly fallback?: string;
  readonly text: string;
}

export type TemplatePart = string | Placeholder;

/**
 * Splits a text into literal parts and placeholders, in one pass from left to right. `$${`
 * stands for a literal `${`. A `${` that is never closed is literal too.
 */
export function splitTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  let from = 0;
  // Found once: looking for a closing brace that is not there, again and again, takes for ever.
  const lastClose = text.lastIndexOf('}');
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(text); opening; opening = OPENING.exec(text)) {
    literal += text.slice(from, opening.index);
    from = OPENING.lastIndex;
    const escaped = opening[0] === '$${';
    if (escaped || from > lastClose) {
      literal += escaped ? '${' : opening[0];
      continue;
    }
    const end = text.indexOf('}', from);
    const placeholder = readPlaceholder(
      text.slice(opening.index, end + 1),
      text.slice(from, end),
      opening[0],
    );
    if (literal !== '') parts.push(literal);
    parts.push(placeholder);
    literal = '';
    from = end + 1;
    OPENING.lastIndex = from;
  }
  literal += text.slice(from);
  if (literal !== '') parts.push(literal);
  return parts;
}

export function joinTemplate(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? escapeLiteral(part) : part.text)).join('');
}

/** Writes a text so that it is read back as itself, however much it looks like a placeholder. */
export function escapeLiteral(text: string): string {
  // A function, because in a replacement text `$$` would stand for a single dollar.
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
  // A placeholder inside a fallback would end at the wrong brace: better no meaning than a wrong one.
  return fallback.includes('${') ? { kind: 'unknown', name: body, text } : { ...placeholder, fallback };
}

function named(kind: PlaceholderKind, name: string, allowed: RegExp, text: string): Placeholder {
  return allowed.test(name) && !name.includes('${') ? { kind, name, text } : { kind: 'unknown', name, text };
}
