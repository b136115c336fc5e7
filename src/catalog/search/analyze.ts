import { wordSet } from '../word-set.ts';
import { searchLimits } from './limits.ts';
import { stem } from '../../base/stem.ts';

/** NFKC without accents, split identifiers, no stop words, stems; character pairs where there are no spaces. */
export class Analyzer {
  readonly #known = new Map<string, readonly string[]>();
  #last: { readonly text: string; readonly terms: readonly string[] } | undefined;

  terms(text: string, wordsMax: number = searchLimits.fieldWordsMax): readonly string[] {
    const terms: string[] = [];
    for (const word of wordsOf(text)) {
      terms.push(...this.#termsOf(word));
      if (terms.length >= wordsMax) return terms.slice(0, wordsMax);
    }
    return terms;
  }

  /** For texts that repeat at once, such as server descriptions. */
  repeatedTerms(text: string): readonly string[] {
    if (this.#last?.text !== text) this.#last = { text, terms: this.terms(text) };
    return this.#last.terms;
  }

  #termsOf(word: string): readonly string[] {
    const known = this.#known.get(word);
    if (known) return known;
    const terms = partsOf(word).flatMap(termsOfPart);
    if (this.#known.size >= searchLimits.analyzedWordsKept) this.#known.clear();
    this.#known.set(word, terms);
    return terms;
  }
}

function wordsOf(text: string): readonly string[] {
  const read = text.length > searchLimits.fieldCharsMax ? text.slice(0, searchLimits.fieldCharsMax) : text;
  return read.normalize('NFKC').match(WORD) ?? [];
}

/** `createIssue2` is create, issue and 2; `GitHub` also github. */
function partsOf(word: string): readonly string[] {
  if (PLAIN.test(word)) return [word];
  const plain = word.normalize('NFD').replaceAll(MARKS, '').normalize('NFC');
  const parts = plain.match(PART) ?? [];
  const written = parts.map((part) => part.toLowerCase());
  const isOneWord = parts.length === 2 && !SPACELESS.test(plain);
  return isOneWord ? [...written, plain.toLowerCase()] : written;
}

function termsOfPart(part: string): readonly string[] {
  if (stopWords.has(part)) return [];
  if (SPACELESS.test(part)) return pairsOf(part);
  const word = part.slice(0, searchLimits.wordCharsMax);
  return [PLAIN.test(word) ? stem(word) : word];
}

function pairsOf(text: string): readonly string[] {
  const characters = Array.from(text);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PLAIN = /^[a-z]+$/;
/** Parts of kana and Hangul are no accents. */
const MARKS = /[\u0300-\u036F]+/g;
export const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Spaceless runs, digits, acronyms, capitalized and other words. */
const PART =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+|\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{L}]/gu;

/** Function words, phrases to an assistant, and words of tool descriptions. */
const stopWords: ReadonlySet<string> = wordSet(`
  a an the this that these those it its itself they them their theirs there here he him his she her hers
  we us our ours you your yours i me my mine myself who whom whose which what when where why how
  am is are was were be been being do does did done doing have has had having will would shall should can
  could may might must cannot
  and or but nor not no so if then else than as of at by for from in into on onto to with within without
  about above after again against all also any because before below between both during each either
  every few further more most much many neither once only other others out over own same some such too
  under until up very while via per across along among around just like
  s t d m ll ve re isn aren don doesn didn won
  please want wants wanted need needs needed help helps let lets tell give gives given gave could kindly
  able well okay hello hi thanks thank
  tool tools mcp parameter parameters param params argument arguments
  arg args return returns returned returning use uses used using usage useful
  optional optionally required require requires default defaults specify specifies specified specific
  specifying provide provides provided providing allow allows allowed allowing
  based following example examples eg ie etc whether
  method methods operation operations input inputs output outputs
`);

/** Words to an assistant: they count in a query, but less. */
export const weakWords: ReadonlySet<string> = wordSet(`
  appreciate assist assistance believe bit come coming curious enjoy excited exactly especially feel
  feeling glad go going gonna good got great guess happy hope hoping interested know lately little
  looking lot love maybe mind mood nice ok perhaps possible prefer preferably pretty quick quickly quite
  ready really say seem simply something somewhere somebody someone soon sort still stuff sure thing
  things try trying understand wanna way whatever wish wonder wonderful wondering would wow yeah yes yet
`);
