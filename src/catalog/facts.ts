import { limits } from '../base/limits.ts';
import type { TaskGroup } from '../base/tasks.ts';
import type { Manifest, RawTool } from '../connections/manifest.ts';
import type { OwnerId } from '../servers/store.ts';
import { flagsOf, serverFlag, type FlagContext } from './flags.ts';
import { hashTool } from './pin.ts';
import { riskOf } from './risk.ts';
import { checkSchema } from './schemas/check-schema.ts';
import type { ManifestFacts, ToolFacts, ToolStore } from './store.ts';

export type CountTokens = (
  server: string,
  tools: readonly RawTool[],
) => Promise<readonly (number | undefined)[]>;

export interface FactsOptions {
  readonly store: ToolStore;
  readonly owner: OwnerId;
  readonly tasks: TaskGroup;
  readonly count: CountTokens;
  /** Names of the servers that were there before. */
  readonly context: (server: string, manifest: Manifest) => FlagContext;
}

/** Raise when the same tool would get other flags, risks or schema results. */
export const FACT_RULES = 1;

/** Hash, flags, risks and tokens of every tool, computed once per manifest and stored. */
export class Facts {
  readonly #options: FactsOptions;
  readonly #known = new Map<string, ManifestFacts>();
  readonly #counting = new Map<string, Promise<void>>();

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    for (const facts of await this.#options.store.listFacts(this.#options.owner)) {
      this.#known.set(facts.server, facts);
    }
  }

  of(server: string, manifest: Manifest): readonly ToolFacts[] {
    const known = this.#known.get(server);
    if (known?.manifestHash === manifest.hash && known.rules === FACT_RULES) return known.tools;
    const byHash = new Map(known?.tools.map((fact) => [fact.hash, fact]));
    const context = this.#options.context(server, manifest);
    const disguised = serverFlag(context.server, context.others);
    const tools = manifest.tools.map((tool): ToolFacts => {
      const hash = hashTool(tool);
      const before = byHash.get(hash);
      if (before && known?.rules === FACT_RULES) return before;
      const flags = flagsOf(tool, context);
      return {
        name: tool.name,
        hash,
        flags: disguised ? [disguised, ...flags] : flags,
        ...fixedFacts(tool, context.server),
        ...(before?.tokens === undefined ? {} : { tokens: before.tokens }),
      };
    });
    const facts = { server, manifestHash: manifest.hash, rules: FACT_RULES, tools };
    this.#known.set(server, facts);
    this.#keep(facts);
    return tools;
  }

  counted(server: string, manifest: Manifest): Promise<void> {
    if (this.of(server, manifest).every(({ tokens }) => tokens !== undefined)) return Promise.resolve();
    const running = this.#counting.get(server) ?? this.#count(server, manifest);
    this.#counting.set(server, running);
    return running;
  }

  forget(server: string): void {
    this.#known.delete(server);
  }

  async #count(server: string, manifest: Manifest): Promise<void> {
    try {
      const counts = await this.#options.count(server, manifest.tools);
      const before = this.#known.get(server);
      if (before?.manifestHash !== manifest.hash) return;
      const tools = before.tools.map((fact, index) => {
        const tokens = counts[index];
        return tokens === undefined ? fact : { ...fact, tokens };
      });
      const facts = { ...before, tools };
      this.#known.set(server, facts);
      this.#keep(facts);
    } finally {
      this.#counting.delete(server);
    }
  }

  #keep(facts: ManifestFacts): void {
    const { store, owner, tasks } = this.#options;
    tasks.run('keep what is known of tools', () => store.putFacts(owner, facts));
  }
}

/** @public Also written by the benchmarks. */
export function fixedFacts(tool: RawTool, server: string): Pick<ToolFacts, 'risks' | 'plain'> {
  const schema = checkSchema(tool['inputSchema'], limits);
  const believed = riskOf(tool, { trusted: true, server });
  const doubted = riskOf(tool, { trusted: false, server });
  return { risks: { believed, doubted }, ...(schema.ok && !schema.repairs ? { plain: true } : {}) };
}
