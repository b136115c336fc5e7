import { getFeatured, listFeatured, plainName } from '../../servers/featured.ts';
import { isPhraseWord } from './phrases.ts';
import { isAlike, plainWord, type Word } from './words.ts';

export interface KnownServer {
  readonly id: string;
  readonly name: string;
}

/** What a wish is about. */
export type Target =
  | { readonly kind: 'server'; readonly id: string }
  /** The words fit several of the person's servers. */
  | { readonly kind: 'unsure'; readonly words: string; readonly ids: readonly string[] }
  /** A service by its words; `featured` when the table knows it. */
  | { readonly kind: 'service'; readonly words: string; readonly featured?: string }
  | { readonly kind: 'all' };

/** A target and the words that name it. */
export interface Named {
  readonly target: Target;
  readonly from: number;
  readonly to: number;
  /** A name that is also an everyday word counts only right behind its verb. */
  readonly everyday: boolean;
}

/** Names in the words, longest first: the person's own servers, then the featured ones. */
export function namesIn(
  words: readonly Word[],
  servers: readonly KnownServer[],
  isTaken: (index: number) => boolean,
): readonly Named[] {
  const found: Named[] = [];
  const taken = new Set<number>();
  const isFree = (index: number): boolean => !isTaken(index) && !taken.has(index);
  for (const find of [ownName(servers), everything, featuredName, ownSlip(servers), featuredSlip]) {
    for (let length = NAME_WORDS_MAX; length > 0; length -= 1) {
      for (let from = 0; from + length <= words.length; from += 1) {
        const span = words.slice(from, from + length);
        if (!span.every((_, index) => isFree(from + index))) continue;
        const named = find(span.map(({ text }) => text).join(' '), words[from + length]?.text);
        if (!named) continue;
        for (let index = from; index < from + length; index += 1) taken.add(index);
        found.push({ everyday: false, ...named, from, to: from + length - 1 });
      }
    }
  }
  return found.toSorted((a, b) => a.from - b.from);
}

/** Which words are, as written, names of the person's own servers. */
export function ownNamesIn(words: readonly Word[], servers: readonly KnownServer[]): ReadonlySet<number> {
  const names = new Set(servers.flatMap(({ id, name }) => [plainOf(id), plainOf(name)]));
  return new Set(words.flatMap(({ text }, index) => (names.has(text) ? [index] : [])));
}

type Find = (
  words: string,
  next: string | undefined,
) => { readonly target: Target; readonly everyday?: boolean } | undefined;

function ownName(servers: readonly KnownServer[]): Find {
  const named = servers.map(({ id, name }) => ({ id, names: [plainOf(id), plainOf(name)] }));
  return (words) => {
    const exact = named.filter(({ names }) => names.includes(words));
    if (exact.length > 0) return { target: oneOf(words, exact) };
    // “slack” is `slack-work` when no other server is called so.
    const partly = COMMON_PARTS.has(words)
      ? []
      : named.filter(({ names }) => names.some((name) => name.split(' ').includes(words)));
    return partly.length > 0 ? { target: oneOf(words, partly) } : undefined;
  };
}

function ownSlip(servers: readonly KnownServer[]): Find {
  const named = servers.map(({ id, name }) => ({ id, names: [plainOf(id), plainOf(name)] }));
  return (words) => {
    if (isOrdinary(words)) return undefined;
    const near = named.filter(({ names }) => names.some((name) => isAlike(words, name)));
    return near.length > 0 ? { target: oneOf(words, near) } : undefined;
  };
}

function oneOf(words: string, found: readonly { readonly id: string }[]): Target {
  const [first, ...others] = found;
  if (first && others.length === 0) return { kind: 'server', id: first.id };
  return { kind: 'unsure', words, ids: found.map(({ id }) => id) };
}

