import { wordSet } from '../word-set.ts';
import { searchLimits } from './limits.ts';
import { stem } from '../../base/stem.ts';
import { hashByte, unknownWord, WordTable } from './word-table.ts';

/**
 * NFKC without accents, split identifiers, no stop words, stems; character pairs where there are no spaces.
 * Terms have numbers, as an index counts them: plain ASCII text is read without a string for each word.
 */
export class Analyzer {
  readonly #table = new WordTable();
  /** Of words that are not one term. */
  #several: (readonly number[])[] = [];
  readonly #known = new Map<string, readonly number[]>();
  #terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  #count = 0;

  /** Each at its number: the same list as long as the numbers hold, which only grows. */
  get numbered(): readonly string[] {
    return this.#terms;
  }

  terms(text: string): readonly string[] {
    this.makeRoom();
    return Array.from(this.read(text), (number) => this.#terms[number] ?? '');
  }

  /** Gives numbers anew when there are too many. */
  makeRoom(): void {
    if (this.#table.size + this.#known.size < searchLimits.analyzedWordsKept) return;
    this.#table.clear();
    this.#known.clear();
    this.#numbers.clear();
    [this.#several, this.#terms] = [[], []];
  }

  /** The numbers of its terms, until the next text is read. */
  read(text: string): Int32Array {
    const short = text.length > searchLimits.fieldCharsMax ? text.slice(0, searchLimits.fieldCharsMax) : text;
    const { read, written } = encoder.encodeInto(short, bytes);
    this.#count = 0;
    // Only ASCII has as many bytes as characters.
    if (read === short.length && written === short.length) this.#readPlain(short);
    else this.#readWords(short);
    return found.subarray(0, this.#count);
  }

  /** Of a term as it is written in the index. */
  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.push(term) - 1;
    this.#numbers.set(term, number);
    return number;
  }

  #readPlain(text: string): void {
    for (let at = 0; at < text.length && this.#count < found.length; at += 1) {
      if (IN_WORD[bytes[at] ?? 0] === 0) continue;
      const from = at;
      let hash = 0;
      for (; at < text.length && IN_WORD[bytes[at] ?? 0] === 1; at += 1)
        hash = hashByte(hash, bytes[at] ?? 0);
      const known = this.#table.find(bytes, from, at, hash);
      if (known >= 0) found[this.#count++] = known;
      else if (known === unknownWord) this.#takeNew(text.slice(from, at), bytes.subarray(from, at), hash);
      else this.#take(this.#several[-1 - known] ?? []);
    }
  }

  #readWords(text: string): void {
    for (const word of text.normalize('NFKC').match(WORD) ?? []) {
      this.#take(this.#termsOf(word));
      if (this.#count === found.length) return;
    }
  }

  #takeNew(word: string, bytes: Uint8Array, hash: number): void {
    const terms = this.#termsOf(word, 'once');
    this.#take(terms);
    const [only] = terms;
    const value = terms.length === 1 && only !== undefined ? only : -1 - this.#several.length;
    if (!this.#table.add(bytes, hash, value)) this.#known.set(word, terms);
    else if (value < 0) this.#several.push(terms);
  }

  #take(terms: readonly number[]): void {
    for (let at = 0; at < terms.length && this.#count < found.length; at += 1)
      found[this.#count++] = terms[at] ?? 0;
  }

  #termsOf(word: string, kept: 'kept' | 'once' = 'kept'): readonly number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const terms = partsOf(word)
      .flatMap(termsOfPart)
      .map((term) => this.numberOf(term));
    if (kept === 'kept') this.#known.set(word, terms);
    return terms;
  }
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

/** Of the text that is being read; one after the other, by all analyzers. */
const bytes = new Uint8Array(searchLimits.fieldCharsMax);
const found = new Int32Array(searchLimits.fieldWordsMax);
const encoder = new TextEncoder();

const IN_WORD = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[a-z\d]/i.test(String.fromCharCode(code)) && code < 128),
);
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
