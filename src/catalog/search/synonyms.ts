import { stem } from './stem.ts';
import { chineseWords } from './synonym-words-chinese.ts';
import { synonymGroups } from './synonym-words.ts';

/** From a term to the terms that may stand for it. */
export const synonyms: ReadonlyMap<string, readonly string[]> = tableOf(`${synonymGroups}/${chineseWords}`);

function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, Set<string>>();
  for (const group of text.split('/').map(termsOf)) {
    for (const term of group) {
      const others = table.get(term) ?? new Set();
      for (const other of group) if (other !== term) others.add(other);
      table.set(term, others);
    }
  }
  return new Map([...table].map(([term, others]) => [term, [...others]]));
}

function termsOf(group: string): readonly string[] {
  return group
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(stem);
}
