import { namesSecret } from '../../base/secret-names.ts';

export interface Blank {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** A reference names a variable or an input; a literal is sample text. */
  readonly kind: 'reference' | 'literal';
  readonly source?: 'env' | 'input';
}

export function blanksInText(text: string): readonly Blank[] {
  const marked = [...references(text), ...brackets(text)];
  if (marked.length > 0) {
    const free = words(text).filter(
      (word) => !marked.some(({ from, to }) => from < word.to && word.from < to),
    );
    return ordered([...marked, ...free]);
  }
  const whole = wholeBlank(text);
  if (whole) return [whole];
  return words(text);
}

/** `ACCOUNT_ID` in a URL, a header or a secret names the value. */
export const NAMED_IN_CAPITALS: RegExp = /^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}$/;

/** The parts of the host count on their own. */
export function blanksInUrl(url: string): readonly Blank[] {
  const marked = [...references(url), ...brackets(url)];
  const taken = (at: number): boolean => marked.some(({ from, to }) => at >= from && at < to);
  const host = hostOf(url);
  const more: Blank[] = [];
  for (const match of url.matchAll(/[\p{L}\p{N}_~*-]+(?:\.{3})?/gu)) {
    const { index } = match;
    if (taken(index) || index < (host?.from ?? 0)) continue;
    if (!isBlankWord(match[0]) && !NAMED_IN_CAPITALS.test(match[0])) continue;
    let to = index + match[0].length;
    const inHost = host !== undefined && index < host.to;
    // `yourdomain.com` is a placeholder as a whole; in `your-app.example.net` only the first part is.
    const rest = inHost ? url.slice(to, host.to) : '';
    if (/^\.[a-z]{2,}$/i.test(rest)) to = host?.to ?? to;
    more.push({ kind: 'literal', name: url.slice(index, to), from: index, to });
  }
  return ordered([...marked, ...more]);
}

export function blanksInVariable(name: string, value: string): readonly Blank[] {
  const refs = references(value);
  const secretName = /^\$?(COPILOT_MCP_[A-Z0-9_]+)$/.exec(value)?.[1];
  if (secretName !== undefined)
    return [{ kind: 'reference', source: 'env', name: secretName, from: 0, to: value.length }];
  if (refs.length > 0) return refs;
  if (!isBlankValue(name, value)) return [];
  return [{ kind: 'literal', name, from: 0, to: value.length }];
}

function isBlankValue(name: string, value: string): boolean {
  if (value.trim() === '') return namesSecret(name);
  if (brackets(value).length > 0 || isBlankWord(value) || wholeBlank(value)) return true;
  if (
    /^(optional|required|e\.g\.|example|any|some|insert|enter|put|paste|replace)\b/i.test(value) &&
    /\s/.test(value)
  )
    return true;
  if (words(value).length > 0 || blanksInUrlOfValue(value)) return true;
  if (/^(?:you|user|username|me|name)@|@(?:example|yourdomain|domain|company)\.\w+$/i.test(value))
    return true;
  // “Acme API Key” for ACME_API_KEY: a description in place of the value.
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (
    plain(value).length > 2 &&
    plain(name).endsWith(plain(value)) &&
    /[A-Za-z]/.test(value) &&
    (namesSecret(name) || /\s/.test(value))
  )
    return true;
  if (!namesSecret(name)) return false;
  return NAMED_IN_CAPITALS.test(value) || SECRET_EXAMPLE.test(value);
}

/** “secret”, “my-token”, “example_key”. */
const SECRET_EXAMPLE =
  /^(?:value|secret|token|key|password|string|xxx+|none|null|(?:my|example|dummy|sample)[-_].{1,60})$/i;

function blanksInUrlOfValue(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && blanksInUrl(value).length > 0;
}

const VARIABLE = '[A-Za-z_][A-Za-z0-9_]*';
/** The first named group that matched is the name. */
const REFERENCE = new RegExp(
  [
    String.raw`\$\{\{\s*(?:secrets|env|inputs|vars)?\.?(?<actions>[\w-]+)\s*\}\}`,
    String.raw`\{\{\s*(?<braces>[\w][\w .-]{0,60}?)\s*\}\}`,
    String.raw`\$\{input:(?<input>[^}]{1,80})\}`,
    String.raw`\$\{(?:user_config|config|secret|secrets|vault)[.:](?<config>[^}]{1,80})\}`,
    String.raw`\$\{(?:env:|env\.)?(?<dollar>${VARIABLE})(?<operator>[^}]{0,80})\}`,
    String.raw`\{env:(?<opencode>${VARIABLE})\}`,
    String.raw`\$env:(?<powershell>${VARIABLE})`,
    String.raw`\$(?<shell>${VARIABLE})`,
    String.raw`%(?<windows>[A-Za-z_][A-Za-z0-9_]{2,})%`,
    String.raw`#\{(?<hash>[\w.-]{1,60})\}`,
    String.raw`(?<![$\w{])\{(?<single>[A-Za-z][\w-]{1,60})\}(?!\})`,
  ].join('|'),
  'g',
);

