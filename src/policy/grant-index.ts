import type { Grant } from './grant.ts';

/** Grants by server and tool: a decision looks only at those that could hold. */
export class GrantIndex {
  readonly #byId = new Map<string, Grant>();
  readonly #byTool = new Map<string, Map<string, Grant[]>>();
  readonly #reads = new Map<string, Grant[]>();

  constructor(grants: Iterable<Grant> = []) {
    for (const grant of grants) this.add(grant);
  }

  get size(): number {
    return this.#byId.size;
  }

  all(): readonly Grant[] {
    return [...this.#byId.values()];
  }

  get(id: string): Grant | undefined {
    return this.#byId.get(id);
  }

  /** Of this very tool; those for all reads are not among them. */
  ofTool(server: string, tool: string): readonly Grant[] {
    return this.#byTool.get(server)?.get(tool) ?? NONE;
  }

  ofReads(server: string): readonly Grant[] {
    return this.#reads.get(server) ?? NONE;
  }

  /** Those for the same tool as this one, or for the same server's reads. */
  beside({ server, scope }: Pick<Grant, 'server' | 'scope'>): readonly Grant[] {
    return scope.kind === 'reads' ? this.ofReads(server) : this.ofTool(server, scope.tool);
  }

  add(grant: Grant): void {
    this.delete(grant.id);
    this.#byId.set(grant.id, grant);
    this.#shelf(grant).push(grant);
  }

  /** False when it was gone already. */
  delete(id: string): boolean {
    const grant = this.#byId.get(id);
    if (!grant) return false;
    this.#byId.delete(id);
    const shelf = this.#shelf(grant);
    shelf.splice(shelf.indexOf(grant), 1);
    if (shelf.length === 0) this.#clear(grant);
    return true;
  }

  #shelf({ server, scope }: Grant): Grant[] {
    if (scope.kind === 'reads') return at(this.#reads, server, () => []);
    const tools = at(this.#byTool, server, () => new Map<string, Grant[]>());
    return at(tools, scope.tool, () => []);
  }

  #clear({ server, scope }: Grant): void {
    if (scope.kind === 'reads') {
      this.#reads.delete(server);
      return;
    }
    const tools = this.#byTool.get(server);
    tools?.delete(scope.tool);
    if (tools?.size === 0) this.#byTool.delete(server);
  }
}

const NONE: readonly Grant[] = [];

function at<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
