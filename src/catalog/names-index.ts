import { cleanName, hashOfName, hashOfRef, nameForms, renderName, splitName } from './names.ts';
import { parseToolRef, type ToolRef } from './tool.ts';

/**
 * What a text names: canonical `server/tool`, or a name in any form. A clean name is split and
 * need not be known; a hashed one is looked for among the tools of the index.
 */
export function parseName(text: string, known: NameIndex): ToolRef | undefined {
  const slash = text.indexOf('/');
  if (slash > 0) return slash < text.length - 1 ? parseToolRef(text) : undefined;
  return splitName(text) ?? known.find(text);
}

/**
 * The tools whose names end in a hash, by that hash. It is made at the first question and made
 * anew after `drop`, so that a hub that only meets clean names never pays for it.
 */
export class NameIndex {
  readonly #refs: () => Iterable<ToolRef>;
  #byHash: Map<string, ToolRef[]> | undefined;

  constructor(refs: () => Iterable<ToolRef>) {
    this.#refs = refs;
  }

  /** When the tools have changed. */
  drop(): void {
    this.#byHash = undefined;
  }

  find(text: string): ToolRef | undefined {
    const hash = hashOfName(text);
    if (hash === undefined) return undefined;
    this.#byHash ??= indexByHash(this.#refs());
    const found = this.#byHash.get(hash)?.filter((ref) => isNameOf(text, ref)) ?? [];
    // Fails closed: somebody who forges a hash makes the name useless, never another tool's.
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

function isNameOf(text: string, ref: ToolRef): boolean {
  return nameForms.some((form) => renderName(ref, form) === text);
}
