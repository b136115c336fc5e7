import { parsePaste } from '../../servers/paste/parse-paste.ts';
import { answerIn, choiceIn, isForbidden, type Chosen } from './answers.ts';
import { withoutExceptions } from './exceptions.ts';
import { setupLimits } from './limits.ts';
import { asksOutright, wishesIn, type Said, type Wish } from './phrases.ts';
import { secretsSaid } from './secrets-said.ts';
import { bySwitch, switchSaid } from './switched.ts';
import { isFiller, namesIn, ownNamesIn, type KnownServer, type Named, type Target } from './targets.ts';
import { wordsIn, type Word } from './words.ts';

/** What a message asks for. One message may ask for several things. */
export type Intent =
  | { readonly kind: 'agree' | 'decline' | 'list' | 'help' | 'undo' }
  | Chosen
  /** The whole message is or holds a config, a command or an address. */
  | { readonly kind: 'paste'; readonly key?: string }
  /** Without targets: what is wanted is in the words, for registries to find. */
  | { readonly kind: 'add'; readonly targets: readonly Target[]; readonly key?: string }
  | About<'enable' | 'disable'>
  | About<'test' | 'explain'>
  | About<'remove'>
  | About<'sign-in'>
  | { readonly kind: 'give-key'; readonly targets: readonly Target[]; readonly key?: string };

interface About<Kind> {
  readonly kind: Kind;
  readonly targets: readonly Target[];
}

/** What a message is read against. */
export interface Situation {
  readonly servers: readonly KnownServer[];
  /** The servers spoken of last: “it”, “them”. */
  readonly about: readonly string[];
  /** The names of the last question, if it was which one. */
  readonly choices?: readonly string[];
  /** The last question was for a key: a single word is one. */
  readonly wantsKey?: boolean;
}

/** Deterministic: words, names and what was said before. Never empty. */
export function understand(text: string, situation: Situation): readonly Intent[] {
  const line = text.trim().replace(/[\s.!?]+$/, '');
  if (line === '') return [{ kind: 'help' }];
  const choice = situation.choices && choiceIn(line, situation.choices);
  if (choice) return [choice];
  if (isPaste(text)) return [{ kind: 'paste' }];
  const key = keyIn(line, situation);
  const words = wordsIn(key === undefined ? line : line.replaceAll(key, ' '));
  const answered = key === undefined ? answerIn(words) : undefined;
  if (answered?.kind === 'agree' && exceptsIn(answered.rest, situation)) return [{ kind: 'decline' }];
  const rest = answered?.rest ?? words;
  const intents = answered && !asksOutright(rest) ? [] : wishes(rest, situation, key);
  const isMore = intents.length > 0 || rest.some(({ text: word }) => !isFiller(word));
  // “Good grief” and “great, connect Linear” are no yes.
  if (!answered || (isMore && !answered.plain)) {
    const whole = answered ? wishes(words, situation, key) : intents;
    return whole.length > 0 ? whole : [fallback(words, situation)];
  }
  const more = intents.filter(({ kind }) => MORE.has(kind));
  return answered.kind === 'decline' && more.length > 0 ? more : [{ kind: answered.kind }, ...more];
}

/** “Yes, but not files” is no yes to what was asked. */
function exceptsIn(words: readonly Word[], { servers }: Situation): boolean {
  const names = namesIn(words, servers, () => false);
  return withoutExceptions(words, { names, said: [] }, servers).excepts;
}

/** What may follow a “yes” in the same message. */
const MORE: ReadonlySet<Intent['kind']> = new Set(['add', 'enable', 'disable', 'remove', 'test', 'undo']);

