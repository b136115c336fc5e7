import type { Pin } from '../../catalog/pin.ts';
import type { ManifestFacts, Tombstone, ToolOverride, ToolStore } from '../../catalog/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { decidesNothing } from '../tool-overrides.ts';
import { MemoryTable } from './table.ts';

export class MemoryToolStore implements ToolStore {
  readonly #pins = new MemoryTable<Pin>();
  readonly #overrides = new MemoryTable<ToolOverride>();
  readonly #tombstones = new MemoryTable<Tombstone>();
  readonly #facts = new MemoryTable<ManifestFacts>();

  async listPins(owner: OwnerId): Promise<readonly Pin[]> {
    return sortedBy(this.#pins.list(owner), keyOf);
  }

  async putPins(owner: OwnerId, pins: readonly Pin[]): Promise<void> {
    for (const pin of pins) this.#pins.put(pin, owner, pin.server, pin.tool);
  }

  async deletePins(owner: OwnerId, server: string, tool?: string): Promise<number> {
    if (tool !== undefined) return Number(this.#pins.delete(owner, server, tool));
    return deleteOf(this.#pins, owner, server);
  }

  async listToolOverrides(owner: OwnerId): Promise<readonly ToolOverride[]> {
    return sortedBy(this.#overrides.list(owner), keyOf);
  }

  async putToolOverride(owner: OwnerId, override: ToolOverride): Promise<void> {
    const { server, tool } = override;
    if (decidesNothing(override)) this.#overrides.delete(owner, server, tool);
    else this.#overrides.put(override, owner, server, tool);
  }

  async listFacts(owner: OwnerId): Promise<readonly ManifestFacts[]> {
    return sortedBy(this.#facts.list(owner), (facts) => facts.server);
  }

  async putFacts(owner: OwnerId, facts: ManifestFacts): Promise<void> {
    this.#facts.put(facts, owner, facts.server);
  }

  async listTombstones(owner: OwnerId): Promise<readonly Tombstone[]> {
    return sortedBy(this.#tombstones.list(owner), keyOf);
  }

  async putTombstones(owner: OwnerId, tombstones: readonly Tombstone[]): Promise<void> {
    for (const tombstone of tombstones) {
      this.#tombstones.put(tombstone, owner, tombstone.server, tombstone.tool);
    }
  }

  async deleteTombstones(owner: OwnerId, server: string, tools: readonly string[]): Promise<void> {
    for (const tool of tools) this.#tombstones.delete(owner, server, tool);
  }

  async forgetServer(owner: OwnerId, server: string): Promise<void> {
    deleteOf(this.#pins, owner, server);
    deleteOf(this.#overrides, owner, server);
    deleteOf(this.#tombstones, owner, server);
    this.#facts.delete(owner, server);
  }
}

interface OfTool {
  readonly server: string;
  readonly tool: string;
}

function keyOf({ server, tool }: OfTool): string {
  return JSON.stringify([server, tool]);
}

function deleteOf<T extends OfTool>(table: MemoryTable<T>, owner: OwnerId, server: string): number {
  const own = table.list(owner).filter((row) => row.server === server);
  for (const { tool } of own) table.delete(owner, server, tool);
  return own.length;
}
