import type { Json } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Budget } from './view.ts';

/** The arguments of a call: those by name and those by place. */
export interface CallArguments {
  readonly named: Readonly<Record<string, Json>>;
  readonly positional: readonly Json[];
  readonly end: number;
}

/** Reads the call whose opening bracket stands at `from`; undefined if it can't be followed. */
export function readCall(text: string, from: number, budget: Budget): CallArguments | undefined {
  const reader = new CodeReader(text, from, budget);
  try {
    const { named, positional } = reader.call();
    return { named, positional, end: reader.at };
  } catch (error) {
    if (error instanceof NotCode) return undefined;
    throw error;
  }
}

class NotCode extends Error {}

/**
 * Values as Python, TypeScript and their neighbors write them. What only the program knows becomes a
 * reference: `os.environ["KEY"]` and `process.env.KEY` are `${KEY}`, and so is a variable KEY.
 */
class CodeReader {
  at: number;
  readonly #text: string;
  readonly #budget: Budget;
  #depth = 0;
  #constants: ReadonlyMap<string, string> | undefined;

  constructor(text: string, from: number, budget: Budget) {
    this.#text = text;
    this.at = from;
    this.#budget = budget;
  }

  call(): Omit<CallArguments, 'end'> {
    const named = new Map<string, Json>();
    const positional: Json[] = [];
    this.#each(')', () => {
      const key = this.#match(/[A-Za-z_]\w*(?=\s*[=:](?!=|>))/y);
      if (key === undefined) positional.push(this.#value());
      else {
        this.#match(/\s*[=:]/y);
        named.set(key, this.#value());
      }
    });
    return { named: Object.fromEntries(named), positional };
  }

