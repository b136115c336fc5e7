import { splitPair } from './entry.ts';
import type { View } from './view.ts';

export interface FoundUrl {
  readonly url: string;
  readonly at: number;
  readonly end: number;
}

/** Searching for the colon is much faster than for any scheme. */
const SCHEME_END = /:(?=\/\/|mcp\/|\/install)/g;
const SCHEME = /(?:git\+)?(?<![\w.-])[a-z][a-z0-9+.-]{0,24}$/i;
const URL_CHARS_MAX = 64 * 1024;

export function findUrls({ text, budget }: Pick<View, 'text' | 'budget'>): readonly FoundUrl[] {
  const found: FoundUrl[] = [];
  let end = 0;
  for (const sign of text.matchAll(SCHEME_END)) {
    budget.step();
    const scheme = SCHEME.exec(text.slice(Math.max(end, sign.index - 32), sign.index))?.[0];
    const at = sign.index - (scheme?.length ?? 0);
    if (scheme === undefined || at < end) continue;
    const url = trimEnd(readRaw(text, at), text[at - 1] ?? '');
    end = at + url.length;
    if (url.length > scheme.length + 2) found.push({ url, at, end });
    if (found.length >= 2_000) break;
  }
  return found;
}

/** Up to a space or a quote; `<placeholders>` and unescaped JSON belong to it. */
function readRaw(text: string, from: number): string {
  let at = from;
  const limit = Math.min(text.length, from + URL_CHARS_MAX);
  while (at < limit) {
    const char = text[at] ?? '';
    if (char === '<') {
      const inner = /^<[^<>\s"']{1,60}(?: [^<>\s"'=]{1,30}){0,6}>/.exec(text.slice(at, at + 120))?.[0];
      if (inner === undefined || /^<\/|^<(?:br|a|img|p|div|b|i)\b/i.test(inner)) break;
      at += inner.length;
      continue;
    }
    if (char === '{' && /^\{\s*"/.test(text.slice(at, at + 10))) {
      at = endOfJson(text, at, limit);
      continue;
    }
    if (/[\s"'`>\\|，。；：」）】“”]/.test(char)) break;
    at += 1;
  }
  return text.slice(from, at);
}

function endOfJson(text: string, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < limit; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && (depth -= 1) === 0) return at + 1;
    else if (text[at] === '\n') return at;
  }
  return limit;
}

function trimEnd(url: string, before: string): string {
  let trimmed = url;
  for (;;) {
    const last = trimmed.at(-1) ?? '';
    const open = { ')': '(', ']': '[', '}': '{' }[last];
    const unbalanced = open !== undefined && trimmed.split(open).length < trimmed.split(last).length;
    if (!unbalanced && !/[.,;:!?*_]/.test(last)) break;
    if (last === '_' && !/[*_]/.test(before)) break;
    trimmed = trimmed.slice(0, -1);
  }
  // `[text](url)` and `(url)` end at the closing bracket.
  const close =
    before === '(' ? closing(trimmed, '(', ')') : before === '[' ? closing(trimmed, '[', ']') : -1;
  return close < 0 ? trimmed : trimmed.slice(0, close);
}

function closing(text: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close && (depth -= 1) < 0) return at;
  }
  return -1;
}

/** Leaves invalid escapes as they are. */
export function decodePercent(text: string): string {
  const decode = (part: string, failed: (part: string) => string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      return failed(part);
    }
  };
  return decode(text, () =>
    text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) => decode(run, (undecoded) => undecoded)),
  );
}

/** In order; `+` stays, since base64 has it too. */
export function queryOf(url: string): readonly (readonly [string, string])[] {
  const at = url.indexOf('?');
  if (at < 0) return [];
  const pairs = url
    .slice(at + 1)
    .replace(/#[^#]*$/, '')
    .split('&')
    .slice(0, 500);
  return pairs.map((pair) => {
    const [name, value] = splitPair(pair.replace(/^amp;/, ''), '=');
    return [name, decodePercent(value)];
  });
}
