import type { Node } from 'jsonc-parser';
import { limits } from '../../base/limits.ts';
import { suggest } from '../../base/suggest.ts';
import { positionsIn } from '../../servers/clients/documents/document.ts';

export interface RulesProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class NodeReader {
  readonly problems: RulesProblem[] = [];
  readonly #positionOf: ReturnType<typeof positionsIn>;

  constructor(text: string) {
    this.#positionOf = positionsIn(text);
  }

  problem(node: Node, message: string): undefined {
    if (this.problems.length < limits.ruleProblemsMax) {
      this.problems.push({ ...this.#positionOf(node.offset), message });
    }
    return undefined;
  }

  /** An unknown name is a problem: it may be a misspelled rule. */
  fields<K extends string>(node: Node, known: readonly K[], what: string): ReadonlyMap<K, Node> | undefined {
    const entries = this.entries(node, what);
    if (!entries) return undefined;
    const fields = new Map<K, Node>();
    for (const { name, key, value } of entries) {
      const word = known.find((each) => each === name);
      if (word !== undefined) fields.set(word, value);
      else this.problem(key, `“${shown(name)}” is not known in ${what}.${guess(name, known)}`);
    }
    return fields;
  }

  entries(node: Node, what: string): readonly ObjectEntry[] | undefined {
    if (node.type !== 'object') return this.problem(node, `${upper(what)} must be an object: {…}.`);
    const entries: ObjectEntry[] = [];
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (!key || !value) continue;
      const name = String(key.value);
      if (entries.some((entry) => entry.name === name)) this.problem(key, `“${shown(name)}” stands twice.`);
      entries.push({ name, key, value });
    }
    return entries;
  }

  items(node: Node, what: string): readonly Node[] | undefined {
    if (node.type === 'array') return node.children ?? [];
    return this.problem(node, `${upper(what)} must be a list: […].`);
  }

  text(node: Node, what: string, charsMax: number): string | undefined {
    if (node.type !== 'string' || node.value === '')
      return this.problem(node, `${upper(what)} must be a text.`);
    const text = String(node.value);
    if (text.length <= charsMax) return text;
    return this.problem(node, `${upper(what)} may have at most ${charsMax} characters.`);
  }

  word<W extends string>(node: Node, known: readonly W[], what: string): W | undefined {
    const word = known.find((each) => each === node.value);
    if (word !== undefined) return word;
    const said = node.type === 'string' ? `“${shown(String(node.value))}”` : 'this';
    const hint = node.type === 'string' ? guess(String(node.value), known) : '';
    return this.problem(node, `${upper(what)} is ${listed(known)}; ${said} is none of them.${hint}`);
  }

  words<W extends string>(node: Node, known: readonly W[], what: string): readonly W[] | undefined {
    const items = this.items(node, what);
    if (!items) return undefined;
    if (items.length === 0)
      return this.problem(node, `${upper(what)} must name at least one of ${listed(known)}.`);
    const words = items.map((item) => this.word(item, known, what));
    return words.every((word) => word !== undefined) ? words : undefined;
  }
}

export interface ObjectEntry {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

function guess(word: string, known: readonly string[]): string {
  const [near] = suggest(word, known);
  return near === undefined ? '' : ` Did you mean “${near}”?`;
}

function listed(words: readonly string[]): string {
  const [last, ...before] = words.toReversed();
  return before.length === 0 ? `“${last}”` : `${before.toReversed().join(', ')} or ${last}`;
}

function shown(word: string): string {
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
