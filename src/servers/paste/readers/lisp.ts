import type { Json } from '../../../base/json.ts';
import { limits } from '../../../base/limits.ts';
import { readEntry } from '../entry.ts';
import { readString } from '../lenient-text.ts';
import { NOTHING, type Finding, type Range, type Reader, type Reading, type View } from '../view.ts';

/** Emacs Lisp as in mcp.el: `(("name" :command "npx" :args ("-y" "package")))`. */
export const lispReader: Reader = { name: 'lisp', read: readLisp };

const ENTRY = /\(\s*"([^"\n]{1,200})"\s*\.?\s*\(?\s*(?=:[a-z])/g;

function readLisp(view: View): Reading {
  const found: Finding[] = [];
  const claims: Range[] = [];
  let seen = 0;
  for (const match of view.text.matchAll(ENTRY)) {
    if (match.index < seen || found.length >= limits.pasteServersMax) continue;
    const { fields, end } = readProperties(view.text, match.index + match[0].length);
    // Never read twice, whether it was a server or not.
    seen = end;
    view.budget.step(end - match.index);
    const reading = readEntry(fields, match[1] ?? null);
    if (reading.kind !== 'server') continue;
    found.push({ draft: reading.draft, at: match.index, rank: 'config', document: 0 });
    claims.push({ from: match.index, to: end });
  }
  return found.length === 0 ? NOTHING : { found, claims, format: 'mcp.el (mcp-hub-servers)' };
}

function readProperties(text: string, from: number): { readonly fields: Json; readonly end: number } {
  const pairs: [string, Json][] = [];
  let at = from;
  for (;;) {
    const key = /^\s*:([a-zA-Z][\w-]*)\s*/.exec(text.slice(at, at + 200));
    if (!key || pairs.length > 100) break;
    const { value, end } = readValue(text, at + key[0].length, 0);
    pairs.push([key[1] ?? '', value]);
    at = end;
  }
  return { fields: Object.fromEntries(pairs), end: at };
}

function readValue(
  text: string,
  from: number,
  depth: number,
): { readonly value: Json; readonly end: number } {
  const lead = /^[\s'`,]*/.exec(text.slice(from, from + 200))?.[0].length ?? 0;
  const at = from + lead;
  if (text[at] === '"') return readString(text, at);
  if (text[at] === '(' && depth < 8) {
    if (/^\(\s*:[a-zA-Z]/.test(text.slice(at, at + 100))) {
      const { fields, end } = readProperties(text, at + 1);
      return { value: fields, end: closeAt(text, end) };
    }
    return readList(text, at, depth);
  }
  const word = /^[^\s()"]{1,200}/.exec(text.slice(at, at + 200))?.[0] ?? '';
  const value = word === 't' ? true : word === 'nil' ? null : /^\d+$/.test(word) ? Number(word) : word;
  return { value, end: at + Math.max(1, word.length) };
}

function readList(text: string, from: number, depth: number): { readonly value: Json; readonly end: number } {
  const items: Json[] = [];
  let at = from + 1;
  while (at < text.length && items.length < 1_000) {
    at += /^\s*/.exec(text.slice(at, at + 500))?.[0].length ?? 0;
    if (text[at] === ')') return { value: items, end: at + 1 };
    const { value, end } = readValue(text, at, depth + 1);
    items.push(value);
    at = Math.max(end, at + 1);
  }
  return { value: items, end: at };
}

function closeAt(text: string, from: number): number {
  return from + (/^\s*\)?/.exec(text.slice(from, from + 200))?.[0].length ?? 0);
}
