import { namesSecret } from '../../base/secret-names.ts';

export interface Blank {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** A reference names a variable or an input; a literal is sample text. */
  readonly kind: 'reference' | 'literal';
  readonly source?: 'env' | 'input';
  /** `password` may be sample text or a real value: a person is asked, a file is taken at its word. */
  readonly weak?: true;
}

export function blanksInText(text: string): readonly Blank[] {
  const marked = [...references(text), ...brackets(text)];
  if (marked.length === 0) return wholeBlank(text) ?? words(text);
  const free = words(text).filter((word) => !marked.some(({ from, to }) => from < word.to && word.from < to));
  return ordered([...marked, ...free]);
}

function literal(name: string, from: number, to: number = from + name.length): Blank {
  return { kind: 'literal', name, from, to };
}

/** `ACCOUNT_ID` in a URL, a header or a secret names the value. */
const NAMED_IN_CAPITALS = /^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}$/;

/** `TENANT` or `WORKFLOW-ID` in a URL that is otherwise written small. */
function isInCapitals(word: string, url: string): boolean {
  return (
    /^[A-Z]{3,}(?:[-_][A-Z0-9]+)*$|^[A-Z]{2,}(?:[-_][A-Z0-9]+)+$/.test(word) &&
    !IN_ADDRESSES.test(word) &&
    /\/[^/]*[a-z]/.test(url)
  );
}

const IN_ADDRESSES =
  /^(?:API|MCP|SSE|HTTP|HTTPS|JSON|RPC|REST|AI|SDK|CRM|ERP|EU|US|UK|USA|PROD|DEV|TEST|DEFAULT|LATEST|MAIN|GLOBAL|PUBLIC|ALL|NONE|TRUE|FALSE|V\d+)$/;

/** The parts of the host count on their own. */
export function blanksInUrl(url: string): readonly Blank[] {
  const marked = [...references(url), ...brackets(url), ...parentheses(url)];
  const host = hostOf(url);
  const more = [...url.matchAll(/[\p{L}\p{N}_~*-]+(?:\.{3})?/gu)].flatMap(({ 0: word, index }) => {
    if (index < (host?.from ?? 0) || marked.some(({ from, to }) => index >= from && index < to)) return [];
    const end = index + word.length;
    const isHostPart = host !== undefined && index < host.to && (index > host.from || end < host.to);
    // `todo.example` and `api.xyz` are hosts like any other.
    if (isHostPart && BARE_WORD.test(word)) return [];
    if (!isBlankWord(word) && !NAMED_IN_CAPITALS.test(word) && !isInCapitals(word, url)) return [];
    // `yourdomain.com` is a placeholder as a whole; in `your-app.example.net` only the first part is.
    const rest = host !== undefined && index < host.to ? url.slice(end, host.to) : '';
    const to = /^\.[a-z]{2,}$/i.test(rest) ? (host?.to ?? end) : end;
    return [literal(url.slice(index, to), index)];
  });
  return ordered([...marked, ...more]);
}

export function blanksInVariable(name: string, value: string): readonly Blank[] {
  const secretName = /^\$?(COPILOT_MCP_[A-Z0-9_]+)$/.exec(value)?.[1];
  if (secretName !== undefined)
    return [{ kind: 'reference', source: 'env', name: secretName, from: 0, to: value.length }];
  const refs = references(value);
  if (refs.length > 0) return refs;
  const whole = literal(name, 0, value.length);
  if (isBlankValue(value)) return [whole];
  return maybeBlank(name, value) ? [{ ...whole, weak: true }] : [];
}

/** An argument may be a URL. Behind `--api-key`, a name in capitals stands for the key. */
export function blanksInArgument(arg: string, before = ''): readonly Blank[] {
  const blanks = /^https?:\/\//i.test(arg) ? blanksInUrl(arg) : blanksInText(arg);
  if (blanks.length > 0) return blanks;
  const [, joined, value = arg] = /^--?([A-Za-z][\w-]*)=([^]*)$/.exec(arg) ?? [];
  const flag = joined ?? /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1] ?? '';
  // `--token-env GITHUB_TOKEN` says where the key is.
  if (!namesSecret(flag) || /(?:env|var|variable|name|from|file|path)$/i.test(flag)) return [];
  return NAMED_IN_CAPITALS.test(value) ? [literal(value, arg.length - value.length)] : [];
}

/** After the scheme, a single word may name the value. */
export function blanksInHeader(name: string, value: string): readonly Blank[] {
  const blanks = blanksInText(value);
  if (blanks.length > 0) return blanks;
  const [, scheme, word = ''] =
    /^(?:(Bearer|Basic|Token|Key)\s+)?(\S+)$/i.exec(value.trim().slice(0, 200)) ?? [];
  // `X-Mode: token` is a choice.
  if (scheme === undefined && !namesSecret(name)) return [];
  const bare = NAMED_IN_CAPITALS.test(word) || KEY_WORD.test(word) ? word : undefined;
  if (bare !== undefined) {
    const from = value.lastIndexOf(bare);
    return [{ kind: 'literal', name: bare, from, to: from + bare.length }];
  }
  // A real key has only characters that a header can carry.
  const foreign = /^[\p{L}\p{N}_ -]+$/u.test(value) && /[^\p{Script=Latin}\p{N}\s_-]/u.test(value);
  return foreign ? [{ kind: 'literal', name: value, from: 0, to: value.length }] : [];
}