/** A text that the parser of pastes has to read, or that is too long to be a request. */
function isPaste(text: string): boolean {
  if (text.length > setupLimits.requestCharsMax * 4) return true;
  if (REGISTRY_NAME.test(text.trim())) return true;
  if (/[{}]|\w:\/\/|^\s*\[/m.test(text) || PROGRAM.test(text)) return true;
  return parsePaste(text).servers.length > 0;
}

const PROGRAM = /(?:^|\s)(?:npx|uvx|bunx|pnpx|pipx|docker|podman|node|python3?)\s+\S/i;
const REGISTRY_NAME = /^@?[A-Za-z0-9][\w.-]*\/[\w.-]+$/;

function keyIn(line: string, { wantsKey = false, servers }: Situation): string | undefined {
  const all = secretsSaid(line);
  // The longest first; its pieces may look like keys, too.
  const names = new Set(servers.flatMap(({ id, name }) => [id, name]));
  const longest = all.find((secret) => line.includes(secret) && !names.has(secret));
  if (longest !== undefined) return longest;
  if (!wantsKey || /\s/.test(line)) return undefined;
  const words = wordsIn(line);
  const isWord = answerIn(words) !== undefined || wishesIn(words).length > 0;
  return isWord || namesIn(words, servers, () => false).length > 0 ? undefined : line;
}

function wishes(words: readonly Word[], situation: Situation, key: string | undefined): readonly Intent[] {
  const heard = wishesIn(words, ownNamesIn(words, situation.servers));
  const own = new Set(heard.flatMap((each) => each.own));
  const all = namesIn(words, situation.servers, (index) => own.has(index));
  const { names, said } = withoutExceptions(words, { names: all, said: heard }, situation.servers);
  // A key beside one of their servers, and nothing else that is wanted: “sk-… that's the github one”.
  const isBeside = said.length === 0 && names.some(({ target }) => target.kind === 'server');
  if (key !== undefined && (isBeside || isGiven(words, situation))) return [withKey(said, names, words, key)];
  const allowed = said.filter(({ from }) => !isForbidden(words, from));
  if (allowed.length === 0) return said.length > 0 && names.length > 0 ? [{ kind: 'decline' }] : [];
  const pronoun = words.some(({ text }, index) => PRONOUNS.has(text) && !own.has(index));
  const intents = allowed.map((each, index) =>
    intentOf(each, { index, said: allowed, names, words, situation, pronoun }),
  );
  return merged(intents.flatMap((intent) => bySwitch(intent, names, words, (index) => own.has(index))));
}

interface Reading {
  readonly index: number;
  readonly said: readonly Said[];
  readonly names: readonly Named[];
  readonly words: readonly Word[];
  readonly situation: Situation;
  readonly pronoun: boolean;
}

function intentOf(said: Said, reading: Reading): Intent {
  const { wish } = said;
  if (wish === 'list' || wish === 'help' || wish === 'undo') return { kind: wish };
  const targets = targetsOf(said, reading);
  if (wish === 'add') return { kind: 'add', targets };
  const isNew = targets.length > 0 && targets.every(({ kind }) => kind === 'service');
  // What is not there can only be added: “does it work with Airtable?”
  if (isNew && (wish === 'enable' || wish === 'test')) return { kind: 'add', targets };
  return { kind: wish, targets };
}

/** What stands behind the verb until the next one, else what stands before it, else what was spoken of. */
function targetsOf(
  said: Said,
  { index, said: all, names, words, situation, pronoun }: Reading,
): readonly Target[] {
  const next = all.slice(index + 1).find(isAboutServers);
  const before = all.slice(0, index).findLast(isAboutServers);
  const fits = (named: Named): boolean => isMeant(named, said, words);
  const behind = names.filter(({ from }) => from > said.from && (next === undefined || from < next.from));
  const ahead = names.filter(({ to }) => to < said.from && (before === undefined || to > before.to));
  const found = [behind, ahead].map((list) => list.filter(fits)).find((list) => list.length > 0);
  const targets = distinct((found ?? []).map(({ target }) => target));
  if (targets.length > 0) return preferOwn(targets, said.wish);
  if (said.wish !== 'add') return pronoun || said.wish === 'explain' ? spokenOf(situation) : [];
  return unknownService(words, said);
}

function isAboutServers({ wish }: Said): boolean {
  return wish !== 'list' && wish !== 'help' && wish !== 'undo';
}

function isMeant({ target, everyday, from }: Named, said: Said, words: readonly Word[]): boolean {
  if (target.kind === 'all') return said.wish !== 'add' && said.wish !== 'sign-in';
  if (!everyday) return true;
  const between = words.slice(said.to + 1, from).filter(({ text }) => !ARTICLES.has(text));
  return said.wish === 'add' && from > said.to && between.length === 0;
}

/** Only what is there can be switched, tested or removed; services are for adding. */
function preferOwn(targets: readonly Target[], wish: Wish): readonly Target[] {
  if (wish === 'add') return targets;
  const all = targets.find(({ kind }) => kind === 'all');
  const own = targets.filter(({ kind }) => kind !== 'service' && kind !== 'all');
  if (own.length > 0) return own;
  return all ? [all] : targets;
}

function spokenOf({ about }: Situation): readonly Target[] {
  return about.map((id) => ({ kind: 'server', id }));
}

/** A word that is neither everyday English nor German is likely a name: “tickets in zendesk”. */
function unknownService(words: readonly Word[], said?: Said): readonly Target[] {
  const own = new Set(said?.own);
  const telling = words.filter(({ text }, index) => !own.has(index) && !isFiller(text) && text.length > 2);
  const [only] = telling;
  if (!only) return [];
  if (telling.length === 1) return [{ kind: 'service', words: only.text }];
  const large = telling.filter(({ raw, at }) => at > 0 && /^\p{Lu}/u.test(raw));
  const placed = telling.filter(({ at }) =>
    words.some((word, index) => word.at === at && PLACES.has(words[index - 1]?.text ?? '')),
  );
  const [name, ...others] = large.length > 0 ? large : placed;
  return name && others.length === 0 ? [{ kind: 'service', words: name.text }] : [];
}

/** Where names stand: “in zendesk”, “to hubspot”. */
const PLACES: ReadonlySet<string> = new Set(
  'to in into from via using with add connect install link mit zu bei aus'.split(' '),
);
const ARTICLES: ReadonlySet<string> = new Set(
  'the my our a an me to up in der die das den mein meine'.split(' '),
);
const PRONOUNS: ReadonlySet<string> = new Set(
  'it its this that them these those one ones same es das sie ihn diese diesen beide both'.split(' '),
);

/** A key is given when it was asked for, called one, or all that was said; else it only stands in the message. */
function isGiven(words: readonly Word[], { wantsKey = false }: Situation): boolean {
  return wantsKey || words.length === 0 || words.some(({ text }) => KEY_WORDS.has(text));
}

const KEY_WORDS: ReadonlySet<string> = new Set(
  `key keys apikey token tokens password passwd passphrase pass secret pat credential credentials bearer
  schlussel passwort kennwort`.split(/\s+/),
);

function withKey(
  said: readonly Said[],
  names: readonly Named[],
  words: readonly Word[],
  key: string,
): Intent {
  const own = names.map(({ target }) => target).filter(({ kind }) => kind === 'server' || kind === 'unsure');
  if (own.length > 0) return { kind: 'give-key', targets: distinct(own), key };
  const known = names.filter(({ everyday }) => !everyday).map(({ target }) => target);
  const adds = said.some(({ wish }) => wish === 'add');
  const services = known.length > 0 ? known : adds ? unknownService(words.filter(isNoKeyWord)) : [];
  if (services.length > 0) return { kind: 'add', targets: distinct(services), key };
  return { kind: 'give-key', targets: [], key };
}

function isNoKeyWord({ text }: Word): boolean {
  return !KEY_WORDS.has(text);
}

/** “Sign me in, I am logged out” is one wish. */
function merged(intents: readonly Intent[]): readonly Intent[] {
  const kept: Intent[] = [];
  for (const intent of intents) {
    const at = kept.findIndex(({ kind }) => kind === intent.kind);
    const same = kept[at];
    if (!same) kept.push(intent);
    else if ('targets' in same && 'targets' in intent)
      kept[at] = { ...same, targets: distinct([...same.targets, ...intent.targets]) };
  }
  return sensible(kept);
}

/** What is said by the way: a reason for a wish is no second wish, and neither is “my servers”. */
function sensible(intents: readonly Intent[]): readonly Intent[] {
  const strongest = Math.min(...intents.map(rankOf));
  const first = intents.filter((intent) => rankOf(intent) === strongest);
  const named = first.filter((intent) => !('targets' in intent) || intent.targets.length > 0);
  return named.length > 0 ? named : first.slice(0, 1);
}

/** What does something, then what tells about a server, then what tells about all. */
function rankOf({ kind }: Intent): number {
  if (kind === 'list' || kind === 'help') return 3;
  if (kind === 'test') return 2;
  return kind === 'explain' ? 1 : 0;
}

/** A bare name: one's own server is looked at, another is to be added. */
function fallback(words: readonly Word[], { servers }: Situation): Intent {
  const all = namesIn(words, servers, () => false);
  const included = withoutExceptions(words, { names: all, said: [] }, servers);
  const names = included.names.filter(({ target }) => target.kind !== 'all');
  const own = names.map(({ target }) => target).filter(({ kind }) => kind === 'server' || kind === 'unsure');
  if (own.length > 0) return { kind: switchedTo(words) ?? 'explain', targets: distinct(own) };
  if (words.length > 0 && words.every(({ text }) => GREETINGS.has(text) || isFiller(text)))
    return { kind: 'help' };
  const isWhole = names.length === 1 && words.length <= 3;
  const services = names.filter(({ everyday }) => isWhole || !everyday).map(({ target }) => target);
  return { kind: 'add', targets: services.length > 0 ? distinct(services) : unknownService(words) };
}

/** “Notion off”, “linear on please”. */
function switchedTo(words: readonly Word[]): 'enable' | 'disable' | undefined {
  return switchSaid(words.findLast(({ text }) => !POLITE.has(text))?.text);
}

const POLITE: ReadonlySet<string> = new Set('please pls plz bitte now again thanks danke'.split(' '));

const GREETINGS: ReadonlySet<string> = new Set(
  'hi hello hey there good morning evening afternoon hallo moin guten tag servus thanks thank you danke'.split(
    ' ',
  ),
);

function distinct(targets: readonly Target[]): readonly Target[] {
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()];
}
