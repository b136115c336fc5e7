import { editsBetween } from '../base/edit-distance.ts';
import { isDisguised, looksOf, plainOf } from './look-alike-letters.ts';

export interface NamedServer {
  readonly id: string;
  readonly tools: Iterable<string>;
}

/**
 * The names that others have already. Give it the servers that joined earlier, so that it is the
 * imitation that is flagged and never the original. It is indexed at the first question; make a
 * new one when servers or tools change, and let go of it after use.
 */
export class KnownNames {
  readonly #servers: () => Iterable<NamedServer>;
  #index: Index | undefined;

  constructor(servers: () => Iterable<NamedServer>) {
    this.#servers = servers;
  }

  hasServer(id: string): boolean {
    return this.#known().servers.has(id);
  }

  /** Ids of the servers that have a tool of exactly this name. */
  ownersOf(tool: string): readonly string[] {
    return this.#known().tools.get(tool)?.owners ?? [];
  }

  /** The tool of another server, as `server/tool`, for which this name can be mistaken. */
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

  /** The other server for which this id can be mistaken. */
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

/** Letters of another alphabet that stand for ours, in a name. */
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

/** Short names are near each other by chance; longer ones are nobody's to mistype. */
function canSlip(plain: string): boolean {
  return plain.length >= SLIP_CHARS_MIN && plain.length <= SLIP_CHARS_MAX;
}

/** One edit, or two in a long id. Numbers tell servers apart on purpose: db-1 and db-2 are not alike. */
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

/**
 * Whether two names differ as by a slip of the finger: two letters swapped, one doubled, or one left
 * out inside a word. A plural, another number or another word is a different name, not a slip.
 */
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

/** The letters of a text as one number, whatever their order. It may be shared by chance: `isSlip` tells. */
function lettersOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum = (sum + weightOf(text.charCodeAt(index))) | 0;
  return sum;
}

function weightOf(code: number): number {
  return Math.imul(Math.imul(code + 1, 0x9e_37_79_b1) ^ (code * 0x85_eb_ca_6b), 0xc2_b2_ae_35) | 0;
}

/** How far a slip can move that number: by nothing, or by one letter more or less. */
const SLIP_STEPS: readonly number[] = [
  0,
  ...Array.from('abcdefghijklmnopqrtuvwxyz', (letter) => weightOf(letter.charCodeAt(0))).flatMap((weight) => [
    weight,
    -weight,
  ]),
];