function references(text: string): readonly Blank[] {
  if (!/[$%{]/.test(text)) return [];
  const found: Blank[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const groups = match.groups ?? {};
    const name = Object.entries(groups)
      .find(([key, value]) => value !== undefined && key !== 'operator')?.[1]
      ?.trim();
    if (name === undefined || KNOWN_VARIABLES.test(name)) continue;
    // With a default nothing is missing.
    if (groups['operator']?.startsWith(':-') || groups['operator']?.startsWith('-')) continue;
    const asks =
      groups['input'] ?? groups['config'] ?? groups['braces'] ?? groups['single'] ?? groups['hash'];
    found.push({
      kind: 'reference',
      source: asks === undefined ? 'env' : 'input',
      name,
      from: match.index,
      to: match.index + match[0].length,
    });
  }
  return found;
}

/** `<your key>` and `[your key]`; not `package[extra]`, `[::1]` or JSON. */
function brackets(text: string): readonly Blank[] {
  if (!/[<[]/.test(text)) return [];
  const found: Blank[] = [];
  for (const match of text.matchAll(/<([^<>\n]{1,80})>/g)) {
    const inner = (match[1] ?? '').trim();
    if (inner === '' || inner.startsWith('/') || inner.includes('=')) continue;
    found.push({ kind: 'literal', name: inner, from: match.index, to: match.index + match[0].length });
  }
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_])\[([\p{L}][\p{L}\p{N} _.,'’()/-]{2,80})\]/gu)) {
    if (/^[a-z]-[a-z]/i.test(match[1] ?? '') && (match[1] ?? '').length < 4) continue;
    found.push({
      kind: 'literal',
      name: (match[1] ?? '').trim(),
      from: match.index,
      to: match.index + match[0].length,
    });
  }
  return found;
}

/** Sample as a whole: a sentence, a made-up login. */
function wholeBlank(text: string): Blank | undefined {
  const whole: Blank = { kind: 'literal', name: text, from: 0, to: text.length };
  if (/^(your|my own|enter|insert|paste|put|replace)\s/i.test(text) && !/[/\\;&|]/.test(text)) return whole;
  if (/^[a-z+]+:\/\/(user|username|usr|myuser)?:(pass|password|pwd|secret|mypassword)@/i.test(text))
    return whole;
  return undefined;
}

function words(text: string): readonly Blank[] {
  const found: Blank[] = [];
  for (const match of text.matchAll(/(?:[A-Za-z]:[/\\])?[^\s=,:;"'`()|&]+/g)) {
    const word = match[0];
    if (!isBlankPath(word) && !isBlankWord(word)) continue;
    found.push({ kind: 'literal', name: word, from: match.index, to: match.index + word.length });
  }
  return found;
}

const PATH_WORDS = String.raw`(?:absolute|full|abs|complete|real|local|actual|exact|your|the|some)?[-_/\\]?(?:path|ruta|chemin|pfad|caminho|percorso|путь)`;
const BLANK_PATH = new RegExp(
  String.raw`^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]*${PATH_WORDS}[-_/\\](?:to|of|a|al|vers|zu|para|do|к)(?:[-_/\\]|$)` +
    String.raw`|^(?:[A-Za-z]:)?[/\\]*(?:absolute|full|abs|your)[-_/\\]path(?:[/\\]|$)`,
  'i',
);

function isBlankPath(word: string): boolean {
  if (BLANK_PATH.test(word)) return true;
  if (!/[/\\]/.test(word)) return false;
  if (
    /^(?:[A-Za-z]:)?[/\\](?:Users|home)[/\\](?:username|user_name|user-name|you|yourname|yourusername|your[-_]\w+)(?:[/\\]|$)/i.test(
      word,
    )
  )
    return true;
  return !word.startsWith('@') && word.split(/[/\\]/).some((part) => isBlankWord(part) && /your/i.test(part));
}

function hostOf(url: string): { from: number; to: number } | undefined {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(url);
  return match ? { from: match[0].length - (match[1] ?? '').length, to: match[0].length } : undefined;
}

function ordered(blanks: readonly Blank[]): readonly Blank[] {
  let end = -1;
  return blanks
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
}

/** Always set: folders, home, user. */
const KNOWN_VARIABLES =
  /^(workspaceFolder(Basename)?|workspaceRoot|userHome|HOME|PWD|USER|PATH|TMPDIR|TEMP|SHELL|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|pathSeparator|__dirname|cwd|file|fileDirname|LIBRECHAT_USER_\w+|CLAUDE_PLUGIN_ROOT|extensionPath)$/;

/** Sample text: `your-key`, `sk-...`, `xxxx`, `REPLACE_ME`, in several languages. */
function isBlankWord(word: string): boolean {
  // Placeholders are short; long values must not slow the patterns down.
  const start = word.slice(0, 200);
  return RULES.some((rule) => rule.test(start));
}

const RULES: readonly RegExp[] = [
  // your-key, YOUR_KEY, ghp_your_token, yourdomain, YourName, but not “yours”.
  /(?:^|[^\p{L}])your(?:[^\p{L}]|$|[a-z]{3,}|[A-Z])/iu,
  /^(?:paste|put|insert|enter|add|replace|change|fill)[-_ ]?(?:.*[-_ ])?(?:here|this|me|with[-_ ].*|in|it|your[-_ ].*|token|key)$/i,
  /^(?:REPLACE|INSERT|ENTER|PASTE)_[A-Z0-9_]+$/,
  /[-_ ]here$/i,
  /^(?:change[-_]?me|replace[-_]?me|placeholder|todo|tbd|fixme|xyz)$/i,
  /[xX]{4,}$/,
  /^[xX*•]{3,}$/,
  /[-_][xX]{3,}(?:[-_]|$)/,
  /\*{3,}/,
  /(?:\.{3}|…)$/,
  /^(?:url|link|path|address|host)[-_]?(?:to|of|for)[-_]/i,
  /^(?:hosted|example|custom|target)[-_](?:domain|host|url)$/i,
  // “your” in other languages.
  /^(?:votre|vos|tu|su|dein|deine|ihr|ihre|seu|sua|il[-_]tuo|la[-_]tua|twoj|twój|ваш|ваша|вашего|твой)[-_ ]/iu,
  /(?:你的|您的|あなたの|당신의|사용자)/u,
];
