import { splitName } from '../names.ts';
import type { ToolDocument } from './document.ts';
import { searchLimits } from './limits.ts';

/** Tools by their bare names, whatever the case: who writes a name means that tool. */
export class ExactNames {
  /** Most names have one tool: a list is made when there is a second. */
  readonly #slots = new Map<string, number | number[]>();

  add(name: string, slot: number): void {
    const key = name.toLowerCase();
    const known = this.#slots.get(key);
    if (known === undefined) this.#slots.set(key, slot);
    else if (typeof known === 'number') this.#slots.set(key, [known, slot]);
    else known.push(slot);
  }

  remove(name: string, slot: number): void {
    const key = name.toLowerCase();
    const rest = this.#of(key).filter((other) => other !== slot);
    const [first] = rest;
    if (first === undefined) this.#slots.delete(key);
    else this.#slots.set(key, rest.length === 1 ? first : rest);
  }

  /** What a query names: with its server, in any form of the name, or alone. */
  find(query: string, documentAt: (slot: number) => ToolDocument | undefined): ExactMatches {
    const wanted = query.trim().toLowerCase();
    if (wanted === '' || wanted.length > searchLimits.nameCharsMax) return { full: [], bare: [] };
    const split = splitName(wanted);
    const pairs = [...partings(wanted), ...(split ? [[split.server, split.tool] as const] : [])];
    const full = pairs.flatMap(([server, tool]) =>
      this.#of(tool).filter((slot) => documentAt(slot)?.server.toLowerCase() === server),
    );
    return { full, bare: this.#of(wanted) };
  }

  #of(key: string): readonly number[] {
    const known = this.#slots.get(key);
    return known === undefined ? [] : typeof known === 'number' ? [known] : known;
  }
}

export interface ExactMatches {
  readonly full: readonly number[];
  readonly bare: readonly number[];
}

/** Every way to part a name into server and tool. */
function partings(text: string): readonly (readonly [server: string, tool: string])[] {
  return [...text.matchAll(SEPARATOR)]
    .slice(0, searchLimits.namePartingsMax)
    .map(({ 0: separator, index }) => [text.slice(0, index), text.slice(index + separator.length)] as const);
}

const SEPARATOR = /\/|__|[.:]/g;