const KEY_WORD = /^(?:MY[-_])?(?:API[-_]?)?(?:ACCESS[-_]?)?(?:TOKEN|KEY|SECRET|PAT)(?:[-_]?123\d{0,6})?$/i;

function isBlankValue(value: string): boolean {
  if (brackets(value).length > 0 || isBlankWord(value) || wholeBlank(value)) return true;
  if (ADVICE.test(value) && /\s/.test(value)) return true;
  if (words(value).length > 0 || blanksInUrlOfValue(value)) return true;
  return /^(?:you|user|username|me|name)@|@(?:example|yourdomain|domain|company)\.\w+$/i.test(value);
}

function maybeBlank(name: string, value: string): boolean {
  if (value.trim() === '') return namesSecret(name);
  // “Acme API Key” for ACME_API_KEY: a description in place of the value.
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const isDescription =
    plain(value).length > 2 &&
    plain(name).endsWith(plain(value)) &&
    /[A-Za-z]/.test(value) &&
    (namesSecret(name) || /\s/.test(value));
  if (isDescription) return true;
  // `PROJECT_ID` for GOOGLE_CLOUD_PROJECT, but not a level or a mode such as `READ_ONLY`.
  if (NAMED_IN_CAPITALS.test(value) && NAMES_VALUE.test(value) && !NAMES_VALUE_OF.test(name)) return true;
  const isKey = namesSecret(name) && !CHOICE.test(name);
  return isKey && (NAMED_IN_CAPITALS.test(value) || SECRET_EXAMPLE.test(value));
}

const NAMES_VALUE = /_(?:ID|NAME|KEY|TOKEN|SECRET|PASSWORD|URL|HOST|REGION|EMAIL|USER|DOMAIN|BUCKET|PATH)$/;

/** `TOKEN_VARIABLE: GITHUB_TOKEN` names a variable or a column, and so does what stands here. */
const NAMES_VALUE_OF = /(?:env|var|variable|field|column|header)$/i;

/** `AUTH_MODE: none` is a choice, not a secret. */
const CHOICE = /(?:mode|type|method|kind|scheme|provider|strategy|enabled|required)$/i;

const ADVICE = /^(optional|required|e\.g\.|example|any|some|insert|enter|put|paste|replace)\b/i;

/** “secret”, “my-token”, “example_key”. */
const SECRET_EXAMPLE =
  /^(?:value|secret|token|key|password|string|xxx+|none|null|(?:my|example|dummy|sample)[-_ ].{1,60}|my(?:token|key|secret|pass|password)|(?:token|key|secret|pass|password|abcd?|sk_|pk_)[-_]?123\d{0,6})$/i;

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
  return [...text.matchAll(REFERENCE)].flatMap(({ 0: whole, index: from, groups = {} }): readonly Blank[] => {
    const { operator, input, config, braces, single, hash, ...others } = groups;
    const asks = input ?? config ?? braces ?? single ?? hash;
    const name = (asks ?? Object.values(others).find((value) => value !== undefined))?.trim();
    // With a default nothing is missing.
    if (name === undefined || KNOWN_VARIABLES.test(name) || /^:?-/.test(operator ?? '')) return [];
    const source = asks === undefined ? 'env' : 'input';
    return [{ kind: 'reference', source, name, from, to: from + whole.length }];
  });
}

