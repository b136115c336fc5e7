import { cleanName, hashOfName, hashOfRef, nameForms, renderName, splitName } from './names.ts';
import { parseToolRef, type ToolRef } from './tool.ts';

/** Canonical `server/tool` or any form. A clean name need not be known; a hashed one is looked up. */
export function parseName(text: string, known: NameIndex): ToolRef | undefined {
  const slash = text.indexOf('/');
  if (slash > 0) return slash < text.length - 1 ? parseToolRef(text) : undefined;
  return splitName(text) ?? known.find(text);
}

export class NameIndex {
  readonly #refs: () => Iterable<ToolRef>;
  #byHash: Map<string, ToolRef[]> | undefined;

  constructor(refs: () => Iterable<ToolRef>) {
    this.#refs = refs;
  }

  drop(): void {
    this.#byHash = undefined;
  }

  find(text: string): ToolRef | undefined {
    const hash = hashOfName(text);
    if (hash === undefined) return undefined;
    this.#byHash ??= indexByHash(this.#refs());
    const isNamed = (ref: ToolRef): boolean => nameForms.some((form) => renderName(ref, form) === text);
    const found = this.#byHash.get(hash)?.filter(isNamed) ?? [];
    // Fails closed: a forged hash makes the name useless.
    return found.length === 1 ? found[0] : undefined;
  }
}

function indexByHash(refs: Iterable<ToolRef>): Map<string, ToolRef[]> {
  const byHash = new Map<string, ToolRef[]>();
  for (const { server, tool } of refs) {
    const ref = { server, tool };
    if (nameForms.every((form) => cleanName(ref, form) !== undefined)) continue;
    const hash = hashOfRef(ref);
    const same = byHash.get(hash);
    if (same === undefined) byHash.set(hash, [ref]);
    else if (!same.some((other) => other.server === server && other.tool === tool)) same.push(ref);
  }
  return byHash;
}
