import { wordSet } from '../../word-set.ts';
import { transportOfUrl } from '../entry.ts';
import type { FeaturedEntry, FeaturedLookup, PasteProblem } from '../paste.ts';
import { NOTHING, type Draft, type Finding, type Reader, type Reading, type View } from '../view.ts';

/** “connect me to Notion and Linear”: names from the featured table. */
export const plainWordsReader: Reader = { name: 'plain words', read: readPlainWords };

const WORDS_MAX = 60;
/** In a longer text a word that is nearly a name is mostly another word. */
const NEAR_WORDS_MAX = 15;
const LONGEST_NAME = 3;

function readPlainWords(view: View): Reading {
  const { text, featured } = view;
  if (!featured || text.length > 2_000 || /https?:|[{}=]/.test(text)) return NOTHING;
  // `owner/name` is not the featured server that its last word may name.
  if (/^\s*[\w.-]+\/[\w.-]+\s*$/.test(text)) return NOTHING;
  const words = [...text.matchAll(WORD)].slice(0, WORDS_MAX);
  const asked = ASKS.test(text) || words.length <= LONGEST_NAME;
  if (!asked) return NOTHING;
  const found: Finding[] = [];
  const problems: PasteProblem[] = [];
  for (let index = 0; index < words.length;) {
    const at = words[index]?.index ?? 0;
    const phrases = phrasesAt(words, index);
    const exact = firstFound(phrases, (phrase) => featured.find(phrase) ?? compound(phrase, featured));
    const near =
      exact || words.length > NEAR_WORDS_MAX
        ? undefined
        : firstFound(phrases, (phrase) => featured.near?.(phrase));
    const match = exact ?? near;
    if (match) found.push({ draft: draftOf(match.server), at, rank: 'words', document: 0 });
    if (near) {
      const message = `“${near.phrase}” was read as ${near.server.name}.`;
      problems.push({ message, severity: 'info', owner: 'you' });
    }
    index += match?.length ?? 1;
  }
  return { found, claims: [], problems, ...(found.length > 0 ? { format: 'plain words' } : {}) };
}

interface Phrase {
  readonly phrase: string;
  readonly length: number;
}

/** Longest first. */
function phrasesAt(words: readonly RegExpExecArray[], index: number): readonly Phrase[] {
  const lengths = Array.from({ length: LONGEST_NAME }, (_, shorter) => LONGEST_NAME - shorter);
  return lengths
    .filter((length) => index + length <= words.length)
    .map((length) => {
      const part = words.slice(index, index + length);
      return { length, phrase: part.map(([word]) => word.toLowerCase().replace(/[.-]+$/, '')).join(' ') };
    })
    .filter(({ phrase }) => !FILLERS.has(phrase));
}

function firstFound(phrases: readonly Phrase[], find: (phrase: string) => FeaturedEntry | undefined) {
  for (const each of phrases) {
    const server = find(each.phrase);
    if (server) return { ...each, server };
  }
  return undefined;
}

/** German writes “Sentry-Fehler”. */
function compound(phrase: string, featured: FeaturedLookup): FeaturedEntry | undefined {
  const [first = '', ...rest] = phrase.split('-');
  return rest.length > 0 && first.length > 3 && !FILLERS.has(first) ? featured.find(first) : undefined;
}

/** Scripts without spaces stand right beside a name in Latin letters. */
const WORD = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}.+-]*|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu;

const ASKS = new RegExp(
  [
    String.raw`\b(?:connect|add|plug|install|use|set ?up|link|enable|want|need|hook|access|give|get)\b`,
    String.raw`(?<!\p{L})(?:verbind|füge|hinzu|brauch|möcht|install|einricht|richte|nutz|zugriff|schalt|koppel|anbind|verknüpf|aktivier|benutz|verwend|hol)`,
    String.raw`(?<!\p{L})(?:connect|ajout|utilis|veux|besoin|conect|conéct|añad|agreg|quier|necesit|adicion|quero|precis|colleg|aggiung|voglio|verbind|voeg|подключ|добав|połącz|dodaj|bağla|ekle)`,
    '连接|连上|接入|添加|安装|使用|启用|配置|帮我|想用|需要|連接|接続|追加|つな|使いたい|연결|추가',
  ].join('|'),
  'iu',
);
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