const everything: Find = (words, next) => {
  if (EVERYTHING.has(words) || isAlike(words, 'everything')) return { target: { kind: 'all' } };
  // “All our tickets” are not all servers.
  const isAll = (words === 'all' || words === 'alle') && (next === undefined || OF_SERVERS.has(next));
  return isAll ? { target: { kind: 'all' } } : undefined;
};

const featuredName: Find = (words) => {
  const server = getFeatured(words);
  if (!server) return undefined;
  const target = { kind: 'service', words, featured: server.id } as const;
  return { target, everyday: EVERYDAY_NAMES.has(words) };
};

const featuredSlip: Find = (words) => {
  if (isOrdinary(words) || words.length < SLIP_CHARS_MIN) return undefined;
  const near = FEATURED.filter(({ name }) => !EVERYDAY_NAMES.has(name) && isAlike(words, name));
  const [first] = near;
  const isOne = first && near.every(({ id }) => id === first.id);
  return isOne ? { target: { kind: 'service', words, featured: first.id } } : undefined;
};

function isOrdinary(words: string): boolean {
  return words.split(' ').some((word) => isPhraseWord(word) || isFiller(word));
}

/** Letters and digits, as words are compared. */
function plainOf(name: string): string {
  return plainName(name).split(' ').map(plainWord).join(' ');
}

const FEATURED = listFeatured().flatMap(({ id, title, words }) =>
  [id, title, ...words].map((name) => ({ id, name: plainOf(name) })),
);

const NAME_WORDS_MAX = 4;
const SLIP_CHARS_MIN = 5;

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s*[,\n]\s*/).map(plainOf));
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).map(plainWord));

const EVERYTHING = set(
  `everything, all of them, all servers, all my servers, all of my servers, all the servers, all connections,
  every server, every single one, the lot, the whole lot, them all, alles, alle server, alle meine server, all of it`,
);
const OF_SERVERS = wordsOf('servers server connections integrations of please now again back on off');

/** Featured names that people also say without meaning them. */
const EVERYDAY_NAMES = set(
  `time, clock, time zones, memory, remember, knowledge graph, everything, reference server, test server, fetch,
  web pages, fetch urls, files, folders, local files, file system, git, gh, thinking, step by step thinking,
  calendar, browser, chrome, payments, diagrams, web search, monday, todo list, research papers,
  models and datasets, product analytics, error tracking, support tickets, library docs, repository wiki, sonar,
  brave, devtools, crawl websites, square, neon, research, search, documents`,
);

/** Parts of names that do not tell one server from another. */
const COMMON_PARTS = wordsOf('mcp server servers work home my the local remote api app main test dev tools');

/** Words that name no service. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word) || /^\d+$/.test(word);
}

const FILLERS = wordsOf(
  `a an the my our your his her its their me us i im id ill ive we were you u he she it they this that these those one ones is am are
  be been was do does did done doing please pls plz kindly can could would will shall should may might must want
  wants wanted wanna need needs like love to too with without into onto for of off from and or but also in on at by as if so
  up down out over about some any all every each both that which who whom whose there here something anything
  someone thing things stuff have has had having get gets got give find show look looks looking search what how why
  when where exist exists connect connected connection connections add added install plug plugged setup set use used using hook
  hooked link linked enable open opened start access talk make made makes let lets put mcp server servers account accounts app
  apps tool tools integration integrations service services possible able ability assistant agent ai bot claude
  chatgpt computer machine thanks thank hi hello hey dear again now today tomorrow monday tuesday wednesday thursday
  friday then instead later soon still just only really very more less new old own other another same different
  not no yes dont doesnt isnt cant wont never anymore any more its whats thats theres hes shes keep keeps see
  sees read reads write writes know knows think tell ask asks say says said see want help work works working
  everything nothing all ich du er es sie wir ihr mein meine meinen dein deine der die das den dem ein eine einen
  und oder mit ohne bei zu zum zur von vom auf an in im aus ab fur bitte danke kannst konntest konnen mochte will
  brauche habe hab hast ist sind war nicht kein keine mal noch wieder auch dass wie was wer wo warum jetzt heute`,
);
