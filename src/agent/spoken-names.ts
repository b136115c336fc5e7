import { plainName } from '../servers/featured.ts';

/** A text as it is searched for names of services. */
export interface Spoken {
  readonly text: string;
  /** Lower case, blanks for everything else: names are looked for between blanks. */
  readonly plain: string;
}

export function spoken(text: string): Spoken {
  const cut = text.slice(0, TEXT_CHARS_MAX);
  return { text: cut, plain: ` ${plainName(cut)} ` };
}

const TEXT_CHARS_MAX = 4_000;

/**
 * Whether a text speaks of the service of that name. A name that is also a word of everyday language
 * counts only where it is used as a name: “in Linear”, not “linear regression”.
 */
export function speaksOf({ text, plain: words }: Spoken, name: string): boolean {
  const wanted = plainName(name);
  if (wanted === '' || GENERIC.has(wanted) || !words.includes(` ${wanted} `)) return false;
  return !ORDINARY.has(wanted) || isUsedAsName(text, wanted);
}

/** Words that look like names of services: written large inside a sentence, or said to be used. */
export function likelyNames({ text }: Spoken): readonly string[] {
  const found = [...text.matchAll(LARGE), ...text.matchAll(USED)].map(([, name = '']) => name);
  const names = found.map(plainName).filter((name) => name.length > 3 && !isEveryday(name));
  return [...new Set(names)];
}

/** Words of everyday language and of every request; no service is looked for by them. */
export function isEveryday(word: string): boolean {
  return GENERIC.has(word) || ORDINARY.has(word) || EVERYDAY.has(word);
}

/** Inside a sentence, after a small letter or a comma: `… my Zendesk tickets`. */
const LARGE = /(?<=[\p{Ll}\p{N},][ ]+)(\p{Lu}[\p{L}\p{N}]{3,40})/gu;
const USED = /\b(?:using|via|connect to|connected to)\s+([\p{L}\p{N}]{4,40})/giu;

function isUsedAsName(text: string, name: string): boolean {
  const large = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  // The name is made of letters and digits alone: it has nothing that a pattern would read.
  const isLarge = new RegExp(`(?<=[\\p{Ll}\\p{N},][ ]+)${large}\\b`, 'u').test(text);
  const ends = `(?=\\s*(?:$|[.,;:!?)\\n]|(?:and|or|for|about|please|with)\\b))`;
  return (
    isLarge || new RegExp(`\\b(?:in|on|to|from|via|using|into|my|our)\\s+${name}${ends}`, 'iu').test(text)
  );
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s*,\s*/).map(plainName));

/** In the table of featured servers, and far too common to mean one of them. */
const GENERIC = words(
  `time, clock, time zones, memory, remember, knowledge graph, everything, reference server, test server, fetch,
  web pages, fetch urls, files, folders, local files, file system, filesystem, git, gh, hf, thinking,
  step by step thinking, sequential thinking, calendar, browser, chrome, payments, diagrams, web search, monday,
  todo list, research papers, models and datasets, product analytics, error tracking, support tickets,
  library docs, repository wiki, sonar, brave, devtools, crawl websites`,
);

/** Names that are words as well. */
const ORDINARY = words(
  `linear, notion, slack, square, neon, stripe, sentry, prisma, exa, amplitude, intercom, azure, mermaid`,
);

const EVERYDAY = words(
  `monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, june, july,
  august, september, october, november, december, english, german, french, spanish, please, this, that, these,
  those, with, from, into, what, when, where, which, there, their, hello, thanks, python, javascript, typescript,
  java, rust, markdown, html, json, yaml, http, https, linux, windows, macos, your, them, some, more, than, then`,
);
