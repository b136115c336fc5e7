/** A piece of code and what it is. */
export interface Piece {
  readonly kind: 'plain' | 'comment' | 'text' | 'number' | 'word';
  readonly text: string;
}

interface Language {
  readonly comment: string;
  readonly words: string;
}

const C_LIKE = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`#[^\n]*`;
const NONE = '(?!)';

const SCRIPT: Language = {
  comment: C_LIKE,
  words:
    'abstract|as|async|await|break|case|catch|class|const|continue|default|do|else|enum|export|extends|false|finally|for|from|function|if|implements|import|in|instanceof|interface|let|new|null|of|private|public|readonly|return|static|super|switch|this|throw|true|try|type|typeof|undefined|var|void|while|yield',
};
const COMPILED: Language = {
  comment: C_LIKE,
  words:
    'auto|bool|break|case|char|class|const|continue|default|defer|do|double|else|enum|false|final|float|fn|for|func|go|if|impl|import|int|interface|let|long|match|mod|mut|namespace|new|nil|null|package|private|protected|pub|public|range|return|self|static|string|struct|switch|this|throw|trait|true|type|unsigned|use|using|var|void|where|while',
};
const PYTHON: Language = {
  comment: HASH,
  words:
    'and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield',
};
const SHELL: Language = {
  comment: String.raw`(?<=^|\s)#[^\n]*`,
  words: 'case|cd|do|done|echo|elif|else|esac|exit|export|fi|for|function|if|in|local|return|then|while',
};
const SQL: Language = {
  comment: String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`,
  words:
    'and|as|asc|by|case|create|delete|desc|distinct|else|end|from|group|having|in|inner|insert|into|is|join|left|like|limit|not|null|on|or|order|outer|right|select|set|table|then|union|update|values|when|where|with',
};
const DATA: Language = { comment: HASH, words: 'true|false|null|yes|no' };
const JSON_LIKE: Language = { comment: C_LIKE, words: 'true|false|null' };
const STYLE: Language = { comment: String.raw`\/\*[\s\S]*?(?:\*\/|$)`, words: NONE };

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...ofAll(SCRIPT, 'js', 'javascript', 'jsx', 'mjs', 'ts', 'typescript', 'tsx'),
  ...ofAll(COMPILED, 'c', 'cpp', 'csharp', 'cs', 'go', 'java', 'kotlin', 'rust', 'rs', 'swift'),
  ...ofAll(PYTHON, 'py', 'python'),
  ...ofAll(SHELL, 'bash', 'sh', 'shell', 'zsh', 'console'),
  ...ofAll(SQL, 'sql'),
  ...ofAll(DATA, 'yaml', 'yml', 'toml', 'ini', 'dockerfile', 'ruby', 'rb'),
  ...ofAll(JSON_LIKE, 'json', 'jsonc', 'json5'),
  ...ofAll(STYLE, 'css', 'scss'),
};

const TEXTS = String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|` + '`(?:\\\\.|[^`\\\\])*`?';
const NUMBERS = String.raw`\b\d[\w.]*\b`;
const KINDS = ['comment', 'text', 'number', 'word'] as const;

/** Code in pieces that a reader tells apart by colour. Of an unknown language, and of a long text, it is one piece. */
export function highlight(code: string, language: string): readonly Piece[] {
  const known = LANGUAGES[language.toLowerCase()];
  if (known === undefined || code.length > CHARS_MAX) return [{ kind: 'plain', text: code }];
  const flags = known === SQL ? 'gi' : 'g';
  const pattern = `(${known.comment})|(${TEXTS})|(${NUMBERS})|\\b(${known.words})\\b`;
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of code.matchAll(new RegExp(pattern, flags))) {
    if (match[0] === '') continue;
    if (match.index > end) pieces.push({ kind: 'plain', text: code.slice(end, match.index) });
    const at = KINDS.findIndex((_, index) => match[index + 1] !== undefined);
    pieces.push({ kind: KINDS[at] ?? 'plain', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) pieces.push({ kind: 'plain', text: code.slice(end) });
  return pieces;
}

const CHARS_MAX = 50_000;

function ofAll(language: Language, ...names: readonly string[]): Readonly<Record<string, Language>> {
  return Object.fromEntries(names.map((name) => [name, language]));
}
