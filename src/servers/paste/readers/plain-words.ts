import { wordSet } from '../../word-set.ts';
import { transportOfUrl } from '../entry.ts';
import type { FeaturedEntry } from '../paste.ts';
import { NOTHING, type Draft, type Reader, type Reading, type View } from '../view.ts';

/** “connect me to Notion and Linear”: names from the featured table. */
export const plainWordsReader: Reader = { name: 'plain words', read: readPlainWords };

const WORDS_MAX = 60;
const LONGEST_NAME = 3;

function readPlainWords({ text, featured }: View): Reading {
  if (!featured || text.length > 2_000 || /https?:|[{}=]/.test(text)) return NOTHING;
  // `owner/name` is not the featured server that its last word may name.
  if (/^\s*[\w.-]+\/[\w.-]+\s*$/.test(text)) return NOTHING;
  const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}.+-]*/gu)].slice(0, WORDS_MAX);
  const asked = ASKS.test(text) || words.length <= LONGEST_NAME;
  if (!asked) return NOTHING;
  const found = [];
  for (let index = 0; index < words.length;) {
    let taken = 0;
    for (let length = LONGEST_NAME; length > 0 && taken === 0; length -= 1) {
      const part = words.slice(index, index + length);
      const phrase = part.map(([word]) => word.toLowerCase().replace(/[.-]+$/, '')).join(' ');
      const server = part.length === length && !FILLERS.has(phrase) ? featured.find(phrase) : undefined;
      if (!server) continue;
      taken = length;
      const at = words[index]?.index ?? 0;
      found.push({ draft: draftOf(server), at, rank: 'words' as const, document: 0 });
    }
    index += Math.max(1, taken);
  }
  return { found, claims: [], ...(found.length > 0 ? { format: 'plain words' } : {}) };
}

const ASKS =
  /\b(?:connect|add|plug|install|use|set ?up|link|enable|want|need|hook|verbinde|connecte|conecta|ajoute|añade)\b/i;
/** Everyday words that are also server names. */
const FILLERS = wordSet('me to my and the a with please add use server mcp connect time want need');

function draftOf({ id, name, url, command, args, env }: FeaturedEntry): Draft {
  const base = {
    name,
    ref: { kind: 'featured' as const, id },
    ...(env && env.length > 0 ? { asked: env } : {}),
    extra: {},
  };
  if (url !== undefined) return { ...base, transport: transportOfUrl(url), url };
  if (command === undefined) return { ...base, transport: null };
  return { ...base, transport: 'stdio', command, args: args ?? [] };
}
