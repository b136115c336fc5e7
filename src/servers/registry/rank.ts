import { getFeatured } from '../featured.ts';
import { FEATURED } from './featured-entries.ts';
import { isProvedMaker, makerOf, ownName } from './maker.ts';
import type { FoundServer } from './merge.ts';
import { stemOf, type RequestTerm, type ServerRequest } from './request.ts';
import { NOISE, wordsIn } from './words.ts';

/** What a found server is called, what people say when they want it, and what is written about it. */
export interface RankedServer {
  readonly found: FoundServer;
  readonly names: ReadonlySet<string>;
  readonly topics: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
  readonly phrases: readonly Phrase[];
  /** Extra words of its shortest name make it another, special server. */
  readonly title: ReadonlySet<string>;
  readonly makers: ReadonlySet<string>;
}

interface Phrase {
  readonly words: readonly string[];
  readonly worth: number;
}

export function describeServer(found: FoundServer): RankedServer {
  const { entries, title } = found;
  const featured = entries.flatMap(({ registry, name }) =>
    registry === FEATURED ? (getFeatured(name) ?? []) : [],
  );
  const called = [
    ...entries.map(({ name }) => ownName(name)),
    ...entries.flatMap((entry) => entry.title ?? []),
    ...featured.flatMap(({ words }) => words),
  ];
  const topics = featured.flatMap(({ topics: said }) => said);
  const makers = entries.flatMap((entry) => {
    if (entry.registry === FEATURED) return stemsIn(`${entry.name} ${entry.title ?? ''}`);
    return isProvedMaker(entry) ? stemsIn(makerOf(entry.name) ?? '') : [];
  });
  const written = entries.flatMap(({ name, description, packages, remotes }) => [
    description,
    makerOf(name) ?? '',
    ...packages.map(({ identifier }) => identifier),
    ...remotes.map(({ url }) => url),
  ]);
  return {
    found,
    names: new Set(called.flatMap(formsOf)),
    topics: new Set(topics.flatMap(stemsIn)),
    text: new Set(written.flatMap(stemsIn)),
    phrases: [
      ...called.map((name) => ({ words: stemsIn(name), worth: 1 })),
      ...topics.map((topic) => ({ words: stemsIn(topic), worth: 0.95 })),
    ].filter(({ words }) => words.length > 0),
    title: new Set(stemsIn(title.includes('/') ? ownName(title) : title)),
    makers: new Set(makers),
  };
}

/** Best first. Servers that hold too little of what was asked for are left out, unless they are to be kept. */
export function rankServers(
  request: ServerRequest,
  servers: readonly RankedServer[],
  isKept: (found: FoundServer) => boolean = () => false,
): readonly FoundServer[] {
  if (request.terms.length === 0) return servers.map(({ found }) => found).toSorted(byStanding);
  const weights = new Weights(request, servers);
  const scored = servers.map((server) => {
    const fit = fitOf(request, server, weights);
    return { found: server.found, fit, score: fit + standingOf(request, server, weights) };
  });
  const best = Math.max(0, ...scored.map(({ fit }) => fit));
  const enough = Math.max(FIT_MIN, best * FIT_SHARE_MIN);
  const fitting = scored
    .filter(({ fit }) => fit >= enough)
    .toSorted(
      (a, b) =>
        Number(a.found.deprecated) - Number(b.found.deprecated) ||
        b.score - a.score ||
        byStanding(a.found, b.found),
    );
  const kept = scored.filter(({ fit, found }) => fit < enough && isKept(found));
  return [...fitting, ...kept].map(({ found }) => found);
}

const FIT_MIN = 0.15;
const FIT_SHARE_MIN = 0.4;

/** How much each word tells: little if many servers hold it, and nothing if none does. */
class Weights {
  readonly all: number;
  readonly #byStem: ReadonlyMap<string, number>;