  /** Up to the closing bracket, with commas between. */
  #each(closer: string, item: () => void): void {
    this.at += 1;
    this.#depth += 1;
    if (this.#depth > limits.pasteDepthMax) throw new NotCode();
    for (;;) {
      this.#budget.step();
      this.#skip();
      if (this.#text[this.at] === closer) break;
      if (this.#match(/(?:\.{3}|\*{1,2})/y) !== undefined) this.#value();
      else item();
      this.#skip();
      if (this.#match(/[,;]/y) === undefined && this.#text[this.at] !== closer) throw new NotCode();
    }
    this.at += 1;
    this.#depth -= 1;
  }

  #value(): Json {
    let value = this.#single();
    for (;;) {
      this.#skip();
      // Python joins texts that stand side by side; a fallback and a type are left out.
      const joined =
        this.#match(/\+(?!\+)/y) !== undefined || (typeof value === 'string' && QUOTED.test(this.#ahead(3)));
      if (joined) value = `${asText(value)}${asText(this.#single())}`;
      else if (this.#match(/\?\?|\|\||or\b/y) !== undefined) this.#single();
      else if (this.#match(/!(?!=)|as\s+[\w<>[\]| ]+/y) === undefined) return value;
    }
  }

  #single(): Json {
    this.#skip();
    const next = this.#text[this.at];
    if (next === '{') return this.#object();
    if (next === '[') return this.#list(']');
    if (next === '(') return this.#list(')');
    const quote = this.#match(/[rRbBuU]?[fF]?[rR]?(?=["'`])/y);
    if (quote !== undefined) return this.#string(/f/i.test(quote));
    const number = this.#match(/-?\d+(?:\.\d+)?(?![\w.])/y);
    return number === undefined ? this.#expression() : Number(number);
  }

  #list(closer: string): Json {
    const items: Json[] = [];
    this.#each(closer, () => items.push(this.#value()));
    return items;
  }

  #object(): Json {
    const pairs = new Map<string, Json>();
    this.#each('}', () => {
      this.#match(/\[(?=["'])/y);
      const quoted = QUOTED.test(this.#ahead(1));
      const key = quoted ? asText(this.#string(false)) : this.#match(/[A-Za-z_$][\w$-]*/y);
      if (key === undefined) throw new NotCode();
      this.#match(/\]/y);
      this.#skip();
      // `{ command }` is short for `{ command: command }`.
      pairs.set(key, this.#match(/=>|[:=]/y) === undefined ? this.#named(key) : this.#value());
    });
    return Object.fromEntries(pairs);
  }

  #string(isTemplate: boolean): Json {
    const quote = this.#match(/"""|'''|["'`]/y);
    if (quote === undefined) throw new NotCode();
    let value = '';
    for (; !this.#text.startsWith(quote, this.at); this.at += 1) {
      const char = this.#text[this.at];
      if (char === undefined || (char === '\n' && quote.length === 1 && quote !== '`')) throw new NotCode();
      if (char === '\\') {
        this.at += 1;
        const escaped = this.#text[this.at] ?? '';
        value += { n: '\n', t: '\t', '\n': '' }[escaped] ?? escaped;
      } else value += char;
      this.#budget.step();
    }
    this.at += quote.length;
    const pattern = quote === '`' ? /\$\{([^{}]{1,120})\}/g : isTemplate ? /\{([^{}]{1,120})\}/g : undefined;
    return pattern ? value.replaceAll(pattern, (_, inner: string) => this.#inTemplate(inner)) : value;
  }

  #inTemplate(code: string): string {
    return asText(new CodeReader(`${code.trim()} `, 0, this.#budget).#valueIn(this));
  }

  #valueIn(outer: CodeReader): Json {
    this.#constants = outer.#known;
    this.#depth = outer.#depth + 1;
    if (this.#depth > limits.pasteDepthMax) throw new NotCode();
    return this.#value();
  }

  /** A name, a path of names, or a call of one. */
  #expression(): Json {
    const name = this.#match(
      /(?:(?:new|await|await using|const)\s+)?[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::)[A-Za-z_$][\w$]*)*/y,
    );
    if (name === undefined) throw new NotCode();
    const path = name.replace(/^(?:new|await)\s+/, '');
    const last = path.split(/\?\.|!\.|\.|::/).at(-1) ?? path;
    if (Object.hasOwn(WORDS, path)) return WORDS[path] ?? null;
    const inEnvironment = /^(?:process\.env|import\.meta\.env|Deno\.env|Bun\.env)\.(\w+)$/.exec(path)?.[1];
    if (inEnvironment !== undefined) return `\${${inEnvironment}}`;
    const key = this.#match(/\[\s*["'][\w.-]+["']\s*\]/y);
    if (key !== undefined) return `\${${key.replaceAll(/[^\w.-]/g, '')}}`;
    if (this.#text[this.at] === '(') return this.#called(path, last);
    // C# sets properties behind the constructor's name.
    this.#skip();
    if (name.startsWith('new ') && this.#text[this.at] === '{') return this.#object();
    return this.#named(last);
  }

  #called(path: string, last: string): Json {
    const { named, positional } = this.call();
    const [first] = positional;
    if (path === 'dict') return named;
    if (READS_VARIABLE.test(last) && typeof first === 'string') return `\${${first}}`;
    if (WRAPS_TEXT.test(last) && first !== undefined) return first;
    const places = positional.map((value, index): [string, Json] => [String(index), value]);
    return { ...Object.fromEntries(places), ...named, [CALLED]: last };
  }

  #named(name: string): Json {
    return this.#known.get(name) ?? `\${${name}}`;
  }

  /** Texts that the program itself gives a name. */
  get #known(): ReadonlyMap<string, string> {
    this.#constants ??= new Map(
      [...this.#text.slice(0, CONSTANTS_CHARS_MAX).matchAll(CONSTANT)].map(([, name = '', , value = '']) => [
        name,
        value,
      ]),
    );
    return this.#constants;
  }

  #ahead(count: number): string {
    return this.#text.slice(this.at, this.at + count);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  #skip(): void {
    while (this.#match(/\s+|\/\/[^\n]*|#[^\n]*|\/\*[^]*?\*\//y) !== undefined) this.#budget.step();
  }
}

const READS_VARIABLE = /^(?:getenv|get|GetEnvironmentVariable|env|var)$/;
const WRAPS_TEXT = /^(?:URL|str|String|Uri|Path|URI|create|SecretStr|AnyUrl|expanduser)$/;

/** Marks the value of a call whose result is not known. */
export const CALLED = '()';

const QUOTED = /^[rRbBuU]?[fF]?[rR]?["'`]/;
const CONSTANTS_CHARS_MAX = 20_000;
const CONSTANT =
  /^[ \t]*(?:(?:export|const|let|var|final|static|string|String|val)\s+)*([A-Za-z_]\w*)(?:\s*:\s*\w+)?\s*=\s*(["'`])([^"'`\n]{0,500})\2\s*;?[ \t]*(?:#.*|\/\/.*)?$/gm;

const WORDS: Readonly<Record<string, Json>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
  undefined: null,
  nil: null,
};

function asText(value: Json): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : typeof value === 'object' ? '<value>' : String(value);
}
