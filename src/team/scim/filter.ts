import { type Attribute, attributeNamed, type ResourceType, type Steps, stepsTo } from './attributes.ts';
import { scimLimits } from './limits.ts';
import { invalid, type ScimError, type ScimType } from './scim-error.ts';

export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

export type Filter =
  | { readonly is: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly is: 'not'; readonly of: Filter }
  /** One and the same value of a multi-valued attribute fits. */
  | { readonly is: 'some'; readonly steps: Steps; readonly of: Filter }
  | { readonly is: 'present'; readonly steps: Steps }
  | {
      readonly is: 'compare';
      readonly steps: Steps;
      readonly with: Comparison;
      readonly value: string | number | boolean | null;
    };

/** Where a PATCH acts: an attribute, some of its values, or a part of those. */
export interface Path {
  readonly steps: Steps;
  readonly where?: Filter;
  readonly part?: Attribute;
}

export function parseFilter(text: string, type: ResourceType): Filter {
  const reader = new Reader(text, 'invalidFilter', (name) => stepsTo(name, type));
  const filter = reader.any();
  reader.end();
  return filter;
}

export function parsePath(text: string, type: ResourceType): Path {
  const reader = new Reader(text, 'invalidPath', (name) => stepsTo(name, type));
  const path = reader.path();
  reader.end();
  return path;
}

type Lookup = (name: string) => Steps | undefined;

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+)/y;
const COMPARISONS: ReadonlySet<string> = new Set<Comparison>([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
]);

/** The grammar of RFC 7644, figure 1: `or` binds less than `and`, and that less than `not`. */
class Reader {
  readonly #tokens: readonly string[];
  readonly #scimType: ScimType;
  #find: Lookup;
  #at = 0;
  #depth = 0;
  #terms = 0;

  constructor(text: string, scimType: ScimType, find: Lookup) {
    this.#scimType = scimType;
    this.#find = find;
    this.#tokens = this.#tokensOf(text);
  }

  any(): Filter {
    if ((this.#depth += 1) > scimLimits.filterDepthMax) throw this.#wrong('it is nested too deeply');
    const filter = this.#joined('or', () => this.#joined('and', () => this.#one()));
    this.#depth -= 1;
    return filter;
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw this.#wrong(`“${rest}” is not expected`);
  }

  path(): Path {
    const steps = this.#steps();
    if (!this.#takes('[')) return { steps };
    const where = this.#where(steps);
    const rest = this.#tokens[this.#at];
    if (rest === undefined) return { steps, where };
    this.#at += 1;
    const part = rest.startsWith('.') ? attributeNamed(steps.at(-1)?.parts ?? [], rest.slice(1)) : undefined;
    if (!part) throw this.#wrong(`“${rest}” is no part of ${steps.at(-1)?.name}`);
    return { steps, where, part };
  }

  #joined(is: 'and' | 'or', read: () => Filter): Filter {
    const of = [read()];
    while (this.#takes(is)) of.push(read());
    const [first] = of;
    return of.length === 1 && first ? first : { is, of };
  }

  #one(): Filter {
    const { filterTermsMax, pathTermsMax } = scimLimits;
    const termsMax = this.#scimType === 'invalidFilter' ? filterTermsMax : pathTermsMax;
    if ((this.#terms += 1) > termsMax) throw this.#wrong('it has too many parts');
    if (this.#takes('(')) return this.#closed(')');
    if (this.#tokens[this.#at]?.toLowerCase() === 'not' && this.#tokens[this.#at + 1] === '(') {
      this.#at += 2;
      return { is: 'not', of: this.#closed(')') };
    }
    const steps = this.#steps();
    if (this.#takes('[')) return { is: 'some', steps, of: this.#where(steps) };
    const word = this.#next().toLowerCase();
    if (word === 'pr') return { is: 'present', steps };
    if (!COMPARISONS.has(word)) throw this.#wrong(`“${word}” is no operator`);
    return this.#compared(steps, word as Comparison); // it was looked up
  }

  /** Inside brackets, names are those of the parts. */
  #where(steps: Steps): Filter {
    const last = steps.at(-1);
    if (last?.type !== 'complex' || !last.isMany)
      throw this.#wrong(`${last?.name} has no values to choose from`);
    const outer = this.#find;
    this.#find = (name) => {
      const part = attributeNamed(last.parts ?? [], name);
      return part && [part];
    };
    const filter = this.#closed(']');
    this.#find = outer;
    return filter;
  }

  #closed(end: ')' | ']'): Filter {
    const filter = this.any();
    if (this.#next() !== end) throw this.#wrong(`“${end}” is missing`);
    return filter;
  }

  #compared(steps: Steps, comparison: Comparison): Filter {
    const value = this.#value(this.#next());
    const last = steps.at(-1);
    const isEqual = comparison === 'eq' || comparison === 'ne';
    const isText = typeof value === 'string';
    if (!isEqual && (!isText || last?.type === 'boolean')) throw this.#wrong(`${comparison} needs a text`);
    const isTime = last?.type === 'dateTime' && isText && !['co', 'sw', 'ew'].includes(comparison);
    if (isTime && Number.isNaN(Date.parse(value))) throw this.#wrong('the time is not of its form');
    if (last?.type === 'boolean' && isText)
      return { is: 'compare', steps, with: comparison, value: truth(value) };
    return { is: 'compare', steps, with: comparison, value };
  }

  #value(token: string): string | number | boolean | null {
    try {
      const value: unknown = JSON.parse(token);
      // The database knows no text with a NUL.
      const isText = typeof value === 'string' && !value.includes('\0');
      const isPlain = isText || value === null || typeof value === 'number' || typeof value === 'boolean';
      if (isPlain) return value;
    } catch {
      // Said below.
    }
    const folded = token.toLowerCase();
    if (folded === 'true' || folded === 'false') return folded === 'true';
    throw this.#wrong(`“${token}” is no value: texts need quotes`);
  }

  #steps(): Steps {
    const name = this.#next();
    const steps = this.#find(name);
    if (steps) return steps;
    throw this.#wrong(`there is no attribute “${name}”`);
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== token) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw this.#wrong('it ends too early');
    this.#at += 1;
    return token;
  }

  #tokensOf(text: string): readonly string[] {
    if (text.length > scimLimits.filterCharsMax) throw this.#wrong('it is too long');
    const tokens: string[] = [];
    const trimmed = text.trimEnd();
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < trimmed.length) {
      const token = TOKEN.exec(trimmed)?.[1];
      if (token === undefined) throw this.#wrong('a quote is not closed');
      tokens.push(token);
    }
    return tokens;
  }

  #wrong(why: string): ScimError {
    const what = this.#scimType === 'invalidFilter' ? 'filter' : 'path';
    return invalid(this.#scimType, `The ${what} can’t be used: ${why}.`);
  }
}

/** Some directories write truth values as texts. */
function truth(value: string): boolean | string {
  const folded = value.toLowerCase();
  return folded === 'true' ? true : folded === 'false' ? false : value;
}