  constructor({ terms }: ServerRequest, servers: readonly RankedServer[]) {
    const weightOf = (term: RequestTerm): number => {
      const held = servers.filter((server) => matchOf(term, server) > 0).length;
      return held === 0 ? 0 : term.weight * Math.log(1 + servers.length / held);
    };
    this.#byStem = new Map(terms.map((term) => [term.stem, weightOf(term)]));
    // “make me a sandwich”: that something is made elsewhere doesn't help.
    const strong = terms.filter(({ weight }) => weight === 1);
    const isKnown = strong.length === 0 || strong.some(({ stem }) => this.of(stem) > 0);
    const all = [...this.#byStem.values()].reduce((sum, weight) => sum + weight, 0);
    this.all = isKnown ? all : 0;
  }

  of(stem: string): number {
    return this.#byStem.get(stem) ?? 0;
  }

  share(stems: Iterable<string>): number {
    let sum = 0;
    for (const stem of new Set(stems)) sum += this.of(stem);
    return this.all === 0 ? 0 : sum / this.all;
  }
}

/** 0 to 1: the words that it holds, and the longest of its names that was said. */
function fitOf(request: ServerRequest, server: RankedServer, weights: Weights): number {
  if (weights.all === 0) return 0;
  const held = request.terms.reduce((sum, term) => sum + weights.of(term.stem) * matchOf(term, server), 0);
  const said = Math.max(0, ...server.phrases.map((phrase) => saidOf(phrase, request, weights)));
  return 0.6 * (held / weights.all) + 0.4 * said;
}

function matchOf(term: RequestTerm, server: RankedServer): number {
  const direct = heldBy(term.stem, server);
  if (direct > 0) return direct;
  const meant = Math.max(0, ...term.meanings.map((meaning) => heldBy(meaning, server)));
  if (meant > 0) return meant * MEANING;
  if (term.word.length < START_CHARS_MIN) return 0; // “car” isn't the start of “card”
  const starts = (words: ReadonlySet<string>): boolean => {
    for (const word of words) if (word.startsWith(term.word)) return true;
    return false;
  };
  return starts(server.names) || starts(server.makers) ? START : 0;
}

export function isHeld(term: RequestTerm, servers: readonly RankedServer[]): boolean {
  return servers.some((server) => matchOf(term, server) > 0);
}

const MEANING = 0.75;
const START = 0.5;
const START_CHARS_MIN = 4;

function heldBy(stem: string, { names, topics, makers, text }: RankedServer): number {
  if (names.has(stem)) return 1;
  if (topics.has(stem)) return 0.9;
  if (makers.has(stem)) return 0.7;
  return text.has(stem) ? 0.45 : 0;
}

/** The share of the request that is this name, if all of the name was said. */
function saidOf({ words, worth }: Phrase, request: ServerRequest, weights: Weights): number {
  const { spoken, pairs, terms } = request;
  const [only = '', ...others] = words;
  const pair = others.length === 0 ? pairs.get(only) : undefined;
  const run = pair ?? (includesRun(spoken, words) ? words : undefined);
  if (run !== undefined) {
    // “to do list” is mostly little words, which weigh nothing: saying all of it is still saying it.
    const little = run.filter((word) => !terms.some(({ stem }) => stem === word)).length;
    return worth * Math.min(1, weights.share(run) + (run.length > 1 ? little / spoken.length : 0));
  }
  const used = terms.filter(
    ({ stem, meanings }) => words.includes(stem) || meanings.some((meaning) => words.includes(meaning)),
  );
  const isWhole = words.every((word) =>
    used.some(({ stem, meanings }) => stem === word || meanings.includes(word)),
  );
  return isWhole ? worth * 0.8 * weights.share(used.map(({ stem }) => stem)) : 0;
}

function includesRun(spoken: readonly string[], words: readonly string[]): boolean {
  return spoken.some((_, at) => words.every((word, index) => spoken[at + index] === word));
}

/** Official servers first, then featured and verified ones, then by use. */
function standingOf({ terms }: ServerRequest, server: RankedServer, weights: Weights): number {
  const { found, makers, title } = server;
  const isAsked = terms.some(({ stem, weight }) => weight === 1 && makers.has(stem));
  const extra = [...title].filter((word) => weights.of(word) === 0 && !makers.has(word)).length;
  return (
    (isAsked ? OFFICIAL : 0) +
    (found.entries.some(({ registry }) => registry === FEATURED) ? LISTED : 0) +
    (found.verified ? VERIFIED : 0) +
    USED * usedShare(found.useCount) -
    Math.min(EXTRA_MAX, EXTRA * extra)
  );
}

const OFFICIAL = 0.2;
const LISTED = 0.12;
const VERIFIED = 0.12;
const USED = 0.08;
const EXTRA = 0.02;
const EXTRA_MAX = 0.08;

function usedShare(useCount: number): number {
  return Math.min(1, Math.log1p(useCount) / Math.log1p(100_000));
}

function byStanding(a: FoundServer, b: FoundServer): number {
  return (
    Number(a.deprecated) - Number(b.deprecated) ||
    Number(b.verified) - Number(a.verified) ||
    b.useCount - a.useCount
  );
}

function stemsIn(text: string): readonly string[] {
  return wordsIn(text)
    .filter((word) => !NOISE.has(word))
    .map(stemOf);
}

/** Also the parts of camelCase words, and a name of several words as one. */
function formsOf(name: string): readonly string[] {
  const humps = stemsIn(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  return [
    ...stemsIn(name),
    ...humps,
    wordsIn(name)
      .filter((word) => !NOISE.has(word))
      .join(''),
  ];
}
