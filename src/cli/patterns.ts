import type { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { userError } from './failures.ts';

/** Which arguments a grant allows: `path=glob` words, or JSON objects of the same. */
export function parsePattern(words: readonly string[]): Readonly<Record<string, string>> {
  const entries = words.flatMap((word) =>
    word.trimStart().startsWith('{') ? fromJson(word) : [fromWord(word)],
  );
  const seen = new Set<string>();
  for (const [path] of entries) {
    if (seen.has(path)) throw wrong(`${path} is given twice.`);
    seen.add(path);
  }
  return Object.fromEntries(entries);
}

function fromWord(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw wrong(`“${word.slice(0, 60)}” is no pattern.`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function fromJson(text: string): readonly (readonly [string, string])[] {
  const value = parse(text);
  if (!isObject(value)) throw wrong('A pattern in JSON is one object.');
  return Object.entries(value).map(([path, glob]) => {
    if (typeof glob === 'string') return [path, glob] as const;
    if (typeof glob === 'number' || typeof glob === 'boolean') return [path, String(glob)] as const;
    throw wrong(`${path}: name the inner argument with a dot, as in repo.owner=acme.`);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // said by the caller, like everything that is no object
  }
}

function wrong(message: string): PlugError {
  return userError('usage', message, {
    remedy: "Write path=glob, as in --args 'repo=acme/*', or a JSON object.",
  });
}
