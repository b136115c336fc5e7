import {
  CONJUNCTIONS,
  DESTRUCTIVE,
  MAYBE_THING,
  MAYBE_THING_FIRST,
  READ,
  READ_ALONE,
  READ_ANYWHERE,
  VERB_AT_END,
  WRITE,
} from './risk-words.ts';
import type { Risk } from './risk.ts';

/** What a name says: the gravest word wins, and a name reads only when a reading verb leads it. */
export function riskOfName(name: string, server?: string): Risk {
  const words = withoutServer(wordsOf(name), server);
  const risk = riskOfWords(words);
  // A letter of another alphabet may stand for one of ours: such a name is never taken for a read.
  return risk === 'read' && NOT_ASCII.test(name) ? 'unknown' : risk;
}

function riskOfWords(words: readonly string[]): Risk {
  const reading = words.findIndex((word, index) => (index === 0 ? READ : READ_ANYWHERE).has(word));
  const acts = (word: string, index: number): boolean =>
    !MAYBE_THING.has(word) || reading < 0 || index < reading || isVerbHere(words, index);
  if (words.some((word, index) => DESTRUCTIVE.has(word) && acts(word, index))) return 'destructive';
  if (words.some((word, index) => WRITE.has(word) && acts(word, index))) return 'write';
  if (words[0] === 'check' && CHECK_IN.has(words[1] ?? '')) return 'write';
  const isAlone = words.length > 0 && words.every((word) => READ_ALONE.has(word));
  return reading >= 0 || isAlone ? 'read' : 'unknown';
}

/** Whether a word that is also a thing is an action behind a reading verb: “get_and_post”, “list_update”. */
function isVerbHere(words: readonly string[], index: number): boolean {
  const [first = ''] = words;
  const isPair = words.length === 2 && index === 1;
  return (
    CONJUNCTIONS.has(words[index - 1] ?? '') ||
    (isPair && MAYBE_THING_FIRST.has(first) && VERB_AT_END.has(words[index] ?? ''))
  );
}

/** Word boundaries of snake_case, camelCase, kebab-case and digits. */
export function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, WORD_CHARS_MAX)
    .normalize('NFKC')
    .replaceAll(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replaceAll(/\blook[^a-z]?up/g, 'lookup')
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** “git_status” of the server git is “status”; a word that says what is done is never left out. */
function withoutServer(words: readonly string[], server: string | undefined): readonly string[] {
  const own = new Set(server === undefined ? ['mcp'] : ['mcp', ...wordsOf(server)]);
  const first = words.findIndex((word) => !own.has(word) || isKnown(word));
  return first <= 0 ? words : words.slice(first);
}

function isKnown(word: string): boolean {
  return READ.has(word) || READ_ALONE.has(word) || WRITE.has(word) || DESTRUCTIVE.has(word);
}

const WORD_CHARS_MAX = 500;
const CHECK_IN: ReadonlySet<string> = new Set(['in', 'out', 'off']);
// oxlint-disable-next-line no-control-regex -- the range of ASCII is what is meant.
const NOT_ASCII = /[^\u0000-\u007f]/;
