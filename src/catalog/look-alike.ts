import { editsBetween } from '../base/edit-distance.ts';

interface NamedServer {
  readonly id: string;
  readonly tools: Iterable<string>;
}

/** Names of earlier servers, so that the imitation is flagged, not the original. */
export class KnownNames {
  readonly #servers: () => Iterable<NamedServer>;
  #index: Index | undefined;

  constructor(servers: () => Iterable<NamedServer>) {
    this.#servers = servers;
  }

  hasServer(id: string): boolean {
    return this.#known().servers.has(id);
  }

  ownersOf(tool: string): readonly string[] {
    return this.#known().tools.get(tool)?.owners ?? [];
  }

  toolLike(name: string, server: string): string | undefined {
    const index = this.#known();
    const plain = plainOf(name);
    const looks = looksOf(name);
    const isLike = (other: KnownTool): boolean =>
      other.plain !== plain &&
      other.owners.some((id) => id !== server) &&
      (other.looks === looks || isSlip(plain, other.plain));
    const found = index.byLooks.get(looks)?.find(isLike) ?? findSlip(index, plain, isLike);
    return found && `${found.owners.find((id) => id !== server)}/${found.name}`;
  }

  serverLike(id: string): string | undefined {
    for (const other of this.#known().servers) {
      if (other !== id && isNear(id, other)) return other;
    }
    return undefined;
  }

  #known(): Index {
    this.#index ??= indexNames(this.#servers());
    return this.#index;
  }
}

export function disguise(name: string): string | undefined {
  return isDisguised(name) ? looksOf(name) : undefined;
}

interface KnownTool {
  readonly name: string;
  readonly plain: string;
  readonly looks: string;
  readonly owners: string[];
}

interface Index {
  readonly servers: ReadonlySet<string>;
  readonly tools: Map<string, KnownTool>;
  readonly byLooks: Map<string, KnownTool[]>;
  readonly byLetters: Map<number, KnownTool[]>;
}

function indexNames(servers: Iterable<NamedServer>): Index {
  const ids = new Set<string>();
  const index: Index = { servers: ids, tools: new Map(), byLooks: new Map(), byLetters: new Map() };
  for (const { id, tools } of servers) {
    ids.add(id);
    for (const name of tools) {
      const known = index.tools.get(name);
      if (known === undefined)
        indexTool(index, { name, plain: plainOf(name), looks: looksOf(name), owners: [id] });
      else known.owners.push(id);
    }
  }
  return index;
}

function indexTool(index: Index, tool: KnownTool): void {
  index.tools.set(tool.name, tool);
  put(index.byLooks, tool.looks, tool);
  if (canSlip(tool.plain)) put(index.byLetters, lettersOf(tool.plain), tool);
}

