import { plainName } from '../../servers/featured.ts';
import { plainWord, type Word } from './words.ts';

/** How a message answers a question, and which words come after the answer. */
export interface Answered {
  readonly kind: 'agree' | 'decline';
  /** “Yes” itself, not “good” or “right”, which begin many a sentence. */
  readonly plain: boolean;
  readonly rest: readonly Word[];
}

/** “Yes”, “no”, or neither. A message that goes on after it (“yes, and connect Linear”) says more. */
export function answerIn(words: readonly Word[]): Answered | undefined {
  let kind: Answered['kind'] | undefined;
  let plain = false;
  let at = 0;
  while (at < words.length) {
    const refused = phraseAt(words, at, NO);
    // “No more weather” is no answer.
    const isAmount = refused === 1 && AMOUNTS.has(words[at + 1]?.text ?? '');
    const no = isAmount ? 0 : Math.max(refused, lastPhraseAt(words, at));
    const said = phraseAt(words, at, YES);
    // “Please do not” begins like a yes.
    const yes = NEGATIONS.has(words[at + said]?.text ?? '') ? 0 : said;
    const polite = phraseAt(words, at, POLITE);
    const longest = Math.max(no, yes, polite);
    if (longest === 0) break;
    plain ||= PLAIN.has(words[at]?.text ?? '');
    if (longest === no) kind = 'decline';
    else if (longest === yes) kind ??= 'agree';
    at += longest;
  }
  return kind === undefined ? undefined : { kind, plain, rest: words.slice(at) };
}

const AMOUNTS: ReadonlySet<string> = new Set('more longer one need use'.split(' '));

const PLAIN: ReadonlySet<string> = new Set('yes yep yeah yup ja jawohl no nope nah nein'.split(' '));

/** “Don't remove it”: what is said after it is not wished for. */
export function isForbidden(words: readonly Word[], at: number): boolean {
  const [before, last] = [words[at - 2]?.text ?? '', words[at - 1]?.text ?? ''];
  return NEGATIONS.has(last) || (NEGATIONS.has(before) && last !== 'and');
}

const NEGATIONS: ReadonlySet<string> = new Set(['dont', 'not', 'never', 'nicht', 'kein', 'keine']);

function phraseAt(words: readonly Word[], at: number, phrases: readonly (readonly string[])[]): number {
  const lengths = phrases
    .filter((phrase) => phrase.every((part, index) => words[at + index]?.text === part))
    .map(({ length }) => length);
  return Math.max(0, ...lengths);
}

/** “Don't” and “stop” are answers only where nothing follows: “don't remove it”, “stop notion”. */
function lastPhraseAt(words: readonly Word[], at: number): number {
  const length = phraseAt(words, at, NO_AT_END);
  return at + length === words.length ? length : 0;
}

const phrases = (text: string): readonly (readonly string[])[] =>
  text.split(',').map((phrase) => phrase.trim().split(/\s+/).map(plainWord));

const YES = phrases(
  `yes, yes to all, yep, yeah, yea, yup, ya, y, ok, okay, k, sure, sure thing, of course, go ahead, go for it, do it, do that,
  do so, please do, lets do it, lets go, sounds good, looks good, looks right, thats right, thats it, thats fine, that works,
  fine, fine by me, that would be great, that would be good, that would be nice, that would be perfect, would be great, if you must,
  if you like, if you want, i guess, i guess so, i think so, by all means, make it so, go on, go on then, please go ahead, why yes, roger, aye, good, great, perfect, correct, right, absolutely, definitely, certainly, agreed, agree, i agree, i do,
  confirm, confirmed, proceed, continue, accept, approve, use it, use this, use that, use the corrected one,
  use the corrected version, use the corrected text, add it, add them, add both, both, all of them, connect it,
  connect them, ready, im ready, why not, ja, jo, jep, jawohl, klar, na klar, gerne, gern, genau, passt, in ordnung,
  mach das, mach es, mach mal, tu das, einverstanden, bitte ja, oui, si, remove it, delete it, remove them, delete them`,
);

const NO = phrases(
  `absolutely not, definitely not, certainly not, of course not, not really, i dont think so, id rather you didnt, hold on a second, hold on a sec,
  hold on a moment, wait a second, wait a moment, one moment, auf keinen fall, bloss nicht, lieber doch nicht, warte, let me think, let me think about it, not sure, maybe later, later, spater, no, nope, nah, n, no way, not now, not yet, not today, not that, rather not, better not, id rather not, cancel that,
  cancel it, stop it, stop that, abort, never mind, nevermind, forget it, forget about it, forget that, drop it,
  dont do it, dont do that, dont do anything, leave it, leave it alone, leave it as it is,
  leave everything as it is, leave them, keep it, keep them, skip, skip it, wait, hold on, changed my mind, i changed my mind,
  nein, ne, nee, lieber nicht, doch nicht, abbrechen, lass es, lass das, lass mal, besser nicht, vergiss es, nicht jetzt, non`,
);

const NO_AT_END = phrases('dont, do not, please dont, dont please, stop, cancel, cancel please, keep');

const POLITE = phrases(
  `please, pls, plz, thanks, thank you, thank you very much, thx, then, well, so, oh, hm, hmm, um, bitte, danke, danke schon,
  that, it, actually, just, alright, all right, now, kindly, sir, mate`,
);

export type Chosen = { readonly kind: 'choose'; readonly name: string } | { readonly kind: 'choose-none' };

/** One of several that were named: by its place, its number or its name. */
export function choiceIn(line: string, choices: readonly string[]): Chosen | undefined {
  const plain = plainName(line);
  const lower = line.toLowerCase();
  const isExact = (name: string): boolean => name.toLowerCase() === lower || plainName(name) === plain;
  // An address may begin with its registry, `official:`; nobody says that.
  const exact = choices.find(isExact) ?? choices.find((each) => isExact(each.replace(/^[\w-]+:/, '')));
  if (exact !== undefined) return { kind: 'choose', name: exact };
  const place = PLACE.exec(
    line.replace(
      /^(?:i(?:'d|’d| would|'ll|’ll)? (?:take|like|want|choose)|use|take|pick|choose|add)\s+/i,
      '',
    ),
  );
  if (!place) return undefined;
  const [, digits, word = ''] = place;
  const ordinal = word.toLowerCase() === 'last' ? choices.length - 1 : ORDINALS.indexOf(word.toLowerCase());
  const name = choices[digits === undefined ? ordinal : Number(digits) - 1];
  return name === undefined ? { kind: 'choose-none' } : { kind: 'choose', name };
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const PLACE = new RegExp(
  `^(?:the\\s+)?(?:(?:number |no\\.? ?|#)?(\\d{1,2})(?:st|nd|rd|th)?|(${ORDINALS.join('|')}|last))(?:\\s+(?:one|server|option))?(?:,?\\s+please)?$`,
  'i',
);
