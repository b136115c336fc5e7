export interface Word {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}

export interface CommandLine {
  readonly words: readonly Word[];
  /** After the command: a line end, `;`, `|`, a comment or the end of the text. */
  readonly end: number;
  readonly unclosed: boolean;
}

export function splitWords(line: string): readonly string[] {
  return readCommand(line.replaceAll('\n', ' '), 0, line.length).words.map((word) => word.text);
}

const COMMAND_CHARS_MAX = 32 * 1024;

/**
 * Like sh, with PowerShell and cmd line continuations. A backslash before a letter belongs to a Windows path,
 * and `<your key>` is one word. Nothing is expanded.
 */
export function readCommand(text: string, from: number, to: number): CommandLine {
  const words: Word[] = [];
  const limit = Math.min(to, text.length, from + COMMAND_CHARS_MAX);
  let at = from;
  let unclosed = false;
  const hopeless = new Set<string>();
  let word: { text: string; at: number; quoted: boolean } | undefined;
  const push = (part: string, quoted = false): void => {
    word ??= { text: '', at, quoted: false };
    word.text += part;
    word.quoted ||= quoted;
  };
  const end = (): void => {
    if (word) words.push(word);
    word = undefined;
  };
  while (at < limit) {
    const char = text[at] ?? '';
    const next = text[at + 1] ?? '';
    const continued = CONTINUED.exec(text.slice(at, at + 40))?.[0];
    if (continued !== undefined) {
      end();
      at += continued.length;
    } else if (char === ' ' || char === '\t') {
      end();
      at += 1;
    } else if (char === '\n' || char === ';' || char === '|' || (char === '&' && next === '&')) break;
    else if ((char === '#' && !word && words.length > 0) || text.startsWith('</', at)) break;
    else if (Object.hasOwn(CLOSERS, char) && !hopeless.has(char)) {
      const quoted = readQuoted(text, at, limit);
      if (!quoted) {
        unclosed = true;
        // Searching for the same closing quote again would be quadratic.
        hopeless.add(char);
      }
      push(quoted?.value ?? char, quoted !== undefined);
      at = quoted?.end ?? at + 1;
    } else if (char === '\\' && next !== '' && !/[\w<>.]/.test(next)) {
      push(next);
      at += 2;
    } else if (char === '^' && /["&|<>^]/.test(next)) {
      push(next);
      at += 2;
    } else {
      const whole = wholePart(text, at);
      push(whole);
      at += whole.length;
    }
  }
  end();
  return { words, end: at, unclosed };
}

/** `\`, a backtick or `^` at the end of a line. */
const CONTINUED = /^(?:\\|`|\^)[ \t]*\n[ \t]*/;

/** Kept whole: `<your key>`, `[your key]`, `$(…)`, `${…}`; else one character. */
function wholePart(text: string, at: number): string {
  const ahead = text.slice(at, at + 80);
  return (
    /^<[^<>\n]{1,70}>|^\[[A-Za-z][\w ,.'-]{1,60}\]|^\$\([^()\n]{1,70}\)|^\$\{[^{}\n]{1,70}\}|^\$\{\{[^{}\n]{1,60}\}\}/.exec(
      ahead,
    )?.[0] ??
    ahead[0] ??
    ''
  );
}

const CLOSERS: Readonly<Record<string, string>> = { "'": "'", '"': '"', '“': '”“"', '‘': "’‘'" };

function readQuoted(text: string, from: number, limit: number): { value: string; end: number } | undefined {
  const opening = text[from] ?? '"';
  const closers = CLOSERS[opening] ?? '"';
  let value = '';
  for (let at = from + 1; at < limit; at += 1) {
    const char = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (closers.includes(char)) return { value, end: at + 1 };
    if (opening === '"' && (char === '\\' || char === '`') && '"\\$`'.includes(next) && next !== '') {
      // In JSON `\\` stays double: it escapes a backslash.
      value += next;
      at += 1;
    } else if (opening === '"' && char === '\\' && next === '\n') at += 1;
    else value += char;
  }
  return undefined;
}