function findSlip(index: Index, plain: string, isLike: (tool: KnownTool) => boolean): KnownTool | undefined {
  if (!canSlip(plain)) return undefined;
  const letters = lettersOf(plain);
  for (const step of SLIP_STEPS) {
    const found = index.byLetters.get((letters + step) | 0)?.find(isLike);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Short names are similar by chance, long ones aren't typed. */
function canSlip(plain: string): boolean {
  return plain.length >= SLIP_CHARS_MIN && plain.length <= SLIP_CHARS_MAX;
}

/** One edit, or two in a long id. Numbers differ on purpose: db-1 and db-2. */
function isNear(id: string, other: string): boolean {
  if (id.replaceAll(/\d+/g, '#') === other.replaceAll(/\d+/g, '#')) return false;
  if (looksOf(id) === looksOf(other)) return true;
  const shorter = Math.min(id.length, other.length);
  const max = shorter >= 10 ? 2 : shorter >= 5 ? 1 : 0;
  return max > 0 && editsBetween(id, other, max) <= max;
}

function put<Key>(map: Map<Key, KnownTool[]>, key: Key, value: KnownTool): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

const SLIP_CHARS_MIN = 9;
const SLIP_CHARS_MAX = 64;

/** A typo: letters swapped, one doubled or missing. A plural or number is a different name. */
function isSlip(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  let start = 0;
  while (start < short.length && long[start] === short[start]) start += 1;
  if (long.length === short.length) {
    return (
      long[start] === short[start + 1] &&
      long[start + 1] === short[start] &&
      long[start] !== long[start + 1] &&
      long.slice(start + 2) === short.slice(start + 2)
    );
  }
  const extra = long[start] ?? '';
  const isInside = start > 0 && start < long.length - 1;
  return isInside && /[a-rt-z]/.test(extra) && long.slice(start + 1) === short.slice(start);
}

/** Independent of order. May collide: `isSlip` decides. */
function lettersOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum = (sum + weightOf(text.charCodeAt(index))) | 0;
  return sum;
}

function weightOf(code: number): number {
  return Math.imul(Math.imul(code + 1, 0x9e_37_79_b1) ^ (code * 0x85_eb_ca_6b), 0xc2_b2_ae_35) | 0;
}

/** A typo changes the sum by nothing or by one letter. */
const WEIGHTS = Array.from('abcdefghijklmnopqrtuvwxyz', (letter) => weightOf(letter.charCodeAt(0)));
const SLIP_STEPS = [0, ...WEIGHTS.flatMap((weight) => [weight, -weight])];

function looksOf(text: string): string {
  const folded = foldLetters(text)
    .replaceAll(/[Ii1|]/g, 'l')
    .replaceAll('0', 'o')
    .toLowerCase();
  return plainOf(folded).replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** readFile, read-file and read_file are the same. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[_\-.\s]+/g, '');
}

/** Foreign, accented and styled letters become the ASCII letters they look like. */
export function foldLetters(text: string): string {
  // CJK has no look-alikes of Latin letters and is slow to normalize.
  if (!MAY_HAVE_TWINS.test(text)) return text;
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]/gu, (letter) => TWINS.get(letter) ?? letter);
}

/** Pretends to be Latin: some foreign letters among ours, or look-alikes only. */
function isDisguised(text: string): boolean {
  if (ASCII_ONLY.test(text)) return false;
  const folded = foldLetters(text);
  const isReadable = ASCII_ONLY.test(folded);
  return isReadable ? !ACCENTED_LATIN.test(text.normalize('NFC')) : MIXABLE.test(text) && /[a-z]/i.test(text);
}

const ASCII_ONLY = /^[ -~]*$/;
const MAY_HAVE_TWINS =
  /[\u00aa-\u1fff\u2010-\u2015\u2024\u2044\u2100-\u218f\u2212-\u2223\u2460-\u24ff\u2c60-\u2dff\ua4d0-\uabff\ufb00-\ufb06\uff10-\uff5a\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]/u;
/** “café” is a word, not a disguise. */
const ACCENTED_LATIN = /^[ -~\u00c0-\u024f\u1e00-\u1eff]*$/;
/** Alphabets with many look-alikes; CJK beside Latin letters is normal. */
const MIXABLE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/** Look-alikes that normalization misses: our letter, then the others. */
const TWINS: ReadonlyMap<string, string> = new Map(
  `aаαɑ bЬ cсϲⅽ dԁɗ eеҽ fƒſ gɡց hһհ iіıιɩ jјϳ kκк lӏǀ∣ⅼ mм nոп oоοօøᴏ pрρ qԛգ rгᴦ sѕꜱ tтτ
  uυսᴜ vνѵᴠ wԝѡաᴡ xхχ yуүγ zᴢ AАΑᎪ BВΒᏴ CСϹᏟ DᎠ EЕΕᎬ FϜ GԌᏀ HНΗᎻ IІΙӀ JЈᎫ KКΚᏦ LᏞ MМΜᎷ NΝ
  OОΟՕØ PРΡᏢ SЅՏᏚ TТΤᎢ VѴᏙ WԜᎳ XХΧ YҮΥ ZΖᏃ -‐‑‒–—− _ˍ /⁄∕ .․ :׃ː`
    .split(/\s+/)
    .flatMap((row) => {
      const [letter = '', ...twins] = row;
      return twins.map((twin): [string, string] => [twin, letter]);
    }),
);