/** `<your key>` and `[your key]`; not `package[extra]`, `[::1]` or JSON. */
function brackets(text: string): readonly Blank[] {
  if (!/[<[]/.test(text)) return [];
  const blank = ({ 0: whole, 1: inner = '', index }: RegExpExecArray): Blank =>
    literal(inner.trim(), index, index + whole.length);
  return [
    ...[...text.matchAll(/<([^<>\n]{1,80})>/g)].map(blank).filter(({ name }) => !/^$|^\/|=/.test(name)),
    ...[...text.matchAll(/(?<![\p{L}\p{N}_])\[([\p{L}][\p{L}\p{N} _.,'’()/-]{2,80})\]/gu)]
      .filter(([, inner = '']) => !/^[a-z]-[a-z]/i.test(inner) || inner.length >= 4)
      .map(blank),
  ];
}

/** `https://(server address)/mcp`: no address has a space. */
function parentheses(url: string): readonly Blank[] {
  return [...url.matchAll(/\(([\p{L}][^()\n]{0,60}\s[^()\n]{0,60})\)/gu)].map(
    ({ 0: whole, 1: inner = '', index }) => literal(inner.trim(), index, index + whole.length),
  );
}

/** Sample as a whole: a sentence, a made-up login. */
function wholeBlank(text: string): readonly Blank[] | undefined {
  // “(Google Maps API key)”.
  if (/^\([\p{L}][^()]*\s[^()]*\)$/u.test(text)) return [literal(text.slice(1, -1), 0, text.length)];
  const isAdvice =
    /^(?:(?:your|my own|enter|insert|paste|put|replace)\s|my\s(?:[\w-]+\s){0,4}(?:key|token|secret|password)$)/i.test(
      text,
    ) && !/[/\\;&|]/.test(text);
  const isLogin = /^[a-z+]+:\/\/(user|username|usr|myuser)?:(pass|password|pwd|secret|mypassword)@/i.test(
    text,
  );
  return isAdvice || isLogin ? [literal(text, 0)] : undefined;
}

function words(text: string): readonly Blank[] {
  return [...text.matchAll(/(?:[A-Za-z]:[/\\])?[^\s=,:;"'`()|&]+/g)]
    .filter(([word]) => isBlankPath(word) || isBlankWord(word))
    .flatMap(({ 0: word, index }) => {
      // `YOUR_ACCOUNT/YOUR_KEY` is two values; `/YOUR/PATH` is one.
      const parts = [...word.matchAll(/[^/]+/g)];
      const isList = parts.length > 1 && parts.every(([part]) => NAMED_IN_CAPITALS.test(part));
      if (!isList || word.startsWith('/')) return [literal(word, index)];
      return parts.map(({ 0: part, index: at }) => literal(part, index + at));
    });
}

const PATH_WORDS = String.raw`(?:absolute|full|abs|complete|real|local|actual|exact|your|the|some)?[-_/\\]?(?:path|ruta|chemin|pfad|caminho|percorso|путь)`;
const BLANK_PATH = new RegExp(
  String.raw`^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]*${PATH_WORDS}(?:[-_/\\](?:absol|compl)[a-zé]+)?[-_/\\](?:to|of|a|al|vers|zu|para|do|к)(?:[-_/\\]|$)` +
    String.raw`|^(?:[A-Za-z]:)?[/\\]*(?:absolute|full|abs|your)[-_/\\]path(?:[/\\]|$)`,
  'i',
);

function isBlankPath(word: string): boolean {
  if (BLANK_PATH.test(word)) return true;
  if (!/[/\\]/.test(word)) return false;
  if (BLANK_HOME.test(word)) return true;
  return !word.startsWith('@') && word.split(/[/\\]/).some((part) => isBlankWord(part) && /your/i.test(part));
}

const BLANK_HOME =
  /^(?:[A-Za-z]:)?[/\\](?:Users|home)[/\\](?:username|user_name|user-name|you|yourname|yourusername|your[-_]\w+)(?:[/\\]|$)/i;

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

/** A sample only where nothing stands beside it. */
const BARE_WORD = /^(?:todo|tbd|fixme|xyz)$/i;

const RULES: readonly RegExp[] = [
  // your-key, YOUR_KEY, ghp_your_token, yourdomain, YourName, but not “yours”.
  /(?:^|[^\p{L}])your(?:[^\p{L}]|$|[a-z]{3,}|[A-Z])/iu,
  /^(?:paste|put|insert|enter|add|replace|change|fill)[-_ ]?(?:.*[-_ ])?(?:here|this|me|with[-_ ].*|in|it|your[-_ ].*|token|key)$/i,
  /^(?:REPLACE|INSERT|ENTER|PASTE)_[A-Z0-9_]+$/,
  /(?:key|token|secret|id|url|uri|path|name|password|value|dir|folder|file|string|goes|user|email|code|host|port)[-_ ]here$/i,
  BARE_WORD,
  /^(?:change[-_]?me|replace[-_]?me|placeholder)$/i,
  /[xX]{4,}$/,
  /^[xX*•]{3,}$/,
  /[-_][xX]{3,}(?:[-_]|$)/,
  /\*{3,}/,
  /(?:\.{3}|…)$/,
  /^(?:url|link|path|address|host)[-_]?(?:to|of|for)[-_]/i,
  // A program's own settings, as in smithery.yaml: config.apiKey, but not config.json.
  /^(?:config|process\.env)\.(?!(?:jsonc?|json5|ya?ml|toml|ini|[cm]?[jt]s|py|xml|conf|env|txt|properties|local|example)$)[A-Za-z_]\w*$/,
  /^(?:hosted|example|custom|target)[-_](?:domain|host|url)$/i,
  // “your” in other languages.
  /^(?:votre|dein|deine|ihre|il[-_]tuo|la[-_]tua|twoj|twój|ваш|ваша|вашего|твой)[-_ ]/iu,
  // Shorter ones begin real names, too: `su-exec`.
  /^(?:vos|tu|su|ihr|seu|sua)[-_ ](?:api|cl[ae]|token|key|llave|contrase|senha|chave|usuario|nom|proyecto|projeto|ruta|id|secret|dom|schl)/iu,
  /(?:你的|您的|あなたの|당신의|사용자)/u,
];
